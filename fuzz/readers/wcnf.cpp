// WCNF and CNF files. What is accepted reads back the same from what we write, and, where it is small, has
// the same optimum by the maxsat engine and by trying every assignment.
#include <algorithm>

#include "formats/wcnf_reader.hpp"
#include "fuzz_target.hpp"
#include "maxsat/maxsat.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"

namespace bnnplan::fuzz {

namespace {

bool same(const ClauseList& a, const ClauseList& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!std::equal(a[i].begin(), a[i].end(), b[i].begin(), b[i].end())) return false;
  return true;
}

}  // namespace

void try_input(std::string_view input) {
  const Wcnf formula = parse_wcnf(input, "f.wcnf");
  const Wcnf again = parse_wcnf(testing::wcnf_text(formula, testing::WcnfFormat::modern), "again");
  require(same(formula.hard, again.hard) && same(formula.soft, again.soft) &&
              formula.weights == again.weights && formula.weight_sum == again.weight_sum,
          "a formula reads back the same");
  if (formula.variables > 10 || formula.hard.size() + formula.soft.size() > 60) return;
  const MaxSatOutcome outcome = solve_maxsat(formula);
  require(outcome.cost == testing::brute_force_cost(formula), "maxsat finds the optimum");
}

}  // namespace bnnplan::fuzz
