// Compiled problems against the simulator: on every legal pair of state and action the constraints give
// exactly the simulator's next state, by the propagation of the plan checker alone; illegal pairs are
// refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "rddl/rddl_text.hpp"
#include "rddl/same_steps.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;
using testing::model_of;

using testing::check_step;
using testing::expect_same_steps;
using testing::same_step;

TEST(Compile, EveryShippedInstanceStepsAsItsSimulator) {
  for (const std::string_view name : testing::shipped_instances) {
    Simulator simulator = testing::shipped(name);
    const Problem problem = compile_problem(simulator.model(), {});
    EXPECT_EQ(parse_problem(problem_text(problem), "p.toml", ""), problem) << name;
    EXPECT_EQ(problem.name, name);
    expect_same_steps(simulator, problem, name == "sysadmin_5" ? 97 : 7);
  }
}

TEST(Compile, LargerInstancesStepAsTheirSimulators) {
  for (const std::string_view name : testing::larger_instances) {
    Simulator simulator = testing::shipped(name);
    const Problem problem = compile_problem(simulator.model(), {});
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    ExploreOptions options;
    options.episodes = 50;
    options.steps = 1;
    options.start = EpisodeStart::anywhere;
    EXPECT_EQ(explore(simulator, layout, options, same_step(simulator, problem, layout)).transitions, 50u);
  }
}

TEST(Compile, NavigationGolden) {
  const Problem problem = compile_problem(testing::shipped("navigation_3x3").model(), {});
  EXPECT_EQ(problem.horizon, 4);
  EXPECT_EQ(problem.state.bit_count(), 9u);
  EXPECT_EQ(problem.action.bit_count(), 4u);
  EXPECT_EQ(problem.objective.text, "up + down + right + left");
  EXPECT_FALSE(problem.objective.maximize);
  ASSERT_EQ(problem.constraints.size(), 2u);
  EXPECT_EQ(problem.constraints[0].text, "up + down + right + left <= 1");
  EXPECT_EQ(problem.constraints[1].text,
            "robot-at[x1| y1] + robot-at[x1| y2] + robot-at[x1| y3] + robot-at[x2| y1] + robot-at[x2| y2] + "
            "robot-at[x2| y3] + robot-at[x3| y1] + robot-at[x3| y2] + robot-at[x3| y3] == 1");
  ASSERT_EQ(problem.goal.size(), 2u);
  EXPECT_EQ(problem.goal[0].text, "robot-at[x2| y3] == 1");
  EXPECT_EQ(problem.goal[1].text, problem.constraints[1].text);
}

TEST(Compile, IntegerWidths) {
  const auto state_bits = [](std::string_view name) {
    return compile_problem(testing::shipped(name).model(), {}).state.bit_count();
  };
  EXPECT_EQ(state_bits("inventory_2"), 6u);  // threshold, 4 stock, 1 month
  EXPECT_EQ(state_bits("inventory_4"), 7u);
  EXPECT_EQ(state_bits("sysadmin_4"), 12u);
  EXPECT_EQ(state_bits("sysadmin_5"), 15u);
  EXPECT_EQ(state_bits("cellda_x"), 10u);
}

// A network that gives these bits as constants: enough to see what remains known.
CompileOptions with_outputs(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& learned) {
  CompileOptions options;
  Network network;
  network.inputs = {"move-up"};
  network.outputs = outputs;
  Layer layer;
  for (std::size_t i = 0; i < outputs.size(); ++i) layer.neurons.push_back({{1}, 0});
  network.layers.push_back(layer);
  options.network = network;
  options.network_file = "n.bnn";
  options.learned = learned;
  return options;
}

