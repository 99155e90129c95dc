// Real fluents as fixed point: the compiled problem steps as the domain does, rounded.
#include "bnnplan/rddl/compile/fixed_point.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "rddl/rddl_text.hpp"
#include "rddl/same_steps.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;
using testing::model_of;

constexpr std::string_view tank_instance =
    "instance i { domain = d; init-state { level = 1.23; }; horizon = 4; }";

// A tank: what flows in, what leaks, and what is let out.
GroundModel tank(std::string_view next, std::string_view reward = "-abs[level' - 3]",
                 std::string_view bounds = "level >= 0; level <= 5;") {
  return model_of(
      fmt::format("domain d {{ pvariables {{ level : {{ state-fluent, real, default = 0.0 }};"
                  " on : {{ state-fluent, bool }}; flow : {{ action-fluent, real, default = 0.0 }};"
                  " drain : {{ action-fluent, bool }}; }}; cpfs {{ on' = drain; level' = {}; }}; reward = {};"
                  " action-preconditions {{ flow >= 0; flow <= 1.5; }}; state-invariants {{ {} }}; }}",
                  next, reward, bounds),
      tank_instance);
}

CompileOptions options_of(const std::vector<std::string>& precision) {
  CompileOptions options;
  options.precision = parse_precision(precision);
  return options;
}

TEST(FixedPoint, StepsAsTheRoundedDomain) {
  for (const std::string_view next :
       {"max[0.0, min[5.0, level + flow - 0.5]]", "max[0.0, 0.9 * level + 0.25 * flow - 0.125 * drain]",
        "max[0.0, min[5.0, level + flow * drain - 0.3 * level * on]]", "level * level / 5",
        "min[5.0, abs[level - flow * level]]", "2.5 + 2.5 * sin[level]", "level / (1 + flow)"}) {
    for (const std::string_view reward :
         {"-abs[level' - 3]", "level' - 0.5 * flow", "-pow[level - 2, 2] - flow * flow"}) {
      SCOPED_TRACE(fmt::format("{} {}", next, reward));
      const GroundModel model = tank(next, reward);
      CompileOptions options = options_of({"level=0.1", "flow=1"});
      Simulator simulator(planning_model(model, {}, options.precision));
      for (const int bits : {6, 14}) {
        // A function that is too large for a table is rounded by itself.
        if (bits == 6 &&
            (next.find("sin") != std::string_view::npos || next.find("/ (") != std::string_view::npos))
          continue;
        options.table_bits = bits;
        testing::expect_same_steps(simulator, compile_problem(model, options), 5);
      }
    }
  }
}

TEST(FixedPoint, IsWithinHalfAUnitOfTheRealDomain) {
  const GroundModel model = tank("max[0.0, min[5.0, 0.9 * level + 0.33 * flow]]");
  const FixedPoint precision = parse_precision({"0.01"});
  Simulator real(model), fixed(planning_model(model, {}, precision));
  EXPECT_EQ(fixed.model().state[0].initial, 123);
  for (std::int64_t level = 0; level <= 500; level += 7) {
    for (std::int64_t flow = 0; flow <= 150; flow += 11) {
      const double next = real_of_value(real.step({value_of_real(static_cast<double>(level) / 100), 0},
                                                  {value_of_real(static_cast<double>(flow) / 100), 0})[0]);
      EXPECT_NEAR(static_cast<double>(fixed.step({level, 0}, {flow, 0})[0]) / 100, next, 0.005 + 1e-9);
    }
  }
}

TEST(FixedPoint, FunctionsInLargeExpressionsAreRoundedByThemselves) {
  const GroundModel model = tank("max[0.0, min[5.0, level + flow + sin[level]]]", "level'");
  CompileOptions options = options_of({"level=0.1", "flow=0.1"});
  options.table_bits = 7;  // level has 6 bits, flow 4
  const Problem problem = compile_problem(model, options);
  Simulator fixed(planning_model(model, {}, options.precision));
  const BitLayout layout = make_bit_layout(fixed.model(), {});
  for (std::int64_t level = 0; level <= 50; ++level) {
    const checking::PlanCheck step = testing::check_step(problem, layout, {level, 0}, {3, 0});
    ASSERT_TRUE(step.accepted) << step.violation;
    const double exact = std::max(0.0, std::min(5.0, static_cast<double>(level) / 10 + 0.3 +
                                                         std::sin(static_cast<double>(level) / 10)));
    EXPECT_NEAR(std::stod(to_string(-cost_in_units(problem, step.cost))), exact, 0.05 + 0.005 + 1e-9);
  }
  options.table_bits = 5;
  EXPECT_NE(input_error_of([&] { compile_problem(model, options); }).find("too many bits to tabulate"),
            std::string::npos);
}

