// Flat code gives what the tree gives, draws what the tree draws and refuses what the tree refuses: random
// expressions of all operations, and the cases that need a word.
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/simulate/code_builder.hpp"

namespace bnnplan::rddl {
namespace {

constexpr std::uint32_t slot_count = 8, target = 7;  // two Booleans, two integers, two reals

class ExpressionWriter {
 public:
  explicit ExpressionWriter(std::uint64_t seed) : random_(seed), place_{&file_, 1, 1} {}

  NodePool& pool() { return pool_; }

  NodeId boolean(int depth) {
    if (depth == 0) return below(8) == 0 ? pool_.truth(below(2) == 0) : variable(below(2), NodeKind::boolean);
    switch (below(10)) {
      case 0:
        return make(Operation::logical_not, {boolean(depth - 1)});
      case 1:
      case 2:
        return make(Operation::logical_and, {boolean(depth - 1), boolean(depth - 1), boolean(depth - 1)});
      case 3:
        return make(Operation::logical_or, {boolean(depth - 1), boolean(depth - 1)});
      case 4:
        return make(Operation::choose, {boolean(depth - 1), boolean(depth - 1), boolean(depth - 1)});
      case 5:
        return pool_.random(Distribution::bernoulli, {probability(depth - 1)}, next_place());
      default:
        return make(std::vector{Operation::equal, Operation::less, Operation::at_most}[below(3)],
                    {any(depth - 1), any(depth - 1)});
    }
  }

  NodeId integer(int depth) {
    if (depth == 0) {
      if (below(3) > 0) return variable(2 + below(2), NodeKind::integer);
      return pool_.constant(make_rational(static_cast<std::int64_t>(below(7)) - 3), NodeKind::integer);
    }
    switch (below(15)) {
      case 0:
        return boolean(depth - 1);
      case 1:
        return make(Operation::add,
                    {integer(depth - 1), integer(0), integer(0), boolean(depth - 1), integer(0)});
      case 2:
        return make(Operation::multiply, {integer(depth - 1), integer(depth - 1)});
      case 3:
        return make(below(2) == 0 ? Operation::minimum : Operation::maximum,
                    {integer(depth - 1), integer(depth - 1), integer(depth - 1)});
      case 4:
        return make(Operation::absolute, {integer(depth - 1)});
      case 5:
        return make(Operation::sign, {any(depth - 1)});
      case 6:
        return make(std::vector{Operation::floor, Operation::ceiling, Operation::round}[below(3)],
                    {any(depth - 1)});
      case 7:
        return make(Operation::power,
                    {integer(depth - 1), pool_.constant(make_rational(2), NodeKind::integer)});
      case 8:
        return make(below(2) == 0 ? Operation::modulo : Operation::integer_division,
                    {integer(depth - 1), integer(depth - 1)});
      case 9:
        return make(Operation::choose, {boolean(depth - 1), integer(depth - 1), boolean(depth - 1),
                                        integer(depth - 1), integer(0)});
      case 10:
        return make(Operation::select, {variable(2 + below(2), NodeKind::integer), integer(depth - 1),
                                        integer(0), integer(depth - 1)});
      case 11:
        return make(below(2) == 0 ? Operation::argument_of_minimum : Operation::argument_of_maximum,
                    {any(depth - 1), any(depth - 1), any(0)});
      case 12:
        return pool_.random(Distribution::discrete, {probability(depth - 1), probability(0), probability(0)},
                            next_place());
      case 13:
        return pool_.random(Distribution::unnormalized_discrete, {probability(depth - 1), probability(0)},
                            next_place());
      default:
        return pool_.random(Distribution::binomial,
                            {pool_.constant(make_rational(3), NodeKind::integer), probability(depth - 1)},
                            next_place());
    }
  }

  // Exact fractions.
  NodeId fraction(int depth) {
    if (depth == 0) {
      return pool_.constant(make_rational(static_cast<std::int64_t>(below(9)) - 4,
                                          std::vector<std::int64_t>{2, 3, 4, 10, 1'000'003}[below(5)]),
                            NodeKind::real);
    }
    switch (below(8)) {
      case 0:
        return make(Operation::add, {fraction(depth - 1), integer(depth - 1), fraction(0)});
      case 1:
      case 2:
        return make(Operation::multiply, {fraction(depth - 1), integer(depth - 1)});
      case 3:
        return make(Operation::divide,
                    {integer(depth - 1), below(2) == 0 ? fraction(0) : integer(depth - 1)});
      case 4:
        return make(below(2) == 0 ? Operation::minimum : Operation::maximum,
                    {fraction(depth - 1), integer(0), fraction(0)});
      case 5:
        return make(Operation::absolute, {fraction(depth - 1)});
      case 6:
        return make(Operation::choose, {boolean(depth - 1), fraction(depth - 1), integer(0)});
      default:
        return make(Operation::power,
                    {fraction(depth - 1), pool_.constant(make_rational(2), NodeKind::integer)});
    }
  }

