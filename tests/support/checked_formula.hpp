#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/model/pb_formula.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::testing {

// A formula as the solver has it, row by row as one of the checker.
inline checking::PbFormula checked_formula(const model::PbFormula& formula) {
  checking::PbFormula result;
  result.variables = formula.variables;
  result.has_objective = formula.has_objective;
  for (const auto& [coefficient, literal] : formula.objective)
    result.objective.push_back({coefficient, literal});
  for (const model::AtLeastRow& row : formula.constraints) {
    checking::PbConstraint& constraint = result.constraints.emplace_back();
    for (const auto& [coefficient, literal] : row.terms) constraint.terms.push_back({coefficient, literal});
    constraint.bound = row.bound;
  }
  return result;
}

// A model as `encode --to opb` writes it. cost = value of its objective + offset.
struct CheckedModel {
  checking::PbFormula formula;
  std::int64_t offset = 0;
};
inline CheckedModel checked_formula(const model::ZeroOneModel& model) {
  model::PbFormula formula;
  formula.variables = model.layout.variable_count();
  const model::PlainObjective objective = model::plain_objective(model);
  for (const auto& [coefficient, variable] : objective.terms)
    formula.objective.push_back({coefficient, Lit::positive(variable)});
  formula.has_objective = !objective.terms.empty();
  model::for_each_plain_row(model, [&](const model::PlainRow& row) {
    LinearRow linear{{}, row.comparison, row.bound};
    for (const auto& [coefficient, variable] : row.terms)
      linear.terms.push_back({coefficient, Lit::positive(variable)});
    for (const model::AtLeastRow& half : model::at_least_rows(linear)) formula.constraints.push_back(half);
  });
  return {checked_formula(formula), objective.offset};
}

// As text, to compare and to be shown.
inline std::string formula_text(const checking::PbFormula& formula) {
  std::string text = std::to_string(formula.variables) + " variables\n";
  const auto add = [&](const std::vector<checking::PbConstraint::Term>& terms) {
    for (const auto& [coefficient, literal] : terms)
      text += std::to_string(coefficient) + (literal.negated() ? " ~x" : " x") +
              std::to_string(literal.var().index + 1) + " ";
  };
  if (formula.has_objective) {
    text += "min: ";
    add(formula.objective);
    text += ";\n";
  }
  for (const checking::PbConstraint& constraint : formula.constraints) {
    add(constraint.terms);
    text += ">= " + std::to_string(constraint.bound) + " ;\n";
  }
  return text;
}

}  // namespace bnnplan::testing