TEST(Compile, LearnedFluentsHaveNoKnownTransitions) {
  const GroundModel model = testing::shipped("cellda_x").model();
  const std::vector<std::string> outputs = {"enemy-x.0'", "enemy-x.1'", "enemy-y.0'", "enemy-y.1'"};
  const Problem problem = compile_problem(model, with_outputs(outputs, {"enemy-x", "enemy-y"}));
  EXPECT_EQ(problem.network_outputs, (std::vector<std::uint32_t>{6, 7, 8, 9}));
  for (const LinearConstraint& transition : problem.transitions) {
    EXPECT_EQ(transition.text.find("enemy-x.0'"), std::string::npos) << transition.text;
    EXPECT_EQ(transition.text.find("towards"), std::string::npos) << "not needed for what is known";
  }
  EXPECT_EQ(problem.auxiliary.bit_count(), 4u) << "new-x and new-y";
  EXPECT_EQ(input_error_of([&] { compile_problem(model, with_outputs(outputs, {"enemy-x"})); }),
            "'enemy-y' is not to be learned, but 'enemy-y.0'' is an output of the network");
  EXPECT_EQ(input_error_of([&] { compile_problem(model, with_outputs({"enemy-x.0'"}, {"enemy-x"})); }),
            "'enemy-x' is to be learned, but 'enemy-x.1'' is not an output of the network");
  EXPECT_EQ(input_error_of([&] {
              compile_problem(model, with_outputs(outputs, {"enemy-x", "enemy-y", "enemy"}));
            }),
            "'enemy' is to be learned, but is not a state-fluent, did you mean 'enemy-x'?");
  EXPECT_EQ(input_error_of([&] { compile_problem(model, with_outputs({"enemy-z'"}, {})); }),
            "network output 'enemy-z'' is not a variable of the problem, did you mean 'enemy-x'?");
}

TEST(Compile, SaysWhereItIsAndStops) {
  const GroundModel model = testing::shipped("cellda_x").model();
  CompileOptions options;
  std::vector<std::string> seen;
  std::size_t last = 0;
  int most_bits = 0, most_covers = 0, last_covered = 0;
  options.progress = [&](const CompileProgress& progress) {
    if (seen.empty() || seen.back() != progress.what) seen.push_back(progress.what);
    EXPECT_GE(progress.definition, last) << progress.what;
    EXPECT_LE(progress.definition, progress.definitions) << progress.what;
    EXPECT_TRUE(progress.table_share >= 0 && progress.table_share <= 1);
    if (progress.covers > 0) {
      EXPECT_LT(progress.covered, progress.covers) << progress.what;
      EXPECT_EQ(progress.table_share, 1) << "rows come first";
      EXPECT_TRUE(progress.covered == 0 || progress.covered >= last_covered) << progress.what;
    }
    last_covered = progress.covered;
    last = progress.definition;
    most_bits = std::max(most_bits, progress.table_bits);
    most_covers = std::max(most_covers, progress.covers);
  };
  compile_problem(model, options);
  EXPECT_EQ(last, 10u);
  EXPECT_GE(most_bits, 10);
  EXPECT_GE(most_covers, 4) << "ones and zeros of every bit";
  EXPECT_EQ(seen.front(), "the range of 'new-x'");
  EXPECT_NE(std::find(seen.begin(), seen.end(), "the cpf of 'alive'"), seen.end());

  // Stopped at any point, it stops.
  std::size_t calls = 0, stop_at = 0;
  std::atomic<bool> interrupt = false;
  Limits limits;
  limits.interrupt = &interrupt;
  options.progress = [&](const CompileProgress&) { interrupt = ++calls == stop_at || interrupt; };
  compile_problem(model, options);
  const std::size_t all = calls;
  for (stop_at = 1; stop_at < all; stop_at += 1 + all / 20) {
    calls = 0;
    interrupt = false;
    LimitWatch watch(limits);
    options.watch = &watch;
    EXPECT_THROW(compile_problem(model, options), LimitReached);
    EXPECT_EQ(calls, stop_at);
    EXPECT_EQ(watch.reason(), StopReason::interrupted);
  }
}

