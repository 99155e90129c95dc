// The solver alone: what each of the four rules derives, rows, assumptions and cores, limits, and random
// formulas against all assignments.
#include "cdcl/solver.hpp"

#include <algorithm>
#include <atomic>
#include <random>

#include <gtest/gtest.h>

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
WeightedNeuron two_of_three() { return {pos(3), {{1, pos(0)}, {1, neg(1)}, {1, pos(2)}}, 2}; }

TEST(Solver, EnoughTrue) {
  Fixture f(4);
  f.solver.add_layer(std::vector{two_of_three()});
  f.solver.add_clause({pos(0)});
  f.solver.add_clause({neg(1)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 0);
}

TEST(Solver, TooFewPossible) {
  Fixture f(4);
  f.solver.add_clause({pos(1)});  // before the layer exists
  f.solver.add_layer(std::vector{two_of_three()});
  f.solver.add_clause({neg(2)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), -1);
}

TEST(Solver, OutputTrueForces) {
  Fixture f(4);
  f.solver.add_layer(std::vector{two_of_three()});
  f.solver.add_clause({pos(3)});
  f.solver.add_clause({pos(1)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 1);
}

TEST(Solver, OutputFalseForbids) {
  Fixture f(4);
  f.solver.add_layer(std::vector{two_of_three()});
  f.solver.add_clause({neg(3)});
  f.solver.add_clause({pos(2)});
  ASSERT_EQ(f.solver.solve(), Answer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), -1);
  EXPECT_EQ(f.solver.root_value(pos(1)), 1);
}

TEST(Solver, ConstantNeurons) {
  Fixture f(3);
  f.solver.add_layer(std::vector<WeightedNeuron>{{pos(0), {{1, pos(2)}}, 0}, {pos(1), {{1, pos(2)}}, 2}});
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

// Random formulas of rows and weighted neurons with all settings, against all assignments.
struct Formula {
  std::uint32_t variables;
  std::vector<LinearRow> rows;
  std::vector<std::vector<WeightedNeuron>> layers;
};

Formula random_formula(std::mt19937& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  Formula formula;
  const std::uint32_t inputs = static_cast<std::uint32_t>(between(3, 6));
  std::uint32_t first = 0, next = inputs;
  const bool weighted = between(0, 2) == 0;
  for (int layer = between(1, 2); layer > 0; --layer) {
    std::vector<WeightedNeuron>& neurons = formula.layers.emplace_back();
    const std::uint32_t end = next;
    for (int i = between(1, 4); i > 0; --i) {
      WeightedNeuron& neuron = neurons.emplace_back();
      neuron.output = Lit::of({next++}, between(0, 1) == 1);
      int total = 0;
      for (std::uint32_t v = first; v < end; ++v) {
        if (between(0, 5) == 0) continue;
        const int weight = weighted ? between(1, between(0, 9) == 0 ? 300 : 4) : 1;
        neuron.inputs.push_back({weight, Lit::of({v}, between(0, 1) == 1)});
        total += weight;
      }
      neuron.threshold = between(0, total + 1);
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
    for (const WeightedNeuron& neuron : layer) {
      if (is_true(neuron.output) != (sum(neuron.inputs) >= neuron.threshold)) return false;
    }
  }
  for (const LinearRow& row : formula.rows) {
    const std::int64_t value = sum(row.terms);
    if (row.comparison != Comparison::at_most && value < row.bound) return false;
    if (row.comparison != Comparison::at_least && value > row.bound) return false;
  }
  return true;
}

TEST(Solver, AgreesWithAllAssignmentsOnRandomFormulas) {
  std::mt19937 random(3);
  int satisfiable = 0, unsatisfiable = 0, cores = 0;
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
    for (const LinearRow& row : formula.rows) f.solver.add_row(row);
    for (std::size_t i = 0; i < formula.layers.size(); ++i) {
      f.solver.add_layer(formula.layers[i]);
      if (i + 1 == formula.layers.size()) break;
      for (const WeightedNeuron& neuron : formula.layers[i]) f.solver.set_hidden(neuron.output.var());
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
          ++cores;
        }
      }
    }
  }
  EXPECT_GT(satisfiable, 1000);
  EXPECT_GT(unsatisfiable, 1000);
  EXPECT_GT(cores, 500);
}

}  // namespace
}  // namespace bnnplan
