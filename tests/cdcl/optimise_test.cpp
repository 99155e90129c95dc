// All strategies and settings find the same optimum on random problems; what they tell on the way is true,
// and so is every step of their proofs: clauses that are learned, counters, cores and what they add up to.
#include "bnnplan/cdcl/optimise.hpp"

#include <deque>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "bnnplan/cdcl/load_model.hpp"
#include "bnnplan/cdcl/proof_view.hpp"
#include "bnnplan/model/unroll.hpp"
#include "cdcl/memory_proof.hpp"
#include "support/checked_formula.hpp"
#include "support/model_check.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::cdcl {
namespace {

struct Result {
  std::optional<std::int64_t> value;
  std::int64_t lower = 0;
  OptimiseEnd end = OptimiseEnd::stopped;
  std::size_t steps = 0, deleted = 0, definitions = 0;  // of the proof
};

enum class Who { improving, cores, both };

// With the settings for the improving solver, or for the only one.
Result minimise(const model::ZeroOneModel& model, Who who, const OptimiseOptions& options,
                const SolverOptions& settings, std::optional<std::int64_t> known = {}) {
  LimitWatch watch{Limits{}};
  Solver first(settings, watch), second(SolverOptions{.cores = true, .seed = settings.seed}, watch);
  const testing::CheckedModel formula = testing::checked_formula(model);
  std::optional<testing::MemoryProof> proof;
  std::deque<ProofView> views;
  std::uint32_t proof_variables = model.layout.variable_count();
  if (!known) {
    proof.emplace(formula.formula);
    first.set_proof(&views.emplace_back(*proof, proof_variables, model.layout.variable_count()));
    if (who == Who::both)
      second.set_proof(&views.emplace_back(*proof, proof_variables, model.layout.variable_count()));
  }
  load_model(model, first);
  load_model(model, second);
  OptimiseSolvers solvers{&first, nullptr};
  if (who == Who::cores) solvers = {nullptr, &first};
  if (who == Who::both) solvers = {&first, &second};
  Result result;
  OptimiseEvents events;
  events.improved = [&](const Solver& solver, std::int64_t value) {
    if (result.value) {
      EXPECT_LT(value, *result.value);
    }
    BitValues values;
    for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v)
      values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
    const testing::AssignmentCheck check = testing::check_assignment(model, values);
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
  result.end = optimise(solvers, model.objective, options, events, watch);
  if (proof && result.value) {
    proof->conclude_optimal(model.offset + *result.value - formula.offset);
  } else if (proof) {
    proof->conclude_infeasible();
  }
  if (proof) {
    result.steps = proof->clauses().size();
    result.deleted = proof->deleted();
    result.definitions = proof->definitions();
  }
  return result;
}

TEST(Optimise, StrategiesAgree) {
  int solved = 0, by_cores = 0;
  std::size_t steps = 0, definitions = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const model::ZeroOneModel model =
        model::unroll(testing::random_problem(seed, {.most_state_bits = 6, .most_steps = 5}));
    const Result improving = minimise(model, Who::improving, {}, {});
    steps += improving.steps;
    const Result cores = minimise(model, Who::cores, {}, {.seed = seed});
    const Result lists = minimise(model, Who::both, {}, {.cores = true, .dense = false});
    const Result turns = minimise(model, Who::both, {.first_cores = 2, .first_turn = 4}, {});
    definitions += cores.definitions + lists.definitions;
    ASSERT_EQ(turns.value, improving.value);
    ASSERT_EQ(improving.end, OptimiseEnd::finished);
    ASSERT_EQ(cores.value, improving.value);
    ASSERT_EQ(lists.value, improving.value);
    if (!improving.value) continue;
    ++solved;
    // A core that was found below the value of a solution says nothing about what is above it.
    for (const Result* result : {&cores, &lists, &turns}) ASSERT_LE(result->lower, *result->value);
    by_cores += cores.lower == *cores.value && *cores.value > 0 ? 1 : 0;
    // Another engine has the optimum: nothing better is found, and the bound reaches it.
    const Result told = minimise(model, Who::both, {.first_turn = 4}, {}, *improving.value);
    EXPECT_FALSE(told.value);
    EXPECT_EQ(told.end, OptimiseEnd::finished);
    EXPECT_EQ(told.lower, *improving.value);
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(by_cores, 30);
  EXPECT_GT(steps, 3000u);
  EXPECT_GT(definitions, 10u);
}

TEST(Optimise, EveryClauseFollowsWhateverTheSettings) {
  const model::ZeroOneModel model = model::unroll(testing::random_network_problem(
      1, {.state_bits = 10, .action_bits = 6, .goal_bits = 4, .horizon = 2, .hidden = {24, 24}}));
  std::set<std::optional<std::int64_t>> values;
  std::size_t steps = 0;
  for (const SolverOptions& settings : {SolverOptions{}, SolverOptions{.cores = true},
                                        SolverOptions{.seed = 3}, SolverOptions{.dense = false}}) {
    const Result result = minimise(model, Who::improving, {}, settings);
    ASSERT_EQ(result.end, OptimiseEnd::finished);
    values.insert(result.value);
    steps += result.steps;
  }
  EXPECT_EQ(values.size(), 1u);
  EXPECT_GT(steps, 1000u);
}

// Long enough for clauses to be deleted, which a proof has to know.
TEST(Optimise, EveryClauseOfALongRunFollows) {
  const model::ZeroOneModel model = model::unroll(testing::random_network_problem(
      4, {.state_bits = 10, .action_bits = 8, .goal_bits = 7, .horizon = 2, .hidden = {24, 24}}));
  const Result result = minimise(model, Who::improving, {}, {});
  EXPECT_EQ(result.end, OptimiseEnd::finished);
  EXPECT_EQ(result.value, 10);
  EXPECT_GT(result.steps, 5000u);
  EXPECT_GT(result.deleted, 100u);
}

// Six of eleven literals, weights 1 to 11, and each pair of neighbours: the counters of cores meet each
// other.
TEST(Optimise, CountersOfCoresInCoresOfTheirOwn) {
  std::size_t definitions = 0;
  for (const Who who : {Who::improving, Who::cores, Who::both}) {
    for (const int round : {0, 1, 2, 3}) {
      const bool weighted = round % 2 != 0, proved = round >= 2;
      LimitWatch watch{Limits{}};
      Solver first({}, watch), second(SolverOptions{.cores = true}, watch);
      std::vector<WeightedLit> objective;
      checking::PbFormula formula;
      formula.variables = 11;
      formula.has_objective = true;
      std::vector<checking::PbConstraint::Term> all;
      for (std::uint32_t i = 0; i < 11; ++i) {
        formula.objective.push_back({weighted ? i + 1 : 1, Lit::positive({i})});
        all.push_back({1, Lit::positive({i})});
      }
      checking::add_constraint(formula, checking::normal_constraint(all, 6));
      for (std::size_t i = 0; i < 11; ++i)
        checking::add_constraint(formula, checking::normal_constraint({all[i], all[(i + 1) % 11]}, 1));
      testing::MemoryProof proof(formula);
      std::uint32_t proof_variables = 11;
      ProofView view(proof, proof_variables, proof_variables),
          other_view(proof, proof_variables, proof_variables);
      if (proved) first.set_proof(&view);
      if (proved) second.set_proof(&other_view);
      for (Solver* solver : {&first, &second}) {
        objective.clear();
        std::vector<Var> order;
        LinearRow six{{}, Comparison::at_least, 6};
        for (int i = 0; i < 11; ++i) {
          order.push_back(solver->new_variable());
          objective.push_back({weighted ? i + 1 : 1, Lit::positive(order.back())});
          six.terms.push_back({1, Lit::positive(order.back())});
        }
        solver->set_decision_order(order);
        solver->add_row(six);
        for (std::size_t i = 0; i < 11; ++i)
          solver->add_clause({Lit::positive(order[i]), Lit::positive(order[(i + 1) % 11])});
      }
      const OptimiseSolvers solvers{who == Who::cores ? nullptr : &first,
                                    who == Who::improving ? nullptr : &second};
      std::int64_t best = 0, lower = 0;
      OptimiseEvents events;
      events.improved = [&](const Solver& solver, std::int64_t value) {
        best = value;
        BitValues values;
        for (std::uint32_t v = 0; v < 11; ++v)
          values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
        if (proved) proof.add_solution(values, true);
      };
      events.raised = [&](std::int64_t raised) { lower = raised; };
      ASSERT_EQ(optimise(solvers, objective, {.first_cores = 8, .first_turn = 8}, events, watch),
                OptimiseEnd::finished);
      if (proved) proof.conclude_optimal(best);
      definitions += proof.definitions();
      // One of each pair of neighbours in a ring of 11 is 6 of them; lightest 1, 2, 4, 6, 8, 10.
      EXPECT_EQ(best, weighted ? 31 : 6);
      EXPECT_EQ(lower, best);
    }
  }
  EXPECT_GT(definitions, 10u);
}

// Random rows "at least k of these" with random weights: many cores, of all sizes, hardening and exhaustion.
struct Cover {
  static constexpr std::uint32_t variables = 10;
  checking::PbFormula formula;
  std::vector<LinearRow> rows;
  std::vector<WeightedLit> objective;
  std::optional<std::int64_t> least;  // by brute force

