// The solver alone: what each of the four rules derives, rows, assumptions and cores, limits.
#include "bnnplan/cdcl/solver.hpp"

#include <algorithm>
#include <atomic>

#include <gtest/gtest.h>

namespace bnnplan::cdcl {
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
  ASSERT_EQ(f.solver.solve(), SatAnswer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 0);
}

TEST(Solver, TooFewPossible) {
  Fixture f(4);
  f.solver.add_clause({pos(1)});  // before the layer exists
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({neg(2)});
  ASSERT_EQ(f.solver.solve(), SatAnswer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(3)), -1);
}

TEST(Solver, OutputTrueForces) {
  Fixture f(4);
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({pos(3)});
  f.solver.add_clause({pos(1)});
  ASSERT_EQ(f.solver.solve(), SatAnswer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), 1);
  EXPECT_EQ(f.solver.root_value(pos(2)), 1);
}

TEST(Solver, OutputFalseForbids) {
  Fixture f(4);
  add_layer(f.solver, {two_of_three()});
  f.solver.add_clause({neg(3)});
  f.solver.add_clause({pos(2)});
  ASSERT_EQ(f.solver.solve(), SatAnswer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), -1);
  EXPECT_EQ(f.solver.root_value(pos(1)), 1);
}

TEST(Solver, ConstantNeurons) {
  Fixture f(3);
  add_layer(f.solver, {{pos(0), {pos(2)}, 0}, {pos(1), {pos(2)}, 2}});
  ASSERT_EQ(f.solver.solve(), SatAnswer::satisfiable);
  EXPECT_EQ(f.solver.root_value(pos(0)), 1);
  EXPECT_EQ(f.solver.root_value(pos(1)), -1);
}

TEST(Solver, ContradictionWithoutVariables) {
  Fixture f(1);
  f.solver.add_row({{}, Comparison::at_least, 1});
  EXPECT_EQ(f.solver.solve(), SatAnswer::unsatisfiable);
  EXPECT_TRUE(f.solver.inconsistent());
}

TEST(Solver, CoresNameTheAssumptionsThatMatter) {
  Fixture f(5);
  f.solver.add_row({{{1, pos(0)}, {1, pos(1)}, {1, pos(2)}}, Comparison::at_most, 1});
  const std::vector<Lit> assumptions{pos(4), pos(0), pos(3), pos(2)};
  ASSERT_EQ(f.solver.solve(assumptions), SatAnswer::unsatisfiable);
  EXPECT_FALSE(f.solver.inconsistent());
  std::vector<Lit> core = f.solver.core();
  std::sort(core.begin(), core.end());
  EXPECT_EQ(core, (std::vector<Lit>{pos(0), pos(2)}));
  EXPECT_EQ(f.solver.solve(std::vector<Lit>{pos(1), pos(3)}), SatAnswer::satisfiable);
  EXPECT_TRUE(f.solver.model_value(pos(1)));
  EXPECT_EQ(f.solver.solve(std::vector<Lit>{pos(1), neg(1)}), SatAnswer::unsatisfiable);
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
  EXPECT_EQ(solver.solve(), SatAnswer::unknown);
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
        ASSERT_EQ(solver.solve(), SatAnswer::satisfiable);
        EXPECT_EQ(solver.root_value(pos(n)), 0);
        solver.add_clause({inputs[n - 1]});
        ASSERT_EQ(solver.solve(), SatAnswer::satisfiable);
        EXPECT_EQ(solver.root_value(pos(n)), 1);
      });
      make(options, [&](Solver& solver, const std::vector<Lit>& inputs) {
        solver.add_clause({pos(n)});
        for (std::uint32_t i = 0; i < n - k; ++i) {
          ASSERT_EQ(solver.root_value(inputs[n - 1]), 0);
          solver.add_clause({~inputs[i]});
        }
        ASSERT_EQ(solver.solve(), SatAnswer::satisfiable);
        for (std::uint32_t i = n - k; i < n; ++i) ASSERT_EQ(solver.root_value(inputs[i]), 1);
      });
      make(options, [&](Solver& solver, const std::vector<Lit>& inputs) {
        solver.add_clause({neg(n)});
        for (std::uint32_t i = 0; i + 1 < k; ++i) solver.add_clause({inputs[i]});
        ASSERT_EQ(solver.solve(), SatAnswer::satisfiable);
        for (std::uint32_t i = k; i < n; ++i) ASSERT_EQ(solver.root_value(inputs[i]), -1);
      });
    }
  }
}

}  // namespace
}  // namespace bnnplan::cdcl