TEST(FixedPoint, VariablesAreScaled) {
  const Problem problem = compile_problem(tank("level", "level'"), options_of({"0.01"}));
  EXPECT_EQ(problem.state.variables[0].scale, -2);
  EXPECT_EQ(problem.state.variables[0].bits, 9);
  EXPECT_EQ(problem.action.variables[0].scale, -2);
  EXPECT_EQ(problem.objective.text, "level'");
}

TEST(FixedPoint, RangesAreDeclaredGivenOrSimulated) {
  const GroundModel model = tank("level + flow - 0.5", "level'", "");
  CompileOptions options = options_of({"0.1"});
  std::vector<std::string> notes;
  const Problem simulated = compile_problem(model, options, &notes);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], "real 'flow' is a multiple of 0.1");
  EXPECT_EQ(notes[1], "real 'level' is a multiple of 0.1: each step rounds it by at most 0.05");
  EXPECT_EQ(notes[2].substr(0, 40), "range of 'level' by simulation: within -") << notes[2];
  EXPECT_TRUE(simulated.state.variables[0].twos_complement);
  options.ranges = parse_given_ranges({"level=0..2.5"});
  notes.clear();
  const Problem given = compile_problem(model, options, &notes);
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(given.state.variables[0].bits, 5);
  // A step that leaves the bits is impossible.
  Simulator fixed(planning_model(model, {}, options.precision));
  const BitLayout layout = make_bit_layout(fixed.model(), {}, 0, options.ranges);
  EXPECT_TRUE(testing::check_step(given, layout, {20, 0}, {5, 0}).accepted);
  EXPECT_FALSE(testing::check_step(given, layout, {1, 0}, {0, 0}).accepted);
}

TEST(FixedPoint, OfIntegersARangeIsABound) {
  const GroundModel model = model_of(
      "domain d { pvariables { n : { state-fluent, int }; up : { action-fluent, bool }; };"
      " cpfs { n' = n + up; }; reward = n; }",
      "instance i { domain = d; }");
  CompileOptions options;
  options.ranges = parse_given_ranges({"n=-3..3"});
  EXPECT_TRUE(compile_problem(model, options).state.variables[0].twos_complement);
  EXPECT_EQ(compile_problem(model, options).state.variables[0].bits, 3);
  options.ranges.clear();
  options.bits = parse_given_bits({"n=4s"});
  EXPECT_TRUE(compile_problem(model, options).state.variables[0].twos_complement);
  EXPECT_EQ(compile_problem(model, options).state.variables[0].bits, 4);
  options.bits = parse_given_bits({"n=4"});
  EXPECT_FALSE(compile_problem(model, options).state.variables[0].twos_complement);
}

TEST(FixedPoint, BadOptions) {
  for (const std::string text :
       {"level", "level=0.02", "level=10", "level=", "=0.1", "0", "level=1e-10", "level=x"}) {
    EXPECT_EQ(input_error_of([&] { parse_precision({text}); }),
              "bad precision '" + text +
                  "', expected NAME=P or P (for all reals) with P one of 1, 0.1, 0.01, ..., 1e-9");
  }
  for (const std::string text : {"n", "n=1", "n=3..1", "n=..", "=1..2", "n=1..x", "n=1...2"}) {
    EXPECT_EQ(input_error_of([&] { parse_given_ranges({text}); }),
              "bad range '" + text + "', expected NAME=LOW..HIGH");
  }
  EXPECT_EQ(input_error_of([&] { compile_problem(tank("level"), options_of({"levle=0.1"})); }),
            "a precision for 'levle', which is not a real state or action fluent of the model, did you mean "
            "'level'?");
  CompileOptions options = options_of({"0.1"});
  options.ranges = parse_given_ranges({"levle=0..1"});
  EXPECT_EQ(
      input_error_of([&] { compile_problem(tank("level"), options); }),
      "a range for 'levle', which is not a number of the model's state or actions, did you mean 'level'?");
  EXPECT_NE(input_error_of([&] {
              compile_problem(tank("level"), options_of({"level=0.1"}));
            }).find("action-fluent 'flow' is real"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              compile_problem(tank("level * 1000", "level'", ""), options_of({"0.000001"}));
            }).find("too large at a precision of 1e-06: expected range level=LOW..HIGH or a coarser one"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan::rddl