  NodeId floating(int depth) {
    if (depth == 0) return variable(4 + below(2), NodeKind::floating);
    switch (below(10)) {
      case 0:
        return make(Operation::add,
                    {floating(depth - 1), fraction(0), floating(0), any(depth - 1), floating(0)});
      case 1:
        return make(Operation::multiply, {floating(depth - 1), any(depth - 1)});
      case 2:
        return make(Operation::divide, {any(depth - 1), floating(depth - 1)});
      case 3:
        return make(below(2) == 0 ? Operation::minimum : Operation::maximum,
                    {floating(depth - 1), any(depth - 1)});
      case 4:
        return make(Operation::absolute, {floating(depth - 1)});
      case 5:
        return make(Operation::power, {floating(depth - 1), integer(depth - 1)});
      case 6:
        return pool_.math(below(2) == 0 ? *math_function_named("sin") : *math_function_named("exp"),
                          {floating(depth - 1)}, next_place());
      case 7:
        return pool_.math(*math_function_named("hypot"), {floating(depth - 1), any(depth - 1)}, next_place());
      case 8:
        return make(Operation::choose, {boolean(depth - 1), floating(depth - 1), any(depth - 1)});
      default:
        return pool_.random(below(2) == 0 ? Distribution::uniform : Distribution::normal,
                            {floating(depth - 1), fraction(0)}, next_place());
    }
  }