  void load(Solver& solver) const {
    for (std::uint32_t v = 0; v < variables; ++v) solver.new_variable();
    for (const LinearRow& row : rows) solver.add_row(row);
  }
};

Cover random_cover(std::mt19937& random, bool weighted) {
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  Cover cover;
  cover.formula.variables = Cover::variables;
  for (std::uint32_t v = 0; v < Cover::variables; ++v)
    cover.objective.push_back({weighted ? 1 + below(5) * below(5) : 1, Lit::positive({v})});
  for (std::int64_t count = 2 + below(8); count > 0; --count) {
    LinearRow row{{}, Comparison::at_least, 0};
    for (std::uint32_t v = 0; v < Cover::variables; ++v)
      if (below(2) == 0) row.terms.push_back({1, Lit::of({v}, below(6) == 0)});
    row.bound = 1 + below(static_cast<int>(row.terms.size()) / 2 + 1);
    std::vector<checking::PbConstraint::Term> terms;
    for (const auto& [coefficient, literal] : row.terms) terms.push_back({coefficient, literal});
    checking::add_constraint(cover.formula, checking::normal_constraint(terms, row.bound));
    cover.rows.push_back(row);
  }
  for (unsigned assignment = 0; assignment < 1u << Cover::variables; ++assignment) {
    const auto sum = [&](const auto& terms) {
      std::int64_t total = 0;
      for (const auto& term : terms)
        if (((assignment >> term.literal.var().index & 1) != 0) != term.literal.negated())
          total += term.coefficient;
      return total;
    };
    bool holds = true;
    for (const checking::PbConstraint& constraint : cover.formula.constraints)
      holds = holds && sum(constraint.terms) >= constraint.bound;
    if (holds && (!cover.least || sum(cover.objective) < *cover.least)) cover.least = sum(cover.objective);
  }
  return cover;
}

BitValues values_in(const Solver& solver) {
  BitValues values;
  for (std::uint32_t v = 0; v < Cover::variables; ++v)
    values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
  return values;
}

// The proof is looked at step by step, and the optimum is that of brute force.
TEST(Optimise, CoresOfRandomCoversAddUp) {
  std::mt19937 random(5);
  std::size_t definitions = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    Cover cover = random_cover(random, round % 2 != 0);
    cover.formula.has_objective = true;
    for (const auto& [weight, literal] : cover.objective)
      cover.formula.objective.push_back({weight, literal});
    LimitWatch watch{Limits{}};
    Solver solver(SolverOptions{.cores = true, .seed = static_cast<std::uint64_t>(round % 3)}, watch);
    testing::MemoryProof proof(cover.formula);
    solver.set_proof(&proof);
    cover.load(solver);
    OptimiseEvents events;
    events.improved = [&](const Solver& by, std::int64_t) { proof.add_solution(values_in(by), true); };
    ASSERT_EQ(optimise({nullptr, &solver}, cover.objective, {}, events, watch), OptimiseEnd::finished);
    ASSERT_EQ(proof.value(), cover.least);
    cover.least ? proof.conclude_optimal(*cover.least) : proof.conclude_infeasible();
    definitions += proof.definitions();
  }
  EXPECT_GT(definitions, 500u);
}

