// Constraints of a compiled problem are built as the text that appears in its file and read back by the same
// parser as that file, so there is one normal form.
#include "bnnplan/rddl/compile/problem_writer.hpp"

#include <numeric>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/problem/name_table.hpp"

namespace bnnplan::rddl {

LinearForm without_fractions(const LinearForm& form) {
  std::int64_t common = form.constant.denominator;
  const auto include = [&](std::int64_t denominator) {
    common = checked_multiply(common, denominator / std::gcd(common, denominator));
  };
  for (const auto& [slot, coefficient] : form.terms) include(coefficient.denominator);
  return form * make_rational(common);
}

std::string ProblemWriter::slot_text(std::uint32_t slot) const {
  const SlotVariable& found = variable(slot);
  return fmt::format("{}{}", name_in_expression(found.name), found.next ? "'" : "");
}

std::string ProblemWriter::bit_text(std::uint32_t slot, int bit) const {
  const SlotVariable& found = variable(slot);
  if (found.boolean) return slot_text(slot);
  return fmt::format("{}{}", name_in_expression(fmt::format("{}.{}", found.name, bit)),
                     found.next ? "'" : "");
}

std::string ProblemWriter::sum_text(const LinearForm& form) const {
  std::string text;
  const auto append = [&](const Rational& number, const std::string& name) {
    const bool negative = number < Rational{};
    const Rational magnitude = negative ? Rational{} - number : number;
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (name.empty()) {
      text += to_string(magnitude);
    } else if (magnitude == make_rational(1)) {
      text += name;
    } else {
      text += fmt::format("{} {}", to_string(magnitude), name);
    }
  };
  for (const auto& [slot, coefficient] : form.terms)
    append(coefficient * make_rational(checked_power_of_ten(-variable(slot).scale)), slot_text(slot));
  if (form.constant != Rational{} || text.empty()) append(form.constant, "");
  return text;
}

void ProblemWriter::comparison(Section section, const LinearComparison& comparison) {
  LinearForm left = without_fractions(comparison.form);
  if (left.terms.empty()) {
    const bool holds = comparison.comparison == FormComparison::zero         ? left.constant == Rational{}
                       : comparison.comparison == FormComparison::below_zero ? left.constant < Rational{}
                                                                             : left.constant <= Rational{};
    if (!holds) falsity(section);
    return;
  }
  // The constant on the right, and the first term positive: the way people write it.
  const bool turned = left.terms.begin()->second < Rational{};
  if (turned) left = left * make_rational(-1);
  const Rational right = Rational{} - left.constant;
  left.constant = {};
  const std::string_view sign = comparison.comparison == FormComparison::zero ? "=="
                                : comparison.comparison == FormComparison::at_most_zero
                                    ? (turned ? ">=" : "<=")
                                    : (turned ? ">" : "<");
  add(section, fmt::format("{} {} {}", sum_text(left), sign, to_string(right)));
}

void ProblemWriter::equation(Section section, std::uint32_t target, const LinearForm& form) {
  if (variable(target).scale == 0)
    return add(section, fmt::format("{} == {}", slot_text(target), sum_text(form)));
  LinearForm difference = form;
  difference.add({{{target, make_rational(1)}}, {}}, make_rational(-1));
  comparison(section, {difference, FormComparison::zero});
}

void ProblemWriter::clause(Section section, const std::vector<Literal>& literals) {
  if (literals.empty()) return falsity(section);
  if (literals.size() == 1) {
    const auto& [bit, positive] = literals.front();
    return add(section, fmt::format("{} == {}", bit_text(bit.first, bit.second), positive ? 1 : 0));
  }
  std::string text;
  for (const auto& [bit, positive] : literals) {
    text += fmt::format("{}{}{}", text.empty() ? "" : " + ", positive ? "" : "~",
                        bit_text(bit.first, bit.second));
  }
  add(section, fmt::format("{} >= 1", text));
}

std::vector<ProblemWriter::Literal> ProblemWriter::excluding(const Tabulation& table,
                                                             const Cube& cube) const {
  std::vector<Literal> literals;
  for (const TableVariable& input : table.variables) {
    for (int b = 0; b < input.bits; ++b) {
      const std::uint32_t bit = 1u << (input.first + b);
      if ((cube.mask & bit) != 0) literals.push_back({{input.slot, b}, (cube.values & bit) == 0});
    }
  }
  return literals;
}

void ProblemWriter::add(Section section, std::string text) {
  if (seen_.insert({section, text}).second) texts_.emplace_back(section, std::move(text));
}

void ProblemWriter::finish(Problem& problem) const {
  const NameTable names(problem);
  for (const auto& [section, text] : texts_) {
    const auto [scope, list] = section == Section::constraints ? std::pair(Scope::step, &problem.constraints)
                               : section == Section::transitions
                                   ? std::pair(Scope::transition, &problem.transitions)
                                   : std::pair(Scope::goal, &problem.goal);
    try {
      list->push_back(parse_constraint(text, problem, names, scope));
    } catch (const ExpressionError& error) {
      throw InputError(fmt::format("{} (in \"{}\")", error.what(), printable(text)));
    }
  }
}

}  // namespace bnnplan::rddl
