// The bound on the objective over all assignments, as a totalizer and as an adder; and the objective itself.
// The incremental totalizer is in core_oracle_test.cpp.
#include <gtest/gtest.h>

#include "bnnplan/maxsat/cost_function.hpp"
#include "bnnplan/maxsat/objective_bound.hpp"
#include "bnnplan/maxsat/sat_solver.hpp"
#include "oracle_inputs.hpp"

namespace bnnplan::maxsat {
namespace {

using testing::fixed_inputs;
using testing::new_inputs;

void expect_bound(const std::vector<formats::Weight>& weights, formats::Weight unit, bool adder) {
  formats::Weight sum = 0;
  for (const formats::Weight weight : weights) sum += weight;
  LimitWatch watch({});
  SatSolver sat(watch, 0);
  const std::vector<Lit> inputs = new_inputs(sat, weights.size());
  std::vector<CostTerm> terms;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    terms.push_back({inputs[i], weights[i]});
  }
  const formats::Weight limit = sum + 1;
  ObjectiveBound bound(terms, limit, sat);
  EXPECT_EQ(bound.uses_adder(), adder);
  const unsigned assignments = 1u << std::min<std::size_t>(weights.size(), 6);
  for (formats::Weight largest = sum;; largest -= unit) {
    bound.restrict(largest, sat);
    for (unsigned bits = 0; bits < assignments; ++bits) {
      formats::Weight value = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) value += (bits >> i & 1u) != 0 ? weights[i] : 0;
      EXPECT_EQ(sat.solve(fixed_inputs(inputs, bits)),
                value <= largest ? SatAnswer::satisfiable : SatAnswer::unsatisfiable)
          << largest << " " << bits;
    }
    if (largest < unit) return;
  }
}

TEST(ObjectiveBound, HoldsForAllAssignments) {
  expect_bound({}, 1, false);
  expect_bound({5}, 1, false);
  expect_bound({1, 1, 1, 1, 1}, 1, false);
  expect_bound({1, 2, 3, 5, 8, 8}, 1, false);
}

TEST(ObjectiveBound, AddsWhereSumsAreTooMany) {
  // Powers of two: every subset has a sum of its own, 2^26 of them.
  std::vector<formats::Weight> weights;
  for (int i = 0; i < 26; ++i) weights.push_back(formats::Weight{1} << i);
  formats::Weight sum = (formats::Weight{1} << 26) - 1;
  expect_bound(weights, sum / 3, true);
  // The largest sum there may be.
  weights.clear();
  for (int i = 0; i < 26; ++i) weights.push_back((formats::Weight{1} << 58) + (formats::Weight{1} << i));
  expect_bound(weights, formats::Weight{1} << 60, true);
  weights.clear();
  for (int i = 0; i < 26; ++i) weights.push_back((formats::Weight{1} << 59) + (formats::Weight{1} << i));
  weights.push_back(formats::largest_weight_sum - 26 * (formats::Weight{1} << 59) -
                    (formats::Weight{1} << 26) + 1);
  expect_bound(weights, formats::Weight{1} << 61, true);
  // The highest bit.
  weights = {formats::Weight{1} << 63};
  for (int i = 0; i < 26; ++i) weights.push_back(formats::Weight{1} << i);
  expect_bound(weights, formats::Weight{1} << 62, true);
}

TEST(ObjectiveBound, AffordsOnlyWhatIsBelowTheLimit) {
  LimitWatch watch({});
  SatSolver sat(watch, 0);
  const std::vector<Lit> inputs = new_inputs(sat, 3);
  ObjectiveBound bound({{inputs[0], 9}, {inputs[1], 2}, {inputs[2], 3}}, 5, sat);
  bound.restrict(4, sat);
  for (unsigned bits = 0; bits < 8; ++bits) {
    EXPECT_EQ(sat.solve(fixed_inputs(inputs, bits)),
              bits == 0 || bits == 2 || bits == 4 ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
  }
}

TEST(CostFunction, PaysWhatOppositeLiteralsShare) {
  const Lit x = Lit::positive({0});
  CostFunction objective;
  objective.add(x, 5);
  objective.add(~x, 3);
  objective.add(x, 1);
  EXPECT_EQ(objective.constant(), 3u);
  EXPECT_EQ(objective.weight(x), 3u);
  EXPECT_EQ(objective.weight(~x), 0u);
  objective.reduce(x, 3);
  objective.add(~x, 2);
  EXPECT_EQ(objective.constant(), 3u);
  EXPECT_EQ(objective.weight(~x), 2u);
}

}  // namespace
}  // namespace bnnplan::maxsat
