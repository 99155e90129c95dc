// Random formulas of rows and neurons with all settings, against all assignments, with every learned clause
// checked the moment it is learned.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "bnnplan/cdcl/solver.hpp"
#include "cdcl/memory_proof.hpp"
#include "support/checked_formula.hpp"

namespace bnnplan::cdcl {
namespace {

struct Formula {
  std::uint32_t inputs = 0, variables = 0;
  bool weighted = false;  // then neurons are rows
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

// Small ones of any kind, most of which propagation alone answers; and hard ones, for which much is learned.
Formula random_formula(std::mt19937& random, bool hard) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  Formula formula;
  formula.inputs = static_cast<std::uint32_t>(hard ? between(8, 11) : between(3, 6));
  std::uint32_t first = 0, next = formula.inputs;
  formula.weighted = !hard && between(0, 2) == 0;
  for (int layer = hard ? between(2, 3) : between(1, 2); layer > 0; --layer) {
    std::vector<ReifiedAtLeast>& neurons = formula.layers.emplace_back();
    const std::uint32_t end = next;
    for (int i = hard ? between(6, 12) : between(1, 4); i > 0; --i) {
      const Lit output = Lit::of({next++}, between(0, 1) == 1);
      std::vector<WeightedLit> terms;
      int total = 0;
      for (std::uint32_t v = first; v < end; ++v) {
        if (between(0, 5) == 0) continue;
        const int weight = formula.weighted ? between(1, between(0, 9) == 0 ? 300 : 4) : 1;
        terms.push_back({weight, Lit::of({v}, between(0, 1) == 1)});
        total += weight;
      }
      const int threshold = hard ? total / 2 + between(0, 1) : between(0, total + 1);
      if (formula.weighted) {
        add_weighted_neuron(formula, output, std::move(terms), threshold);
        continue;
      }
      ReifiedAtLeast& neuron = neurons.emplace_back(ReifiedAtLeast{output, {}, threshold});
      for (const WeightedLit& term : terms) neuron.inputs.push_back(term.literal);
    }
    first = end;
  }
  formula.variables = next;
  // Hard ones have something to say about the last layer above all.
  for (int i = hard ? between(4, 8) : between(0, 4); i > 0; --i) {
    LinearRow row;
    for (int j = hard ? between(2, 4) : between(1, 4); j > 0; --j) {
      const int from = hard && i > 2 ? static_cast<int>(first) : 0;
      row.terms.push_back(
          {between(-3, 3), Lit::of({static_cast<std::uint32_t>(between(from, static_cast<int>(next) - 1))},
                                   between(0, 1) == 1)});
    }
    row.comparison = static_cast<Comparison>(between(0, hard ? 1 : 2));
    row.bound = between(-2, 3);
    formula.rows.push_back(row);
  }
  return formula;
}

bool is_true(std::uint64_t assignment, Lit literal) {
  return ((assignment >> literal.var().index & 1) != 0) != literal.negated();
}

bool output_of(const ReifiedAtLeast& neuron, std::uint64_t assignment) {
  return std::count_if(neuron.inputs.begin(), neuron.inputs.end(),
                       [&](Lit input) { return is_true(assignment, input); }) >= neuron.threshold;
}

bool holds(const Formula& formula, std::uint64_t assignment) {
  for (const auto& layer : formula.layers) {
    for (const ReifiedAtLeast& neuron : layer) {
      if (is_true(assignment, neuron.output) != output_of(neuron, assignment)) return false;
    }
  }
  for (const LinearRow& row : formula.rows) {
    std::int64_t value = 0;
    for (const auto& [coefficient, literal] : row.terms)
      value += is_true(assignment, literal) ? coefficient : 0;
    if (row.comparison != Comparison::at_most && value < row.bound) return false;
    if (row.comparison != Comparison::at_least && value > row.bound) return false;
  }
  return true;
}

// All solutions: every assignment if neurons are rows, otherwise every assignment of the inputs, from which
// the rest follows.
std::vector<std::uint64_t> solutions_of(const Formula& formula) {
  std::vector<std::uint64_t> solutions;
  const std::uint32_t free = formula.weighted ? formula.variables : formula.inputs;
  for (std::uint64_t a = 0; a < std::uint64_t{1} << free; ++a) {
    std::uint64_t assignment = a;
    for (const auto& layer : formula.layers) {
      for (const ReifiedAtLeast& neuron : layer) {
        if (output_of(neuron, assignment) != neuron.output.negated())
          assignment |= std::uint64_t{1} << neuron.output.var().index;
      }
    }
    if (holds(formula, assignment)) solutions.push_back(assignment);
  }
  return solutions;
}

testing::MemoryProof proof_about(const Formula& formula) {
  model::ZeroOneModel model;
  model.layout.state_bits = formula.variables;
  for (const LinearRow& row : formula.rows) model.rows.push_back({row, {}});
  for (const auto& layer : formula.layers) {
    for (const ReifiedAtLeast& neuron : layer) model.neurons.push_back({neuron, 1, 1});
  }
  return testing::MemoryProof(testing::checked_formula(model).formula);
}

struct Totals {
  int satisfiable = 0, unsatisfiable = 0, cores = 0;
  std::size_t steps = 0;  // of all proofs
  std::uint64_t conflicts = 0;
};

SolverOptions options_of(int round) {
  SolverOptions options;
  options.cores = round % 3 == 0;
  options.dense = round % 2 == 0;
  if (round % 5 == 0) options.instructions = InstructionSet::portable;
  options.seed = static_cast<std::uint64_t>(round % 4);
  return options;
}

// Four questions about the formula, with 0 to 3 assumptions.
void ask(const Formula& formula, const SolverOptions& options, std::mt19937& random, Totals& totals) {
  LimitWatch watch{Limits{}};
  Solver solver(options, watch);
  std::vector<Var> order;
  for (std::uint32_t v = 0; v < formula.variables; ++v) order.push_back(solver.new_variable());
  solver.set_decision_order(order);
  testing::MemoryProof proof = proof_about(formula);
  solver.set_proof(&proof);
  for (const LinearRow& row : formula.rows) solver.add_row(row);
  for (std::size_t i = 0; i < formula.layers.size(); ++i) {
    std::vector<NeuronView> views;
    for (const ReifiedAtLeast& neuron : formula.layers[i])
      views.push_back({neuron.output, neuron.inputs, neuron.threshold});
    solver.add_layer(views);
    if (i + 1 == formula.layers.size()) break;
    for (const NeuronView& neuron : views) solver.set_hidden(neuron.output.var());
  }
  const std::vector<std::uint64_t> solutions = solutions_of(formula);
  const auto possible = [&](const std::vector<Lit>& assumed) {
    return std::any_of(solutions.begin(), solutions.end(), [&](std::uint64_t solution) {
      return std::all_of(assumed.begin(), assumed.end(),
                         [&](Lit literal) { return is_true(solution, literal); });
    });
  };
  for (int question = 0; question < 4; ++question) {
    std::vector<Lit> assumptions;
    for (int i = 0; i < question; ++i) {
      assumptions.push_back(
          Lit::of({static_cast<std::uint32_t>(random() % formula.variables)}, random() % 2 == 0));
    }
    const bool expected = possible(assumptions);
    const SatAnswer answer = solver.solve(assumptions);
    ASSERT_EQ(answer, expected ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
    if (expected) {
      std::uint64_t model = 0;
      for (std::uint32_t v = 0; v < formula.variables; ++v)
        model |= std::uint64_t{solver.model_value(Lit::positive({v}))} << v;
      ASSERT_TRUE(holds(formula, model));
      for (const Lit literal : assumptions) ASSERT_TRUE(solver.model_value(literal));
      ++totals.satisfiable;
    } else {
      ++totals.unsatisfiable;
      if (!solver.inconsistent()) {
        ASSERT_FALSE(possible(solver.core()));
        std::vector<Lit> clause;
        for (const Lit literal : solver.core()) {
          ASSERT_NE(std::find(assumptions.begin(), assumptions.end(), literal), assumptions.end());
          clause.push_back(~literal);
        }
        ASSERT_TRUE(proof.follows(clause));
        ++totals.cores;
      }
    }
  }
  if (solver.inconsistent()) proof.conclude_infeasible();
  totals.steps += proof.clauses().size();
  totals.conflicts += solver.statistics().conflicts;
}

TEST(RandomFormula, SmallOnesAgreeWithAllAssignments) {
  std::mt19937 random(3);
  Totals totals;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const Formula formula = random_formula(random, false);
    ASSERT_NO_FATAL_FAILURE(ask(formula, options_of(round), random, totals));
  }
  EXPECT_GT(totals.satisfiable, 1000);
  EXPECT_GT(totals.unsatisfiable, 1000);
  EXPECT_GT(totals.cores, 500);
}

TEST(RandomFormula, HardOnesAgreeWithAllAssignments) {
  std::mt19937 random(4);
  Totals totals;
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Formula formula = random_formula(random, true);
    ASSERT_NO_FATAL_FAILURE(ask(formula, options_of(round), random, totals));
  }
  EXPECT_GT(totals.satisfiable, 300);
  EXPECT_GT(totals.unsatisfiable, 300);
  EXPECT_GT(totals.cores, 100);
  EXPECT_GT(totals.conflicts, 5000u);
  EXPECT_GT(totals.steps, totals.conflicts);  // what is fixed is a step too
}

}  // namespace
}  // namespace bnnplan::cdcl