  NodeId any(int depth) {
    switch (below(4)) {
      case 0:
        return boolean(depth);
      case 1:
        return fraction(depth);
      case 2:
        return floating(depth);
      default:
        return integer(depth);
    }
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  NodeId probability(int depth) {
    if (depth > 0 && below(3) == 0) return floating(depth);
    return pool_.constant(make_rational(static_cast<std::int64_t>(below(5)), 4), NodeKind::real);
  }
  NodeId variable(std::size_t slot, NodeKind kind) {
    return pool_.variable(static_cast<std::uint32_t>(slot), kind, place_);
  }
  NodeId make(Operation operation, std::vector<NodeId> operands) {
    return pool_.make(operation, std::move(operands), next_place());
  }
  // Every expression has a column of its own, so that errors tell them apart.
  SourcePlace next_place() {
    ++place_.column;
    return place_;
  }

  SimulationRandom random_;
  std::string file_ = "random.rddl";
  SourcePlace place_;
  NodePool pool_{1'000'000};
};

std::vector<std::int64_t> random_values(ExpressionWriter& writer) {
  std::vector<std::int64_t> values(slot_count, 0);
  for (std::size_t slot = 0; slot < 2; ++slot) values[slot] = static_cast<std::int64_t>(writer.below(2));
  for (std::size_t slot = 2; slot < 4; ++slot) values[slot] = static_cast<std::int64_t>(writer.below(6)) - 2;
  if (writer.below(10) == 0) values[2] = std::numeric_limits<std::int64_t>::max() - 1;
  for (std::size_t slot = 4; slot < 6; ++slot)
    values[slot] = value_of_real((static_cast<double>(writer.below(9)) - 4) / 3);
  return values;
}

// A value, or what was thrown.
std::string outcome(const std::function<std::string()>& evaluate) {
  try {
    return evaluate();
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string bits_of(double value) {
  return std::isnan(value) ? "not a number" : std::to_string(value_of_real(value));
}

TEST(ExpressionCode, IsTheTree) {
  int refused = 0, drawn = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    ExpressionWriter writer(seed);
    const NodeId truth = writer.boolean(3), whole = writer.integer(3), real = writer.floating(3);
    NodePool& pool = writer.pool();
    CodeBuilder builder(pool, slot_count);
    const std::uint32_t truth_code = builder.add_truth(truth);
    const CodeBuilder::Definition definition{target, whole, false};
    const std::uint32_t whole_code = builder.add_definitions({&definition, 1});
    const std::uint32_t real_code = builder.add_real(real);
    const ExpressionCode code = builder.finish();
    for (int i = 0; i < 5; ++i) {
      const std::vector<std::int64_t> values = random_values(writer);
      std::vector<std::int64_t> frame(code.frame_size(), 0);
      std::copy(values.begin(), values.end(), frame.begin());
      code.write_constants(frame);
      SimulationRandom one(seed), other(seed);
      const auto compare = [&](const std::function<std::string()>& tree,
                               const std::function<std::string()>& flat) {
        const std::string expected = outcome(tree);
        ASSERT_EQ(expected, outcome(flat)) << "seed " << seed;
        if (expected.find("random.rddl") != std::string::npos) {
          ++refused;
          other = one;
        }
        ASSERT_TRUE(one == other) << "seed " << seed;
      };
      if (pool[truth].kind == NodeKind::boolean) {
        compare([&] { return std::to_string(evaluate_integer(pool, truth, values, &one) != 0); },
                [&] { return std::to_string(code.run(truth_code, pool, frame, &other)); });
      }
      compare([&] { return std::to_string(evaluate_integer(pool, whole, values, &one)); },
              [&] {
                code.run(whole_code, pool, frame, &other);
                return std::to_string(frame[target]);
              });
      compare([&] { return bits_of(evaluate_real(pool, real, values, &one)); },
              [&] { return bits_of(real_of_value(code.run(real_code, pool, frame, &other))); });
      drawn += one == SimulationRandom(seed) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(drawn, 500);
}

TEST(ExpressionCode, FractionsAreWholeMultiples) {
  int scaled = 0, too_large = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    ExpressionWriter writer(seed);
    const NodeId node = writer.fraction(3);
    const NodePool& pool = writer.pool();
    if (pool.is_random(node)) continue;
    CodeBuilder builder(pool, slot_count);
    const auto entry = builder.add_scaled(node);
    if (!entry) continue;
    const ExpressionCode code = builder.finish();
    for (int i = 0; i < 5; ++i) {
      std::vector<std::int64_t> frame(code.frame_size(), 0);
      const std::vector<std::int64_t> values = random_values(writer);
      std::copy(values.begin(), values.end(), frame.begin());
      code.write_constants(frame);
      const auto tree = outcome([&] { return to_string(evaluate_rational(pool, node, values)); });
      try {
        const auto flat = outcome([&] {
          return to_string(
              make_rational(code.run(entry->address, pool, frame, nullptr, false), entry->scale));
        });
        ASSERT_EQ(tree, flat) << "seed " << seed;
        ++scaled;
      } catch (const OverflowError&) {
        ++too_large;
      }
    }
  }
  EXPECT_GT(scaled, 1000);
  EXPECT_GT(too_large, 0);
}

// x / 4 < x / 3 is 3 x < 4 x, which does not fit for a large x.
TEST(ExpressionCode, AFractionThatFitsIsFoundWhereItsMultipleDoesNot) {
  NodePool pool(1000);
  const SourcePlace place;
  const NodeId x = pool.variable(2, NodeKind::integer, place);
  const NodeId third =
      pool.make(Operation::multiply, {pool.constant(make_rational(1, 3), NodeKind::real), x}, place);
  const NodeId quarter =
      pool.make(Operation::multiply, {pool.constant(make_rational(1, 4), NodeKind::real), x}, place);
  const NodeId below = pool.make(Operation::less, {quarter, third}, place);
  CodeBuilder builder(pool, slot_count);
  const std::uint32_t address = builder.add_truth(below);
  const ExpressionCode code = builder.finish();
  std::vector<std::int64_t> frame(code.frame_size(), 0);
  code.write_constants(frame);
  for (const std::int64_t value :
       {std::int64_t{-12}, std::int64_t{0}, std::int64_t{12}, std::numeric_limits<std::int64_t>::max() - 7}) {
    frame[2] = value;
    EXPECT_EQ(code.run(address, pool, frame, nullptr) != 0, value > 0) << value;
  }
}

// More temporaries than there are: the tree is asked.
TEST(ExpressionCode, WhatIsTooLargeIsAskedOfTheTree) {
  NodePool pool(100'000);
  const SourcePlace place;
  std::vector<NodeId> weights;
  for (int i = 0; i < 5000; ++i) {
    const NodeId x = pool.variable(2, NodeKind::integer, place);
    weights.push_back(pool.make(
        Operation::multiply,
        {pool.constant(make_rational(1, 2), NodeKind::real),
         pool.make(Operation::equal, {x, pool.constant(make_rational(i), NodeKind::integer)}, place)},
        place));
  }
  const NodeId number = pool.random(Distribution::unnormalized_discrete, weights, place);
  CodeBuilder builder(pool, slot_count);
  const CodeBuilder::Definition definition{target, number, false};
  const std::uint32_t address = builder.add_definitions({&definition, 1});
  const std::uint32_t truth = builder.add_truth(
      pool.make(Operation::equal, {number, pool.constant(make_rational(1234), NodeKind::integer)}, place));
  const ExpressionCode code = builder.finish();
  std::vector<std::int64_t> frame(code.frame_size(), 0);
  code.write_constants(frame);
  frame[2] = 1234;
  SimulationRandom random(1);
  code.run(address, pool, frame, &random);
  EXPECT_EQ(frame[target], 1234);
  EXPECT_EQ(code.run(truth, pool, frame, &random), 1);
}

TEST(ExpressionCode, ARealThatIsNoNumberIsRefused) {
  NodePool pool(1000);
  const SourcePlace place;
  const NodeId x = pool.variable(4, NodeKind::floating, place);
  const CodeBuilder::Definition definition{target, pool.math(*math_function_named("sqrt"), {x}, place), true};
  CodeBuilder builder(pool, slot_count);
  const std::uint32_t address = builder.add_definitions({&definition, 1});
  const ExpressionCode code = builder.finish();
  std::vector<std::int64_t> frame(code.frame_size(), 0);
  code.write_constants(frame);
  frame[4] = value_of_real(4);
  code.run(address, pool, frame, nullptr);
  EXPECT_EQ(real_of_value(frame[target]), 2);
  frame[4] = value_of_real(-4);
  EXPECT_THROW(code.run(address, pool, frame, nullptr), NotANumber);
}

}  // namespace
}  // namespace bnnplan::rddl
