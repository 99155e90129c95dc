// Simplification keeps the plans and their costs: by enumeration of all assignments of small problems.
#include "bnnplan/model/simplify.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/model_check.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::model {
namespace {

// Hidden neurons follow from the problem's variables: through the neurons that are still there and the
// equalities.
void complete(const ZeroOneModel& model, BitValues& values) {
  const auto value = [&](Lit lit) -> BitValue {
    const BitValue known = values[lit.var().index];
    return known == unknown_bit ? known : static_cast<BitValue>(known ^ (lit.negated() ? 1 : 0));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const ModelNeuron& entry : model.neurons) {
      if (value(entry.neuron.output) != unknown_bit) continue;
      std::int32_t count = 0;
      bool known = true;
      for (const Lit lit : entry.neuron.inputs) {
        known &= value(lit) != unknown_bit;
        count += value(lit) == 1;
      }
      if (!known) continue;
      values[entry.neuron.output.var().index] =
          (count >= entry.neuron.threshold) != entry.neuron.output.negated();
      changed = true;
    }
    for (const ModelRow& entry : model.rows) {
      if (entry.row.terms.size() == 1) {  // a neuron that is fixed
        const Lit lit = entry.row.terms[0].literal;
        if (value(lit) == unknown_bit) {
          values[lit.var().index] = lit.negated() ? 0 : 1;
          changed = true;
        }
      }
      if (entry.row.comparison != Comparison::equal || entry.row.terms.size() != 2) continue;
      for (const int i : {0, 1}) {  // an equality a + b == 1
        const Lit a = entry.row.terms[i].literal, b = entry.row.terms[1 - i].literal;
        if (value(a) != unknown_bit || value(b) == unknown_bit) continue;
        values[a.var().index] = static_cast<BitValue>((value(b) ^ 1) ^ (a.negated() ? 1 : 0));
        changed = true;
      }
    }
  }
  for (BitValue& bit : values) {
    if (bit == unknown_bit) bit = 0;  // not mentioned any more
  }
}

using Plans = std::map<BitValues, std::int64_t>;  // values of the problem's variables, cost

Plans all_plans(const ZeroOneModel& model) {
  std::vector<std::uint32_t> variables;
  for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v) {
    if (model.layout.is_problem_variable({v})) variables.push_back(v);
  }
  Plans plans;
  for (std::uint32_t bits = 0; bits < (1u << variables.size()); ++bits) {
    BitValues values(model.layout.variable_count(), unknown_bit);
    BitValues plan;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      plan.push_back(static_cast<BitValue>((bits >> i) & 1));
      values[variables[i]] = plan.back();
    }
    complete(model, values);
    const testing::AssignmentCheck check = testing::check_assignment(model, values);
    if (check.accepted) plans[plan] = check.objective;
  }
  return plans;
}

TEST(Simplify, KeepsPlansAndCosts) {
  int infeasible = 0;
  std::int64_t merged = 0, cancelled = 0, constant = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Problem problem = testing::random_problem(seed, {3, 2, 1, 2});
    const ZeroOneModel model = unroll(problem);
    const SimplifiedModel simplified = simplify(model);
    const Plans plans = all_plans(model);
    ASSERT_EQ(all_plans(simplified.model), plans) << "seed " << seed;
    EXPECT_TRUE(!simplified.report.infeasible || plans.empty());
    infeasible += simplified.report.infeasible;
    merged += simplified.report.merged_neurons;
    cancelled += simplified.report.cancelled_inputs;
    constant += simplified.report.constant_neurons;
    // The unrolled model's best plan is the problem's.
    std::optional<std::int64_t> best;
    for (const auto& [plan, cost] : plans) best = best ? std::min(*best, cost) : cost;
    EXPECT_EQ(best, testing::brute_force_cost(problem)) << "seed " << seed;
  }
  EXPECT_GT(infeasible, 0);
  EXPECT_GT(merged, 0) << "the test sees every kind of simplification";
  EXPECT_GT(cancelled, 0);
  EXPECT_GT(constant, 0);
}

// Networks with many equal and opposite neurons.
TEST(Simplify, MergesAndCancels) {
  std::mt19937 random(5);
  std::int64_t merged = 0, cancelled = 0;
  for (int round = 0; round < 60; ++round) {
    Problem problem = parse_problem(
        "horizon = 2\nminimize = \"2 a - x' + y'\"\ntransitions = [\"x' <= 1\", \"y' <= 1\", \"z' <= "
        "1\"]\ngoal = [\"x + z >= 1\"]\n"
        "[action]\na = \"bool\"\nb = \"bool\"\n[state]\nx = \"bool\"\ny = \"bool\"\nz = "
        "\"bool\"\n[initial]\nx = 1\n",
        "p", ".");
    Network network{{"a", "b", "x", "y", "z"}, {"x'", "y'", "z'"}, {}};
    std::size_t width = 5;
    for (const std::size_t neurons : {6u, 6u, 3u}) {
      Layer& layer = network.layers.emplace_back();
      for (std::size_t i = 0; i < neurons; ++i) {
        Neuron neuron;
        if (i >= 2 && random() % 2 == 0) {
          neuron = layer.neurons[random() % i];
          if (random() % 2 == 0) {
            for (auto& weight : neuron.weights) weight = static_cast<std::int8_t>(-weight);
            neuron.threshold = fan_in(neuron.weights) - neuron.threshold + 1;
          }
        } else {
          for (std::size_t j = 0; j < width; ++j)
            neuron.weights.push_back(static_cast<std::int8_t>(random() % 4 == 0   ? 0
                                                              : random() % 2 == 0 ? 1
                                                                                  : -1));
          neuron.threshold = static_cast<std::int32_t>(random() % 5);
        }
        layer.neurons.push_back(neuron);
      }
      width = neurons;
    }
    problem.network = network;
    connect_network(problem);
    const ZeroOneModel model = unroll(problem);
    const SimplifiedModel simplified = simplify(model);
    ASSERT_EQ(all_plans(simplified.model), all_plans(model)) << "round " << round;
    merged += simplified.report.merged_neurons;
    cancelled += simplified.report.cancelled_inputs;
  }
  EXPECT_GT(merged, 200);
  EXPECT_GT(cancelled, 100);
}

TEST(Simplify, FindsOutThatThereIsNoPlan) {
  const Problem problem = parse_problem(
      "horizon = 3\ntransitions = [\"x' == x\"]\ngoal = [\"x == 1\"]\n[state]\nx = \"bool\"\n[initial]\nx = "
      "0\n",
      "p", ".");
  const SimplifiedModel simplified = simplify(unroll(problem));
  EXPECT_TRUE(simplified.report.infeasible);
  EXPECT_TRUE(all_plans(simplified.model).empty());
}

TEST(Simplify, PublishedDuplicatesAreMerged) {
  BNNPLAN_NEEDS_PUBLISHED();
  // The design counts 36 and 40 duplicate or complementary neurons in the inventory networks, 7 and 8 in
  // cellda.
  for (const auto& [domain, instance, count] :
       {std::tuple("inventory", "1", 36), {"inventory", "2", 40}, {"cellda", "x", 7}, {"cellda", "y", 8}}) {
    Problem problem = read_fd_sat_plan(testing::published_folder(), domain, instance);
    set_horizon(problem, 1);
    problem.goal.clear();
    problem.constraints.clear();
    problem.initial.assign(problem.initial.size(), unknown_bit);
    EXPECT_EQ(simplify(unroll(problem)).report.merged_neurons, count) << domain << " " << instance;
  }
}

}  // namespace
}  // namespace bnnplan::model
