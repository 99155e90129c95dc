// Estimates of the cost to go: below the truth and consistent, by trying everything on small problems; and
// the search that uses them.
#include "bnnplan/engines/search/cost_estimate.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/projection.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

// Puts another problem beside the first: a state is one of each.
void join(Problem& problem, const Problem& other) {
  const std::uint32_t first[] = {problem.action.bit_count(), problem.state.bit_count(),
                                 problem.auxiliary.bit_count(), problem.state.bit_count()};
  const auto add_variables = [](VariableList& list, const VariableList& more) {
    for (Variable variable : more.variables) {
      variable.name += "_";
      list.add(variable);
    }
  };
  const auto moved = [&](std::vector<Term> terms) {
    for (Term& term : terms) term.bit.index += first[static_cast<std::size_t>(term.bit.place)];
    return terms;
  };
  const auto add_rows = [&](std::vector<LinearConstraint>& rows, const std::vector<LinearConstraint>& more) {
    for (const LinearConstraint& row : more)
      rows.push_back({moved(row.terms), row.comparison, row.bound, {}});
  };
  add_variables(problem.action, other.action);
  add_variables(problem.state, other.state);
  add_variables(problem.auxiliary, other.auxiliary);
  problem.initial.insert(problem.initial.end(), other.initial.begin(), other.initial.end());
  add_rows(problem.constraints, other.constraints);
  add_rows(problem.transitions, other.transitions);
  add_rows(problem.goal, other.goal);
  for (const Term& term : moved(other.objective.terms)) problem.objective.terms.push_back(term);
}

// Two or three small problems that have nothing to do with each other, or only a limit on their actions.
Problem joined_problem(std::uint64_t seed) {
  std::uint64_t number = 1000 * seed;
  const auto part = [&] {
    while (true) {
      Problem problem = testing::random_problem(
          ++number, {.most_state_bits = 2, .most_action_bits = 1, .most_auxiliary_bits = 1});
      if (problem.network || problem.objective.terms.empty()) continue;
      if (number % 3 != 0) problem.goal.clear();  // or there is hardly a plan for all parts
      return problem;
    }
  };
  Problem problem = part();
  problem.refused.clear();
  problem.objective.decimals = 0;
  problem.objective.discount = {1, 0};
  problem.objective.discount_digits = 0;
  for (std::uint64_t i = 0; i < 1 + seed % 2; ++i) join(problem, part());
  if (seed % 3 != 0 && problem.action.bit_count() > 0) {
    LinearConstraint limit{{}, seed % 3 == 1 ? Comparison::at_most : Comparison::at_least, 1, {}};
    for (std::uint32_t i = 0; i < problem.action.bit_count(); ++i)
      limit.terms.push_back({1, {Place::action, i}});
    problem.constraints.push_back(limit);
  }
  problem.horizon = 1 + static_cast<int>(seed % 4);
  return problem;
}

struct Step {
  std::uint64_t from, to;
  std::int64_t cost;
};

BitValues bits_of(std::uint64_t value, std::uint32_t count) {
  BitValues bits(count);
  for (std::uint32_t i = 0; i < count; ++i) bits[i] = static_cast<BitValue>(value >> i & 1);
  return bits;
}

// Every step there is, straight from the definition.
std::vector<Step> all_steps(const Problem& problem) {
  std::vector<Step> steps;
  const std::uint32_t n = problem.state.bit_count(), a = problem.action.bit_count(),
                      x = problem.auxiliary.bit_count();
  for (std::uint64_t all = 0; all < std::uint64_t{1} << (2 * n + a + x); ++all) {
    const std::uint64_t from = all & ((1u << n) - 1), to = all >> n & ((1u << n) - 1);
    const BitValues state = bits_of(from, n), next = bits_of(to, n), action = bits_of(all >> 2 * n, a),
                    auxiliary = bits_of(all >> (2 * n + a), x);
    const StepValues values{action, state, auxiliary, next};
    const auto holds_here = [&](const LinearConstraint& row) { return holds(row, values); };
    if (std::all_of(problem.constraints.begin(), problem.constraints.end(), holds_here) &&
        std::all_of(problem.transitions.begin(), problem.transitions.end(), holds_here)) {
      steps.push_back({from, to, evaluate(problem.objective.terms, values)});
    }
  }
  return steps;
}