constexpr std::string_view mixed_domain = R"(
  domain mixed {
    types { lamp : object; mode : { @off, @slow, @fast }; };
    pvariables {
      COST : { non-fluent, real, default = 0.5 };
      lit(lamp) : { state-fluent, bool, default = false };
      heat : { state-fluent, int, default = 0 };
      gear : { state-fluent, mode, default = @off };
      both : { interm-fluent, bool };
      toggle(lamp) : { action-fluent, bool, default = false };
      shift : { action-fluent, mode, default = @off };
      push : { action-fluent, int, default = 0 };
    };
    cpfs {
      both = lit(l1) ^ lit(l2);
      lit'(?l) = lit(?l) ~= toggle(?l);
      heat' = if (both) then min[heat + push, 2] else max[heat - 1, -3];
      gear' = if (shift == @off) then gear else shift;
    };
    reward = COST * both * heat - 2 * (gear' == @fast) + heat / 4 + sum_{?l : lamp} lit'(?l) - 0.1 * push;
    state-action-constraints {
      push >= 0; push <= 2;
      shift == @fast => (lit(l1) | heat > 0);
      (sum_{?l : lamp} toggle(?l)) + push <= 2;
    };
    state-invariants { heat >= -3; heat <= 2; };
    goal-state { lit(l1) = true; gear == @fast | gear == @slow; };
  })";
constexpr std::string_view mixed_instance =
    "instance m { domain = mixed; objects { lamp : {l1, l2}; }; max-nondef-actions = 2; horizon = 3; }";

TEST(Compile, ObjectsNegativeIntegersFormulasAndRewards) {
  Simulator simulator(model_of(mixed_domain, mixed_instance));
  const Problem problem = compile_problem(simulator.model(), {});
  EXPECT_EQ(parse_problem(problem_text(problem), "p.toml", ""), problem);
  expect_same_steps(simulator, problem);
  // Illegal pairs are refused: all actions in all states within their ranges.
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  std::size_t illegal = 0;
  for_each_state(simulator, layout, {}, [&](const StateValues& state) {
    for (std::int64_t code = 0; code < 2 * 2 * 3 * 4; ++code) {
      const ActionValues action = {code & 1, code >> 1 & 1, code / 4 % 3, code / 12};
      if (simulator.legal(state, action)) continue;
      ++illegal;
      EXPECT_FALSE(check_step(problem, layout, state, action).accepted);
    }
  });
  EXPECT_GT(illegal, 100u);
  EXPECT_TRUE(problem.objective.maximize);
  // The variables that plans name are the same without transitions.
  const Problem variables = compile_variables(simulator.model(), {});
  EXPECT_EQ(variables.state, problem.state);
  EXPECT_EQ(variables.action, problem.action);
  EXPECT_EQ(variables.auxiliary, problem.auxiliary);
}

std::string compile_error(std::string_view fluents, std::string_view cpfs, std::string_view rest,
                          const CompileOptions& options = {}, std::string_view instance_rest = "") {
  std::string objects = "o0";
  for (int i = 1; i < 30; ++i) objects += ", o" + std::to_string(i);
  return input_error_of([&] {
    compile_problem(
        model_of(fmt::format("domain d {{ types {{ t : object; }}; pvariables {{ p(t) : {{ state-fluent, "
                             "bool }}; {} }};\ncpfs {{ p'(?x) = p(?x); {} }};\n{} }}",
                             fluents, cpfs, rest),
                 fmt::format("instance i {{ domain = d; objects {{ t : {{ {} }}; }}; {} }}", objects,
                             instance_rest)),
        options);
  });
}

TEST(Compile, RewardsWithManyProducts) {
  Simulator simulator(
      model_of("domain d { types { t : object; }; pvariables { p(t) : { state-fluent, bool, default = true };"
               " go(t) : { action-fluent, bool }; };"
               " cpfs { p'(?x) = p(?x) ^ ~go(?x); };"
               " reward = sum_{?x : t, ?y : t} [0.5 * p(?x) * go(?y)]; }",
               "instance i { domain = d; objects { t : { o1, o2, o3 }; }; }"));
  const Problem problem = compile_problem(simulator.model(), {});
  EXPECT_EQ(problem.state.bit_count(), 3u + 9u) << "one variable for each product";
  expect_same_steps(simulator, problem);
}

