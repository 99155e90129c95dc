#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/language/task.hpp"

namespace bnnplan::rddl {

// The position of an expression determines which fluents it may use.
struct ExpressionPosition {
  std::string_view name;
  bool action = false, intermediate = false, next = false;
};

// Checks all expressions of a task. Names are resolved in type_check.cpp; the rules for operators and
// functions are in type_rules.cpp.
class TypeChecker {
 public:
  explicit TypeChecker(RddlTask& task) : task_(task) {}

  void run();

 private:
  using Position = ExpressionPosition;

  struct ScopedVariable {
    std::string name;
    std::uint32_t type;
  };

  static std::string parentheses_hint(const RddlExpression& found);
  [[noreturn]] void wrong(const RddlExpression& found, std::string_view what,
                          std::string_view expected) const;
  void definition(const Fluent& fluent, RddlDefinition& definition);
  void condition(RddlExpression& expression, const Position& position);
  void check(const RddlAssignment& assignment, FluentRole role) const;
  const Fluent& find_fluent(const std::string& name, const SourcePlace& place) const;
  ObjectReference find_object(const std::string& name, const SourcePlace& place) const;
  std::uint32_t find_type(const std::string& name, const SourcePlace& place) const;
  [[noreturn]] void wrong_argument(const Fluent& fluent, std::size_t index, std::string_view shown,
                                   std::uint32_t given, const SourcePlace& place) const;
  void bind(const std::string& name, const SourcePlace& place, std::uint32_t type);
  void check(RddlExpression& expression, const Position& position);
  void symbol(RddlExpression& expression) const;
  std::uint32_t find_parameter(const std::string& name, const SourcePlace& place) const;
  void fluent(RddlExpression& expression, const Position& position);
  void aggregate(RddlExpression& expression, const Position& position);
  void cholesky(RddlExpression& expression, const Position& position);

  void need_boolean(const RddlExpression& operand, std::string_view of) const;
  void need_numbers(const RddlExpression& expression, std::string_view of) const;
  void need_integers(const RddlExpression& expression, std::string_view of) const;
  void need_comparable(const RddlExpression& a, const RddlExpression& b) const;
  ValueType join(const ValueType& a, const RddlExpression& b) const;
  void combine(RddlExpression& expression) const;
  void selection(RddlExpression& expression) const;
  void random(RddlExpression& expression) const;
  void aggregated(RddlExpression& expression) const;

  RddlTask& task_;
  std::vector<ScopedVariable> scope_;
};

bool is_number(const ValueType& type);                        // or Boolean, which is 0 or 1
ValueType number_of(std::initializer_list<ValueType> types);  // real if one is, else an integer

}  // namespace bnnplan::rddl
