#pragma once

#include <vector>

#include "bnnplan/rddl/language/syntax.hpp"
#include "bnnplan/rddl/language/token_stream.hpp"

namespace bnnplan::rddl {

// Reads one expression. Operators, leaves and choices are in parse_expression.cpp, everything that looks like
// a call in parse_call.cpp.
class ExpressionReader {
 public:
  explicit ExpressionReader(TokenStream& tokens) : tokens_(tokens) {}

  RddlExpression expression(int weakest = 0);
  RddlExpression literal();

 private:
  struct Aggregate;
  struct Function;

  static RddlExpression make(Operation operation, const SourcePlace& place,
                             std::vector<RddlExpression> operands);
  static RddlExpression make(Operation operation, const SourcePlace& place, RddlExpression a);
  static RddlExpression make(Operation operation, const SourcePlace& place, RddlExpression a,
                             RddlExpression b);

  RddlExpression binary(int weakest);
  RddlExpression unary();
  RddlExpression primary();
  RddlExpression truth();
  RddlExpression infinity();
  RddlExpression symbol();
  RddlExpression number();
  RddlExpression conditional();
  RddlExpression selection();

  RddlExpression named();
  RddlExpression fluent(const Token& token);
  RddlExpression bracketed(std::string_view what);
  std::vector<RddlExpression> call_operands();
  RddlExpression function_call(const Function& function, const SourcePlace& place);
  RddlExpression math_call(const MathFunctionEntry& function, const SourcePlace& place);
  RddlExpression random_call(const DistributionEntry& distribution, const SourcePlace& place);
  RddlExpression discrete_call(Distribution distribution, const SourcePlace& place);
  RddlExpression cholesky_call(const SourcePlace& place);
  RddlExpression aggregation(const Aggregate& aggregate);
  BoundVariable bound_variable();

  TokenStream& tokens_;
  int nesting_ = 0;
};

}  // namespace bnnplan::rddl