// A reward whose numbers are not decimal, or have too many digits, is multiplied until they are.
TEST(Compile, RewardsAreMultiplied) {
  const auto objective = [](std::string_view reward) {
    const GroundModel model = model_of(
        fmt::format("domain d {{ pvariables {{ s : {{ state-fluent, bool }}; a : {{ action-fluent, bool }};"
                    " b : {{ action-fluent, bool }}; }}; cpfs {{ s' = a; }}; reward = {}; }}",
                    reward),
        "instance i { domain = d; }");
    const Problem problem = compile_problem(model, {});
    EXPECT_EQ(parse_problem(problem_text(problem), "p.toml", ""), problem);
    return fmt::format("{} of {}", problem.objective.text, problem.objective.multiple);
  };
  EXPECT_EQ(objective("a / 3 + 0.5 * b"), "a + 1.5 b of 3");
  EXPECT_EQ(objective("a / 6 - b / 7"), "3.5 a - 3 b of 21");
  EXPECT_EQ(objective("a / 3 + a * 2 / 3"), "a of 1");
  EXPECT_EQ(objective("a / 33554432 + b"), "a + 33554432 b of 33554432");
  EXPECT_EQ(objective("a * 0.125 + b"), "0.125 a + b of 1");
}

TEST(Compile, Refusals) {
  EXPECT_EQ(
      compile_error("a : { action-fluent, bool };", "", "reward = a;", {}, "discount = 0.9; horizon = 40;"),
      "i.rddl:1:1: a discount of 0.9 over 40 steps has weights of 39 decimals, expected at most 18 (a "
      "shorter "
      "horizon, or rounded weights: 'discount-digits', or the discount option of compile)");
  EXPECT_EQ(
      compile_error("a : { action-fluent, bool };", "", "reward = a;", {}, "discount = 1.5;"),
      "i.rddl:1:1: a discount of 1.5, expected a number above 0 and at most 1 (or the discount ignored)");
  EXPECT_NE(
      compile_error("a : { action-fluent, bool };", "", "reward = a / (1 + p(o1));")
          .find("a part that is a fraction (a quotient of two variables, a product of two numbers) is not"),
      std::string::npos);
  EXPECT_EQ(compile_error("s : { state-fluent, bool }; i : { interm-fluent, int };",
                          "i = div[3, 1 + (sum_{?x : t} p(?x)) - 2 * p(o1)]; s' = i > 2;", "")
                .substr(12),
            " the range of interm-fluent 'i' is unknown, expected bits i=N");
  CompileOptions few;
  few.clause_limit = 3;
  EXPECT_EQ(compile_error("s : { state-fluent, bool };", "s' = (p(o1) ~= p(o2)) ~= p(o3);", "", few),
            "d.rddl:2:24: the cpf of 's' needs more than 3 clauses");
}

TEST(Compile, ConditionsThatAlwaysOrNeverHold) {
  const std::string domain =
      "domain d { pvariables { s : {state-fluent, bool}; n : {state-fluent, int}; }; cpfs { s' = s; n' = n; "
      "};"
      " state-invariants { n >= 0; n <= 3; }; goal-state { n >= 4; }; }";
  const Problem problem = compile_problem(model_of(domain, "instance i { domain = d; }"), {});
  EXPECT_TRUE(problem.constraints.empty()) << "two bits say all of it";
  ASSERT_EQ(problem.goal.size(), 1u);
  EXPECT_EQ(problem.goal[0].text, "0 >= 1");
  EXPECT_EQ(problem.transitions[0].text, "s' == s");
  EXPECT_EQ(problem.transitions[1].text, "n' == n");
}

TEST(Compile, StepsOutOfRangeAreImpossible) {
  Simulator simulator(
      model_of("domain d { pvariables { n : {state-fluent, int}; a : {action-fluent, bool}; };"
               " cpfs { n' = if (a) then n + 2 else n; };"
               " state-invariants { n >= 0; n <= 3; }; }",
               "instance i { domain = d; }"));
  const Problem problem = compile_problem(simulator.model(), {});
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  EXPECT_TRUE(check_step(problem, layout, {1}, {1}).accepted);
  EXPECT_FALSE(check_step(problem, layout, {2}, {1}).accepted);
  EXPECT_TRUE(check_step(problem, layout, {2}, {0}).accepted);
}

}  // namespace
}  // namespace bnnplan::rddl
