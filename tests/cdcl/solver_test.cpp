// The solver alone: what each of the four rules derives, rows, assumptions and cores, limits, and random
// formulas against all assignments, with every learned clause checked the moment it is learned.
#include "cdcl/solver.hpp"

#include <algorithm>
#include <atomic>
#include <random>

#include <gtest/gtest.h>

#include "cdcl/memory_proof.hpp"
#include "check/model_formula.hpp"

namespace bnnplan {
namespace {

struct Fixture {
  explicit Fixture(std::uint32_t variables, SolverOptions options = {}) : solver(options, watch) {
    std::vector<Var> order;
    for (std::uint32_t v = 0; v < variables; ++v) order.push_back(solver.new_variable());
    solver.set_decision_order(order);
  }
  LimitWatch watch{Limits{}};
  Solver solver;
};

Lit pos(std::uint32_t v) { return Lit::positive({v}); }
Lit neg(std::uint32_t v) { return Lit::negative({v}); }

// output x3 <-> at least 2 of x0, ~x1, x2
ReifiedAtLeast two_of_three() { return {pos(3), {pos(0), neg(1), pos(2)}, 2}; }

void add_layer(Solver& solver, const std::vector<ReifiedAtLeast>& neurons) {
  std::vector<NeuronView> views;
  for (const ReifiedAtLeast& neuron : neurons)
    views.push_back({neuron.output, neuron.inputs, neuron.threshold});
  solver.add_layer(views);
}

TEST(Solver, EnoughTrue) {
  Fixture f(4);
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({pos(0)});
  f.solver.add_clause({neg(1)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 0);
}

TEST(Solver, TooFewPossible) {
  Fixture f(4);
  f.solver.add_clause({pos(1)});  // before the layer exists
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({neg(2)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), -1);
}

TEST(Solver, OutputTrueForces) {
  Fixture f(4);
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({pos(3)});
  f.solver.add_clause({pos(1)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 1);
}

TEST(Solver, OutputFalseForbids) {
  Fixture f(4);
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({neg(3)});
  f.solver.add_clause({pos(2)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), -1);
  EXPECT_EQ(f.solver.root_value(pos(1)), 1);
}

TEST(Solver, ConstantNeurons) {
  Fixture f(3);
  add_layer(f.solver, {{pos(0), {pos(2)}, 0}, {pos(1), {pos(2)}, 2}});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), 1);
  EXPECT_EQ(f.solver.root_value(pos(1)), -1);
}

TEST(Solver, ContradictionWithoutVariables) {
  Fixture f(1);
  f.solver.add_row({{}, Comparison::at_least, 1});
  EXPECT_EQ(f.solver.solve(), Answer::unsatisfiable);
  EXPECT_TRUE(f.solver.inconsistent());
}

TEST(Solver, CoresNameTheAssumptionsThatMatter) {
  Fixture f(5);
  f.solver.add_row({{{1, pos(0)}, {1, pos(1)}, {1, pos(2)}}, Comparison::at_most, 1});
  const std::vector<Lit> assumptions{pos(4), pos(0), pos(3), pos(2)};
  ASSERT_EQ(f.solver.solve(assumptions), Answer::unsatisfiable);
  EXPECT_FALSE(f.solver.inconsistent());
  std::vector<Lit> core = f.solver.core();
  std::sort(core.begin(), core.end());
  EXPECT_EQ(core, (std::vector<Lit>{pos(0), pos(2)}));
  EXPECT_EQ(f.solver.solve(std::vector<Lit>{pos(1), pos(3)}), Answer::satisfiable);
  EXPECT_TRUE(f.solver.model_value(pos(1)));
  EXPECT_EQ(f.solver.solve(std::vector<Lit>{pos(1), neg(1)}), Answer::unsatisfiable);
  core = f.solver.core();
  std::sort(core.begin(), core.end());
  EXPECT_EQ(core, (std::vector<Lit>{pos(1), neg(1)}));
}

TEST(Solver, StopsWhenInterrupted) {
  std::atomic<bool> interrupt = true;
  Limits limits;
  limits.interrupt = &interrupt;
  LimitWatch watch(limits);
  Solver solver({}, watch);
  solver.new_variable();
  EXPECT_EQ(solver.solve(), Answer::unknown);
  EXPECT_EQ(watch.reason(), StopReason::interrupted);
}

// The rules at the sizes where counters become wider, and where a neuron becomes rows.
TEST(Solver, LargeNeurons) {
  for (const std::uint32_t n : {252u, 253u, 254u, 300u, 65'000u, 65'001u}) {
    for (const bool dense : {true, false}) {
      const std::uint32_t k = n / 3;
      const auto make = [&](SolverOptions options, const auto& ask) {
        Fixture f(n + 1, options);
        ReifiedAtLeast neuron{pos(n), {}, static_cast<std::int32_t>(k)};
        for (std::uint32_t v = 0; v < n; ++v) neuron.inputs.push_back(Lit::of({v}, v % 2 == 1));
        add_layer(f.solver, {neuron});
        ask(f.solver, neuron.inputs);
      };
      SolverOptions options;
      options.dense = dense;
      make(options, [&](Solver& solver, const std::vector<Lit>& inputs) {
        for (std::uint32_t i = 0; i + 1 < k; ++i) solver.add_clause({inputs[i]});
        ASSERT_EQ(solver.solve(), Answer::satisfiable);
        EXPECT_EQ(solver.root_value(pos(n)), 0);
        solver.add_clause({inputs[n - 1]});
        ASSERT_EQ(solver.solve(), Answer::satisfiable);
        EXPECT_EQ(solver.root_value(pos(n)), 1);
      });
      make(options, [&](Solver& solver, const std::vector<Lit>& inputs) {
        solver.add_clause({pos(n)});
        for (std::uint32_t i = 0; i < n - k; ++i) {
          ASSERT_EQ(solver.root_value(inputs[n - 1]), 0);
          solver.add_clause({~inputs[i]});
        }
        ASSERT_EQ(solver.solve(), Answer::satisfiable);
        for (std::uint32_t i = n - k; i < n; ++i) ASSERT_EQ(solver.root_value(inputs[i]), 1);
      });
      make(options, [&](Solver& solver, const std::vector<Lit>& inputs) {
        solver.add_clause({neg(n)});
        for (std::uint32_t i = 0; i + 1 < k; ++i) solver.add_clause({inputs[i]});
        ASSERT_EQ(solver.solve(), Answer::satisfiable);
        for (std::uint32_t i = k; i < n; ++i) ASSERT_EQ(solver.root_value(inputs[i]), -1);
      });
    }
  }
}

// Random formulas of rows and neurons with all settings, against all assignments.
struct Formula {
  std::uint32_t variables;
  std::vector<LinearRow> rows;
  std::vector<std::vector<ReifiedAtLeast>> layers;
};

// output <-> sum of the terms (of positive coefficients) >= threshold, as rows.
void add_weighted_neuron(Formula& formula, Lit output, std::vector<WeightedLit> terms,
                         std::int64_t threshold) {
  std::int64_t total = 0;
  for (const WeightedLit& term : terms) total += term.coefficient;
  LinearRow row{terms, Comparison::at_least, threshold};
  row.terms.push_back({threshold, ~output});
  formula.rows.push_back(row);
  LinearRow other{std::move(terms), Comparison::at_most, threshold - 1};
  other.terms.push_back({threshold - 1 - total, output});
  formula.rows.push_back(other);
}

Formula random_formula(std::mt19937& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  Formula formula;
  const std::uint32_t inputs = static_cast<std::uint32_t>(between(3, 6));
  std::uint32_t first = 0, next = inputs;
  const bool weighted = between(0, 2) == 0;
  for (int layer = between(1, 2); layer > 0; --layer) {
    std::vector<ReifiedAtLeast>& neurons = formula.layers.emplace_back();
    const std::uint32_t end = next;
    for (int i = between(1, 4); i > 0; --i) {
      const Lit output = Lit::of({next++}, between(0, 1) == 1);
      std::vector<WeightedLit> terms;
      int total = 0;
      for (std::uint32_t v = first; v < end; ++v) {
        if (between(0, 5) == 0) continue;
        const int weight = weighted ? between(1, between(0, 9) == 0 ? 300 : 4) : 1;
        terms.push_back({weight, Lit::of({v}, between(0, 1) == 1)});
        total += weight;
      }
      const int threshold = between(0, total + 1);
      if (weighted) {
        add_weighted_neuron(formula, output, std::move(terms), threshold);
        continue;
      }
      ReifiedAtLeast& neuron = neurons.emplace_back(ReifiedAtLeast{output, {}, threshold});
      for (const WeightedLit& term : terms) neuron.inputs.push_back(term.literal);
    }
    first = end;
  }
  formula.variables = next;
  for (int i = between(0, 4); i > 0; --i) {
    LinearRow row;
    for (int j = between(1, 4); j > 0; --j) {
      row.terms.push_back(
          {between(-3, 3), Lit::of({static_cast<std::uint32_t>(between(0, static_cast<int>(next) - 1))},
                                   between(0, 1) == 1)});
    }
    row.comparison = static_cast<Comparison>(between(0, 2));
    row.bound = between(-2, 3);
    formula.rows.push_back(row);
  }
  return formula;
}

bool holds(const Formula& formula, std::uint32_t assignment) {
  const auto is_true = [&](Lit literal) {
    return ((assignment >> literal.var().index & 1) != 0) != literal.negated();
  };
  const auto sum = [&](const std::vector<WeightedLit>& terms) {
    std::int64_t total = 0;
    for (const auto& [coefficient, literal] : terms) total += is_true(literal) ? coefficient : 0;
    return total;
  };
  for (const auto& layer : formula.layers) {
    for (const ReifiedAtLeast& neuron : layer) {
      const auto agreeing = std::count_if(neuron.inputs.begin(), neuron.inputs.end(), is_true);
      if (is_true(neuron.output) != (agreeing >= neuron.threshold)) return false;
    }
  }
  for (const LinearRow& row : formula.rows) {
    const std::int64_t value = sum(row.terms);
    if (row.comparison != Comparison::at_most && value < row.bound) return false;
    if (row.comparison != Comparison::at_least && value > row.bound) return false;
  }
  return true;
}

testing::MemoryProof proof_about(const Formula& formula) {
  ZeroOneModel model;
  model.layout.state_bits = formula.variables;
  for (const LinearRow& row : formula.rows) model.rows.push_back({row, {}});
  for (const auto& layer : formula.layers) {
    for (const ReifiedAtLeast& neuron : layer) model.neurons.push_back({neuron, 1, 1});
  }
  return testing::MemoryProof(formula_of(model).formula);
}

TEST(Solver, AgreesWithAllAssignmentsOnRandomFormulas) {
  std::mt19937 random(3);
  int satisfiable = 0, unsatisfiable = 0, cores = 0;
  std::size_t steps = 0, learned = 0;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const Formula formula = random_formula(random);
    SolverOptions options;
    options.order = static_cast<DecisionOrder>(round % 3);
    options.restarts = static_cast<RestartPolicy>(round / 3 % 3);
    options.dense = round % 2 == 0;
    options.portable = round % 5 == 0;
    options.minimise = round % 7 != 0;
    options.states_only = round % 4 != 0;
    options.decide_all = round % 11 == 0;
    options.seed = static_cast<std::uint64_t>(round % 4);
    Fixture f(formula.variables, options);
    testing::MemoryProof proof = proof_about(formula);
    f.solver.set_proof(&proof);
    for (const LinearRow& row : formula.rows) f.solver.add_row(row);
    for (std::size_t i = 0; i < formula.layers.size(); ++i) {
      add_layer(f.solver, formula.layers[i]);
      if (i + 1 == formula.layers.size()) break;
      for (const ReifiedAtLeast& neuron : formula.layers[i]) f.solver.set_hidden(neuron.output.var());
    }
    for (int question = 0; question < 4; ++question) {
      std::vector<Lit> assumptions;
      for (int i = 0; i < question; ++i) {
        assumptions.push_back(
            Lit::of({static_cast<std::uint32_t>(random() % formula.variables)}, random() % 2 == 0));
      }
      const auto possible = [&](const std::vector<Lit>& assumed) {
        for (std::uint32_t a = 0; a < 1u << formula.variables; ++a) {
          bool fits = true;
          for (const Lit literal : assumed)
            fits &= ((a >> literal.var().index & 1) != 0) != literal.negated();
          if (fits && holds(formula, a)) return true;
        }
        return false;
      };
      const bool expected = possible(assumptions);
      const Answer answer = f.solver.solve(assumptions);
      ASSERT_EQ(answer, expected ? Answer::satisfiable : Answer::unsatisfiable);
      if (expected) {
        std::uint32_t model = 0;
        for (std::uint32_t v = 0; v < formula.variables; ++v)
          model |= f.solver.model_value(pos(v)) ? 1u << v : 0;
        ASSERT_TRUE(holds(formula, model));
        for (const Lit literal : assumptions) ASSERT_TRUE(f.solver.model_value(literal));
        ++satisfiable;
      } else {
        ++unsatisfiable;
        if (!f.solver.inconsistent()) {
          ASSERT_FALSE(possible(f.solver.core()));
          for (const Lit literal : f.solver.core())
            ASSERT_NE(std::find(assumptions.begin(), assumptions.end(), literal), assumptions.end());
          std::vector<Lit> clause;
          for (const Lit literal : f.solver.core()) clause.push_back(~literal);
          ASSERT_TRUE(proof.follows(clause));
          ++cores;
        }
      }
    }
    if (f.solver.inconsistent()) proof.conclude_infeasible();
    steps += proof.clauses().size();
    learned += f.solver.statistics().conflicts;
  }
  EXPECT_GT(satisfiable, 1000);
  EXPECT_GT(unsatisfiable, 1000);
  EXPECT_GT(cores, 500);
  EXPECT_GT(learned, 1000u);
  EXPECT_GT(steps, learned);  // what is fixed is a step too
}

}  // namespace
}  // namespace bnnplan
