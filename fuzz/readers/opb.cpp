// OPB files. Both readers, the solver's and the checker's, read the same. If small, an accepted formula has
// the optimum that trying every assignment finds.
#include <algorithm>
#include <optional>
#include <string>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/formats/opb_reader.hpp"
#include "fuzz_target.hpp"
#include "support/brute_force.hpp"

namespace bnnplan::fuzz {

namespace {

template <class Function>
std::string refusal_of(const Function& function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool same(const model::PbFormula& ours, const checking::PbFormula& checked) {
  const auto same_terms = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
      return one.coefficient == other.coefficient && one.literal == other.literal;
    });
  };
  return ours.variables == checked.variables && ours.has_objective == checked.has_objective &&
         same_terms(ours.objective, checked.objective) &&
         std::equal(ours.constraints.begin(), ours.constraints.end(), checked.constraints.begin(),
                    checked.constraints.end(), [&](const auto& one, const auto& other) {
                      return one.bound == other.bound && same_terms(one.terms, other.terms);
                    });
}

}  // namespace

void try_opb(std::string_view input) {
  const std::string refusal = refusal_of([&] { (void)checking::parse_opb(input, "f.opb"); });
  require(refusal == refusal_of([&] { (void)formats::parse_opb(input, "f.opb"); }),
          "both readers refuse the same files");
  const model::PbFormula formula = formats::parse_opb(input, "f.opb");
  require(same(formula, checking::parse_opb(input, "f.opb")), "both readers read the same formula");
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
