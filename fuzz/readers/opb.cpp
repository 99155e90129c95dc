// OPB files. If small, an accepted formula has the optimum that trying every assignment finds.
#include <optional>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "fuzz_target.hpp"
#include "support/brute_force.hpp"

namespace bnnplan::fuzz {

void try_opb(std::string_view input) {
  const checking::PbFormula formula = checking::parse_opb(input, "f.opb");
  if (formula.variables > 10 || formula.constraints.size() > 60) return;
  std::optional<std::int64_t> least;
  engines::PbOutcome outcome;
  try {
    least = testing::brute_force_value(formula);
    outcome = engines::solve_pseudo_boolean(formula);
  } catch (const OverflowError&) {
    return;
  }
  require(outcome.value.has_value() == least.has_value(), "pb decides whether there is a solution");
  require(!formula.has_objective || outcome.value == least, "pb finds the optimum");
}

}  // namespace bnnplan::fuzz
