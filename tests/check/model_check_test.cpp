// The definition of a solution of a 0-1 model: every kind of row, both directions of a neuron, the objective.
#include "support/model_check.hpp"

#include <gtest/gtest.h>

namespace bnnplan::checking {
namespace {

using testing::AssignmentCheck;
using testing::check_assignment;

// Two state bits a and b at t = 1, and again at t = 2 (variables 0 to 3).
model::ZeroOneModel two_bits() {
  model::ZeroOneModel model;
  model.layout.horizon = 1;
  model.layout.state_bits = 2;
  model.state_names = {"a", "b"};
  return model;
}

Lit x(std::uint32_t v) { return Lit::positive({v}); }

TEST(ModelCheck, RowsOfEachKind) {
  struct Case {
    Comparison comparison;
    bool below, met, above;  // accepted with 2 a + 3 ~b below, at and above the bound
  };
  for (const Case& each :
       {Case{Comparison::at_most, true, true, false}, Case{Comparison::at_least, false, true, true},
        Case{Comparison::equal, false, true, false}}) {
    model::ZeroOneModel model = two_bits();
    model.rows.push_back({{{{2, x(0)}, {3, ~x(1)}}, each.comparison, 3}, {}});
    EXPECT_EQ(check_assignment(model, {1, 1, 0, 0}).accepted, each.below);
    EXPECT_EQ(check_assignment(model, {0, 0, 0, 0}).accepted, each.met);
    EXPECT_EQ(check_assignment(model, {1, 0, 0, 0}).accepted, each.above);
  }
  model::ZeroOneModel model = two_bits();
  model.rows.push_back({{{{2, x(0)}, {3, ~x(1)}}, Comparison::at_least, 3}, {model::PartKind::goal, 0}});
  EXPECT_EQ(check_assignment(model, {1, 1, 0, 0}).violation, "goal: 2 a@1 + 3 ~b@1 >= 3 is violated");
}

TEST(ModelCheck, ANeuronIsAnEquivalence) {
  model::ZeroOneModel model = two_bits();
  model.neurons.push_back({{x(3), {x(0), ~x(1), x(2)}, 2}, 1, 1});
  for (unsigned bits = 0; bits < 16; ++bits) {
    BitValues values;
    for (unsigned v = 0; v < 4; ++v) values.push_back(static_cast<BitValue>(bits >> v & 1));
    const int agreeing = values[0] + (1 - values[1]) + values[2];
    const AssignmentCheck check = check_assignment(model, values);
    EXPECT_EQ(check.accepted, (agreeing >= 2) == (values[3] == 1)) << bits;
    if (check.accepted) continue;
    EXPECT_EQ(check.violation, "b@2 does not follow from its inputs");
  }
  model.neurons[0].neuron.output = ~x(3);
  EXPECT_FALSE(check_assignment(model, {1, 0, 1, 1}).accepted);
  EXPECT_TRUE(check_assignment(model, {1, 0, 1, 0}).accepted);
}

TEST(ModelCheck, EveryVariableHasAValue) {
  const model::ZeroOneModel model = two_bits();
  EXPECT_TRUE(check_assignment(model, {0, 0, 0, 0}).accepted);
  EXPECT_EQ(check_assignment(model, {0, 0, 0}).violation, "b@2 has no value");
  EXPECT_EQ(check_assignment(model, {0, unknown_bit, 0, 0}).violation, "b@1 has no value");
  EXPECT_FALSE(check_assignment(model, {0, unknown_bit, 0, 0}).accepted);
}

TEST(ModelCheck, TheObjectiveIsRecomputed) {
  model::ZeroOneModel model = two_bits();
  model.offset = -7;
  model.objective = {{5, x(0)}, {11, ~x(1)}};
  EXPECT_EQ(check_assignment(model, {0, 1, 0, 0}).objective, -7);
  EXPECT_EQ(check_assignment(model, {1, 1, 0, 0}).objective, -2);
  EXPECT_EQ(check_assignment(model, {0, 0, 0, 0}).objective, 4);
  EXPECT_EQ(check_assignment(model, {1, 0, 0, 0}).objective, 9);
}

}  // namespace
}  // namespace bnnplan::checking