constexpr std::int64_t infinite = CostEstimate::infinite;

TEST(CostEstimate, IsBelowTheTruthAndConsistent) {
  int estimated = 0, exact = 0, positive = 0, dead_ends = 0, shifted = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = joined_problem(seed);
    if (seed % 60 == 0) problem.horizon = 300;  // more than layers are kept
    const bool weighed = seed % 6 == 1;
    if (weighed) problem.objective.discount = {75, -2};
    EngineRequest request;
    SearchRun run(problem, request);
    if (!run.begin() || run.estimate->empty()) continue;
    ++estimated;
    const CostEstimate& estimate = *run.estimate;
    const std::int64_t least_step = run.actions[0].cost + run.packed.least_next_cost;
    std::int64_t negative = 0;
    for (const Term& term : problem.objective.terms) negative += std::min<std::int64_t>(0, term.coefficient);
    shifted += least_step > negative ? 1 : 0;
    std::vector<Step> steps = all_steps(problem);
    for (Step& step : steps) step.cost -= least_step;
    const std::size_t states = std::size_t{1} << problem.state.bit_count();
    std::vector<std::int64_t> truth(states), before;
    for (std::uint64_t state = 0; state < states; ++state) {
      const BitValues bits = bits_of(state, problem.state.bit_count());
      const bool goal =
          std::all_of(problem.goal.begin(), problem.goal.end(), [&](const LinearConstraint& row) {
            return holds(row, {{}, bits, {}, {}});
          });
      truth[state] = goal ? 0 : infinite;
    }
    std::vector<std::int64_t> least_truth = truth;
    for (std::uint32_t k = 0; k <= static_cast<std::uint32_t>(problem.horizon); ++k) {
      if (k > 0) {
        before = truth;
        std::fill(truth.begin(), truth.end(), infinite);
        const std::int64_t weight = run.weights.of(problem.horizon - static_cast<int>(k) + 1);
        for (const Step& step : steps) {
          ASSERT_GE(step.cost, 0);
          const std::int64_t cost = weight * step.cost;
          if (before[step.to] < infinite) {
            truth[step.from] = std::min(truth[step.from], cost + before[step.to]);
          }
          const auto consistent = [&](std::int64_t here, std::int64_t there) {
            return there >= infinite || here <= cost + there;
          };
          ASSERT_TRUE(consistent(estimate.of_steps(&step.from, k), estimate.of_steps(&step.to, k - 1)));
          if (weighed) continue;  // and so nothing waits
          ASSERT_TRUE(consistent(estimate.of_at_most(&step.from, k), estimate.of_at_most(&step.to, k - 1)));
          if (step.from == step.to && step.cost == 0) {  // it waits
            ASSERT_EQ(estimate.of_at_most(&step.from, k), estimate.of_steps(&step.from, k));
          }
        }
      }
      for (std::uint64_t state = 0; state < states; ++state) {
        const std::int64_t value = estimate.of_steps(&state, k);
        ASSERT_LE(value, truth[state]);
        ASSERT_GE(value, 0);
        exact += value == truth[state] && value < infinite ? 1 : 0;
        positive += value > 0 && value < infinite ? 1 : 0;
        dead_ends += value == infinite ? 1 : 0;
        if (weighed) continue;
        least_truth[state] = std::min(least_truth[state], truth[state]);
        ASSERT_LE(estimate.of_at_most(&state, k), least_truth[state]);
        ASSERT_LE(estimate.of_at_most(&state, k), value);
      }
    }
  }
  EXPECT_GE(estimated, 300);
  EXPECT_GE(exact, 1000);
  EXPECT_GE(positive, 1000);
  EXPECT_GE(dead_ends, 1000);
  EXPECT_GE(shifted, 30);
}

