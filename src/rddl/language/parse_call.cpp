// Calls: fluents with their arguments, functions, distributions, quantifiers and aggregations. A name with
// parentheses is a fluent and one with square brackets a function, so that a domain may have a fluent
// gamma(?x); only distributions and the oldest functions (abs, min, ...) may also have parentheses.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bnnplan/rddl/language/expression_reader.hpp"

namespace bnnplan::rddl {

struct ExpressionReader::Function {
  std::string_view name;
  Operation operation;
  std::size_t least, most;  // operands
  bool parentheses;         // may be used instead of brackets
};

struct ExpressionReader::Aggregate {
  std::string_view name;
  Operation operation;
  Distribution distribution = Distribution::discrete;
};

namespace {

// Recognised, so that the error can name them.
constexpr std::array random_vectors = {"Dirichlet", "Multinomial", "MultivariateNormal",
                                       "MultivariateStudent"};
constexpr std::array matrix_functions = {"det_", "inverse", "pinverse"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void need_operands(std::string_view name, std::size_t given, std::size_t least, std::size_t most,
                   const SourcePlace& place) {
  if (given >= least && given <= most) return;
  throw RddlError(place, fmt::format("'{}' has {} operand{}, expected {}{}", name, given,
                                     given == 1 ? "" : "s", least, most > least ? " or more" : ""));
}

}  // namespace

RddlExpression ExpressionReader::named() {
  static constexpr Function functions[] = {{"abs", Operation::absolute, 1, 1, true},
                                           {"ceil", Operation::ceiling, 1, 1, true},
                                           {"floor", Operation::floor, 1, 1, true},
                                           {"min", Operation::minimum, 2, 1000, true},
                                           {"max", Operation::maximum, 2, 1000, true},
                                           {"mod", Operation::modulo, 2, 2, true},
                                           {"div", Operation::integer_division, 2, 2, true},
                                           {"round", Operation::round, 1, 1, false},
                                           {"sgn", Operation::sign, 1, 1, false},
                                           {"pow", Operation::power, 2, 2, false}};
  static constexpr Aggregate aggregates[] = {
      {"forall_", Operation::logical_and},
      {"exists_", Operation::logical_or},
      {"sum_", Operation::add},
      {"prod_", Operation::multiply},
      {"min_", Operation::minimum},
      {"max_", Operation::maximum},
      {"avg_", Operation::average},
      {"argmin_", Operation::argument_of_minimum},
      {"argmax_", Operation::argument_of_maximum},
      {"Discrete_", Operation::random},
      {"UnnormDiscrete_", Operation::random, Distribution::unnormalized_discrete}};
  const Token token = tokens_.peek();
  if (!token.primed) {
    if (token.text == "true" || token.text == "false") return truth();
    if (token.text == "pos-inf" || token.text == "neg-inf") return infinity();
    if (token.text == "if") return conditional();
    if (token.text == "switch") return selection();
    for (const Aggregate& aggregate : aggregates) {
      if (aggregate.name == token.text) return aggregation(aggregate);
    }
  }
  tokens_.take();
  const bool brackets = tokens_.at_symbol("["), parentheses = tokens_.at_symbol("(");
  if (token.primed || (!brackets && !parentheses && token.text != "det_")) return fluent(token);
  if (token.text == "KronDelta" || token.text == "DiracDelta") return bracketed("after the distribution");
  if (const DistributionEntry* distribution = distribution_named(token.text))
    return random_call(*distribution, token.place);
  if (contains(random_vectors, token.text)) {
    throw RddlError(token.place, fmt::format("random vectors are not supported yet: '{}'", token.text));
  }
  if (contains(matrix_functions, token.text) && !parentheses) {
    throw RddlError(token.place,
                    fmt::format("matrix function '{}' is not supported yet, only cholesky is", token.text));
  }
  for (const Function& function : functions) {
    if (function.name == token.text && (brackets || function.parentheses))
      return function_call(function, token.place);
  }
  if (!brackets) return fluent(token);
  if (token.text == "cholesky") return cholesky_call(token.place);
  if (const MathFunctionEntry* function = math_function_named(token.text))
    return math_call(*function, token.place);
  throw RddlError(token.place,
                  fmt::format("unknown function '{}' (a fluent has its arguments in parentheses)",
                              printable(token.text)));
}

RddlExpression ExpressionReader::fluent(const Token& token) {
  RddlExpression result;
  result.operation = Operation::fluent;
  result.place = token.place;
  result.name = token.text;
  result.primed = token.primed;
  if (!tokens_.accept("(") || tokens_.accept(")")) return result;
  std::vector<RddlExpression> arguments;
  do {
    const TokenKind kind = tokens_.peek().kind;
    if (kind == TokenKind::number || kind == TokenKind::symbol || kind == TokenKind::end)
      tokens_.fail_expected(
          "an argument: a ?variable, an object, an @enumeration value or a fluent with such values");
    arguments.push_back(expression());
  } while (tokens_.accept(","));
  tokens_.expect(")", ", or");
  RddlExpression whole = make(Operation::fluent, token.place, std::move(arguments));
  whole.name = result.name;
  whole.primed = result.primed;
  return whole;
}

RddlExpression ExpressionReader::bracketed(std::string_view what) {
  const bool square = tokens_.at_symbol("[");
  tokens_.expect(square ? "[" : "(", what);
  RddlExpression result = expression();
  tokens_.expect(square ? "]" : ")", "an operator or");
  return result;
}

std::vector<RddlExpression> ExpressionReader::call_operands() {
  const bool square = tokens_.accept("[");
  if (!square) tokens_.expect("(", "after the name of a function");
  std::vector<RddlExpression> operands;
  do operands.push_back(expression());
  while (tokens_.accept(","));
  tokens_.expect(square ? "]" : ")", ", or");
  return operands;
}

RddlExpression ExpressionReader::function_call(const Function& function, const SourcePlace& place) {
  std::vector<RddlExpression> operands = call_operands();
  need_operands(function.name, operands.size(), function.least, function.most, place);
  return make(function.operation, place, std::move(operands));
}

RddlExpression ExpressionReader::math_call(const MathFunctionEntry& function, const SourcePlace& place) {
  std::vector<RddlExpression> operands = call_operands();
  need_operands(function.name, operands.size(), function.operands, function.operands, place);
  RddlExpression result = make(Operation::math, place, std::move(operands));
  result.function = function.function;
  return result;
}

RddlExpression ExpressionReader::random_call(const DistributionEntry& distribution,
                                             const SourcePlace& place) {
  if (distribution.parameters == 0) return discrete_call(distribution.distribution, place);
  std::vector<RddlExpression> operands = call_operands();
  need_operands(distribution.name, operands.size(), distribution.parameters, distribution.parameters, place);
  RddlExpression result = make(Operation::random, place, std::move(operands));
  result.distribution = distribution.distribution;
  return result;
}

// Discrete(type, @a : 0.5, @b : 0.3, @c : otherwise), where otherwise is the remaining probability.
RddlExpression ExpressionReader::discrete_call(Distribution distribution, const SourcePlace& place) {
  const bool square = tokens_.accept("[");
  if (!square) tokens_.expect("(", "after the distribution");
  const std::string type = tokens_.expect_name("the name of a type");
  std::vector<RddlExpression> operands;
  bool rest = false;
  while (!rest && tokens_.accept(",")) {
    operands.push_back(literal());
    tokens_.expect(":", "after a value");
    const SourcePlace start = tokens_.place();
    rest = tokens_.accept_name("otherwise");
    if (!rest) {
      operands.push_back(expression());
      continue;
    }
    RddlExpression one;
    one.place = start;
    one.number = exact_number(1);
    one.type.kind = ValueKind::integer;
    std::vector<RddlExpression> left = {one};
    for (std::size_t i = 1; i < operands.size(); i += 2)
      left.push_back(make(Operation::negate, start, operands[i]));
    operands.push_back(make(Operation::add, start, std::move(left)));
  }
  tokens_.expect(square ? "]" : ")", ", or");
  if (operands.empty()) throw RddlError(place, "a discrete distribution without values");
  RddlExpression result = make(Operation::random, place, std::move(operands));
  result.distribution = distribution;
  result.name = type;
  return result;
}

// cholesky[row=?r, col=?c][m(?r, ?c)]: the entry of the factor L of m = L L^T in that row and column.
RddlExpression ExpressionReader::cholesky_call(const SourcePlace& place) {
  tokens_.expect("[", "after 'cholesky'");
  std::vector<BoundVariable> bound;
  for (const std::string_view key : {"row", "col"}) {
    if (!bound.empty()) tokens_.expect(",", "after the row");
    if (!tokens_.accept_name(key)) tokens_.fail_expected(fmt::format("'{} = ?variable'", key));
    tokens_.expect("=", "before a variable");
    BoundVariable& variable = bound.emplace_back();
    variable.place = tokens_.place();
    if (tokens_.peek().kind != TokenKind::variable) tokens_.fail_expected("a ?variable");
    variable.name = tokens_.take().text;
  }
  tokens_.expect("]", "after the column");
  RddlExpression result = make(Operation::cholesky, place, bracketed("after row and column"));
  result.bound = std::move(bound);
  return result;
}

BoundVariable ExpressionReader::bound_variable() {
  BoundVariable variable;
  variable.place = tokens_.place();
  if (tokens_.peek().kind != TokenKind::variable) tokens_.fail_expected("a ?variable");
  variable.name = tokens_.take().text;
  tokens_.expect(":", "before the type of a variable");
  variable.type_place = tokens_.place();
  variable.type_name = tokens_.expect_name("the name of a type");
  return variable;
}

RddlExpression ExpressionReader::aggregation(const Aggregate& aggregate) {
  const SourcePlace place = tokens_.place();
  tokens_.take();
  tokens_.expect("{", "before the variables of a quantifier");
  std::vector<BoundVariable> bound;
  do bound.push_back(bound_variable());
  while (tokens_.accept(","));
  tokens_.expect("}", ", or");
  const bool names_one = aggregate.operation == Operation::random ||
                         aggregate.operation == Operation::argument_of_minimum ||
                         aggregate.operation == Operation::argument_of_maximum;
  if (names_one && bound.size() > 1)
    throw RddlError(bound[1].place,
                    fmt::format("'{}' gives one object, expected one variable", aggregate.name));
  RddlExpression result = make(Operation::aggregate, place, expression());
  result.aggregated = aggregate.operation;
  result.distribution = aggregate.distribution;
  result.bound = std::move(bound);
  return result;
}

}  // namespace bnnplan::rddl
