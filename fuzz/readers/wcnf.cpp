// WCNF and CNF files. An accepted formula reads back the same from its text, and, if small, has the same
// optimum by the maxsat engine and by trying every assignment. The checker's own reader reads the same
// formula.
#include <algorithm>

#include "bnnplan/check/wcnf_formula.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "fuzz_target.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::fuzz {

namespace {

bool same(const formats::ClauseList& a, const formats::ClauseList& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!std::equal(a[i].begin(), a[i].end(), b[i].begin(), b[i].end())) return false;
  return true;
}

// Nothing if there are more or heavier clauses than proofs support.
std::optional<checking::WcnfFormula> for_the_checker(std::string_view input) {
  try {
    return checking::parse_wcnf_formula(input, "f.wcnf");
  } catch (const checking::UnsupportedFormula&) {
    return std::nullopt;
  }
}

}  // namespace

void try_wcnf(std::string_view input) {
  const formats::Wcnf formula = formats::parse_wcnf(input, "f.wcnf");
  const formats::Wcnf again =
      formats::parse_wcnf(testing::wcnf_text(formula, testing::WcnfFormat::modern), "again");
  require(same(formula.hard, again.hard) && same(formula.soft, again.soft) &&
              formula.weights == again.weights && formula.weight_sum == again.weight_sum,
          "a formula reads back the same");
  if (formula.variables > 10 || formula.hard.size() + formula.soft.size() > 60) return;
  const maxsat::MaxSatOutcome outcome = maxsat::solve_maxsat(formula);
  const std::optional<formats::Weight> least = testing::brute_force_cost(formula);
  require(outcome.cost == least, "maxsat finds the optimum");
  const auto checked = for_the_checker(input);
  if (!checked || checked->formula.variables > 14) return;
  require(checked->file_variables == formula.variables, "both readers see the same variables");
  const auto value = testing::brute_force_value(checked->formula);
  require(value.has_value() == least.has_value() &&
              (!value || static_cast<formats::Weight>(*value + checked->offset) == *least),
          "the checker's reader reads the same formula");
}

}  // namespace bnnplan::fuzz