// The same with "the sum is at most k" as a hard row, which the solvers do not have: it is decided by
// minimising, in turns of any length, and the row takes the place of a solution in the proof.
TEST(Optimise, DecidesAHardSum) {
  std::mt19937 random(7);
  int found = 0, refuted = 0, paused = 0;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    Cover cover = random_cover(random, round % 2 != 0);
    const std::int64_t most = cover.least.value_or(3) + static_cast<std::int64_t>(random() % 5) - 3;
    if (most < 0) continue;
    std::vector<checking::PbConstraint::Term> row;
    for (const auto& [weight, literal] : cover.objective) row.push_back({-weight, literal});
    checking::add_constraint(cover.formula, checking::normal_constraint(row, -most));
    for (const Who who : {Who::improving, Who::cores, Who::both}) {
      LimitWatch watch{Limits{}};
      Solver first({}, watch), second(SolverOptions{.cores = true, .seed = 1}, watch);
      testing::MemoryProof proof(cover.formula);
      for (Solver* solver : {&first, &second}) {
        solver->set_proof(&proof);
        cover.load(*solver);
      }
      OptimiseEvents events;
      events.improved = [&](const Solver& by, std::int64_t value) {
        EXPECT_LE(value, most);
        proof.add_solution(values_in(by), false);
      };
      OptimiseOptions options{.first_cores = 2, .first_turn = 4};
      options.enough = most;
      options.enough_row = cover.formula.constraints.size();
      Optimiser optimiser({who == Who::cores ? nullptr : &first, who == Who::improving ? nullptr : &second},
                          cover.objective, options, events, watch);
      OptimiseEnd end = OptimiseEnd::paused;
      while (end == OptimiseEnd::paused) {
        end = optimiser.run(1 + random() % 3);
        paused += end == OptimiseEnd::paused ? 1 : 0;
      }
      const bool possible = cover.least && *cover.least <= most;
      ASSERT_EQ(end, possible ? OptimiseEnd::found : OptimiseEnd::finished);
      EXPECT_EQ(proof.solutions() > 0, possible);
      possible ? proof.conclude_satisfiable() : proof.conclude_infeasible();
      (possible ? found : refuted) += 1;
    }
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(refuted, 200);
  EXPECT_GT(paused, 100);
}

}  // namespace
}  // namespace bnnplan::cdcl
