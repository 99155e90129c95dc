// All strategies and settings find the same optimum on random problems; what they tell on the way is true, and
// so is every clause that solution-improving search learns.
#include "cdcl/optimise.hpp"

#include <set>

#include <gtest/gtest.h>

#include "cdcl/load_model.hpp"
#include "cdcl/memory_proof.hpp"
#include "check/model_check.hpp"
#include "check/model_formula.hpp"
#include "model/unroll.hpp"
#include "support/random_problem.hpp"

namespace bnnplan {
namespace {

struct Result {
  std::optional<std::int64_t> value;
  std::int64_t lower = 0;
  OptimiseEnd end = OptimiseEnd::stopped;
  std::size_t steps = 0, deleted = 0;  // of the proof
};

bool can_be_proved(const OptimiseOptions& options, std::optional<std::int64_t> known) {
  return options.strategy == OptimiseStrategy::improving && !known;
}

Result minimise(const ZeroOneModel& model, const OptimiseOptions& options, const SolverOptions& settings,
                std::optional<std::int64_t> known = {}) {
  LimitWatch watch{Limits{}};
  Solver solver(settings, watch);
  const ModelFormula formula = formula_of(model);
  std::optional<testing::MemoryProof> proof;
  if (can_be_proved(options, known)) solver.set_proof(&proof.emplace(formula.formula));
  load_model(model, solver);
  Result result;
  OptimiseEvents events;
  events.improved = [&](std::int64_t value) {
    if (result.value) {
      EXPECT_LT(value, *result.value);
    }
    BitValues values;
    for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v)
      values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
    const AssignmentCheck check = check_assignment(model, values);
    EXPECT_TRUE(check.accepted) << check.violation;
    EXPECT_EQ(check.objective, model.offset + value);
    result.value = value;
    if (proof) proof->add_solution(values, true);
  };
  events.raised = [&](std::int64_t lower) {
    EXPECT_GE(lower, result.lower);
    result.lower = lower;
  };
  if (known) events.known_upper = [&] { return *known; };
  result.end = optimise(solver, model.objective, options, events, watch);
  if (proof && result.value) {
    proof->conclude_optimal(model.offset + *result.value - formula.offset);
  } else if (proof) {
    proof->conclude_infeasible();
  }
  if (proof) {
    result.steps = proof->clauses().size();
    result.deleted = proof->deleted();
  }
  return result;
}

TEST(Optimise, StrategiesAgree) {
  int solved = 0, by_cores = 0;
  std::size_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const ZeroOneModel model = unroll(testing::random_problem(seed, {.most_state_bits = 6, .most_steps = 5}));
    const Result improving = minimise(model, {.strategy = OptimiseStrategy::improving}, {});
    steps += improving.steps;
    const Result cores = minimise(model, {.strategy = OptimiseStrategy::cores}, {.seed = seed});
    const Result lists =
        minimise(model, {.strategy = OptimiseStrategy::alternate},
                 {.order = DecisionOrder::activity, .restarts = RestartPolicy::luby, .dense = false});
    const Result turns = minimise(model, {.strategy = OptimiseStrategy::alternate, .first_turn = 4}, {});
    ASSERT_EQ(turns.value, improving.value);
    ASSERT_EQ(improving.end, OptimiseEnd::finished);
    ASSERT_EQ(cores.value, improving.value);
    ASSERT_EQ(lists.value, improving.value);
    if (!improving.value) continue;
    ++solved;
    // A core that was found below the value of a solution says nothing about what is above it.
    for (const Result* result : {&cores, &lists, &turns}) ASSERT_LE(result->lower, *result->value);
    by_cores += cores.lower == *cores.value && *cores.value > 0 ? 1 : 0;
    // Somebody else has the optimum: nothing better is found, and the bound reaches it.
    const Result told = minimise(model, {}, {}, *improving.value);
    EXPECT_FALSE(told.value);
    EXPECT_EQ(told.end, OptimiseEnd::finished);
    EXPECT_EQ(told.lower, *improving.value);
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(by_cores, 30);
  EXPECT_GT(steps, 3000u);
}

TEST(Optimise, EveryClauseFollowsWhateverTheSettings) {
  const ZeroOneModel model = unroll(testing::random_network_problem(
      1, {.state_bits = 10, .action_bits = 6, .goal_bits = 4, .horizon = 2, .hidden = {24, 24}}));
  std::set<std::optional<std::int64_t>> values;
  std::size_t steps = 0;
  for (const SolverOptions& settings :
       {SolverOptions{}, SolverOptions{.order = DecisionOrder::activity},
        SolverOptions{.order = DecisionOrder::activity, .decide_all = true},
        SolverOptions{.order = DecisionOrder::mixed, .states_only = false, .seed = 3},
        SolverOptions{.minimise = false, .early_reasons = false, .dense = false}}) {
    const Result result = minimise(model, {.strategy = OptimiseStrategy::improving}, settings);
    ASSERT_EQ(result.end, OptimiseEnd::finished);
    values.insert(result.value);
    steps += result.steps;
  }
  EXPECT_EQ(values.size(), 1u);
  EXPECT_GT(steps, 1000u);
}

// Long enough for clauses to be deleted, which a proof has to know.
TEST(Optimise, EveryClauseOfALongRunFollows) {
  const ZeroOneModel model = unroll(testing::random_network_problem(
      4, {.state_bits = 10, .action_bits = 8, .goal_bits = 7, .horizon = 2, .hidden = {24, 24}}));
  const Result result = minimise(model, {.strategy = OptimiseStrategy::improving}, {});
  EXPECT_EQ(result.end, OptimiseEnd::finished);
  EXPECT_EQ(result.value, 10);
  EXPECT_GT(result.steps, 5000u);
  EXPECT_GT(result.deleted, 100u);
}

// Six of eleven literals, weights 1 to 11, and each pair of neighbours: the counters of cores meet each
// other.
TEST(Optimise, CountersOfCoresInCoresOfTheirOwn) {
  for (const OptimiseStrategy strategy :
       {OptimiseStrategy::improving, OptimiseStrategy::cores, OptimiseStrategy::alternate}) {
    for (const bool weighted : {false, true}) {
      LimitWatch watch{Limits{}};
      Solver solver({}, watch);
      std::vector<WeightedLit> objective;
      std::vector<Var> order;
      LinearRow six{{}, Comparison::at_least, 6};
      for (int i = 0; i < 11; ++i) {
        order.push_back(solver.new_variable());
        objective.push_back({weighted ? i + 1 : 1, Lit::positive(order.back())});
        six.terms.push_back({1, Lit::positive(order.back())});
      }
      solver.set_decision_order(order);
      solver.add_row(six);
      for (std::size_t i = 0; i < 11; ++i)
        solver.add_clause({Lit::positive(order[i]), Lit::positive(order[(i + 1) % 11])});
      std::int64_t best = 0, lower = 0;
      OptimiseEvents events;
      events.improved = [&](std::int64_t value) { best = value; };
      events.raised = [&](std::int64_t raised) { lower = raised; };
      ASSERT_EQ(optimise(solver, objective, {.strategy = strategy, .first_turn = 8}, events, watch),
                OptimiseEnd::finished);
      // One of each pair of neighbours in a ring of 11 is 6 of them; lightest 1, 2, 4, 6, 8, 10.
      EXPECT_EQ(best, weighted ? 31 : 6);
      EXPECT_EQ(lower, best);
    }
  }
}

}  // namespace
}  // namespace bnnplan