TEST(CostEstimate, SearchWithItAgreesWithBruteForce) {
  int estimated = 0, feasible = 0, discounted = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = joined_problem(seed);
    if (problem.auxiliary.bit_count() + problem.action.bit_count() + problem.state.bit_count() > 10) continue;
    if (seed % 4 == 0) testing::refuse_prefixes(problem, seed);
    if (seed % 7 == 0) problem.horizon = 30 + static_cast<int>(seed % 10);
    if (seed % 5 == 0 && !problem.objective.text.empty()) {
      problem.objective.discount = {9, -1};
      problem.objective.discount_digits = 4;
    }
    const auto best = testing::brute_force_cost(problem);
    EngineRequest request;
    request.limits.threads = seed % 3 == 0 ? 2 : 1;
    const Outcome outcome = run_checked(*find_engine("search"), problem, request);
    ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible);
    ASSERT_EQ(outcome.cost, best);
    ASSERT_EQ(outcome.lower_bound, best);
    request.first = true;
    const Outcome first = run_checked(*find_engine("search"), problem, request);
    ASSERT_EQ(first.status, best ? Status::feasible : Status::infeasible);
    const auto estimates = std::find_if(outcome.statistics.begin(), outcome.statistics.end(),
                                        [](const auto& entry) { return entry.first == "estimates"; });
    estimated += std::get<std::int64_t>(estimates->second) > 0 ? 1 : 0;
    discounted +=
        std::get<std::int64_t>(estimates->second) > 0 && problem.objective.discount_digits > 0 ? 1 : 0;
    feasible += best ? 1 : 0;
  }
  EXPECT_GE(estimated, 300);
  EXPECT_GE(feasible, 300);
  EXPECT_GE(discounted, 50);
}

// Three machines of two bits; the third one's goal needs both bits, and one action is shared.
TEST(Projections, FindIndependentParts) {
  const Problem problem = parse_problem(R"(horizon = 5
minimize = "a0 + a1 + 2 a2"
goal = ["u0 == 1", "u1 == 1", "u2 + v2 == 2"]
constraints = ["a0 + a1 + a2 <= 2"]
transitions = ["u0' == a0", "v0' == u0", "u1' >= a1", "u1' >= u1", "u1' <= a1 + u1", "v1' == u1", "u2' == v2", "v2' == a2"]
[state]
u0 = "bool"
v0 = "bool"
u1 = "bool"
v1 = "bool"
u2 = "bool"
v2 = "bool"
[action]
a0 = "bool"
a1 = "bool"
a2 = "bool")",
                                        "parts.toml", ".");
  const auto projections = find_projections(problem);
  ASSERT_EQ(projections.size(), 3u);
  EXPECT_EQ(projections[0].state, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(projections[1].state, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(projections[2].state, (std::vector<std::uint32_t>{4, 5}));
  for (const Projection& projection : projections) {
    EXPECT_EQ(projection.problem.action.bit_count(), 1u);
    EXPECT_EQ(projection.problem.objective.terms.size(), 1u);
    EXPECT_TRUE(projection.problem.constraints.empty()) << "one of three is never more than two";
  }
  const PackedProblem packed(problem);
  const CostEstimate estimate(packed, 0);
  const std::uint64_t nothing = 0, second = 4;
  EXPECT_EQ(estimate.of_steps(&nothing, 5), 1 + 1 + 4);
  EXPECT_EQ(estimate.of_steps(&second, 5), 1 + 0 + 4);
  EXPECT_EQ(estimate.of_steps(&nothing, 1), infinite);
}

TEST(Projections, NothingOfANetworkAndNothingLarge) {
  EXPECT_TRUE(find_projections(testing::random_network_problem(1, {})).empty());
  EXPECT_TRUE(find_projections(testing::ring_problem(40, 3)).empty());
}

TEST(CostEstimate, TheFrontierIsSolvedAtOnce) {
  BNNPLAN_NEEDS_FRONTIER();
  struct Known {
    const char* name;
    std::int64_t cost;
  };
  for (const Known& known :
       {Known{"sys_6", 6}, {"sys_10", 10}, {"sys_12", 12}, {"inv_6", 110}, {"inv_8", 150}, {"cel_10", 18}}) {
    SCOPED_TRACE(known.name);
    const Problem problem = read_problem(testing::frontier_folder() / fmt::format("{}.toml", known.name));
    EngineRequest request;
    request.limits.seconds = 100;
    const Outcome outcome = run_checked(*find_engine("search"), problem, request);
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, known.cost);
  }
}

}  // namespace
}  // namespace bnnplan::engines
