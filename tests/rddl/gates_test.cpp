// Gates against the simulator: with tables of a few bits only, nearly everything is compiled operation by
// operation, and must give the same steps and rewards as the domain, by the propagation of the plan checker
// alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "rddl/rddl_text.hpp"
#include "rddl/same_steps.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::expect_same_steps;

CompileOptions small_tables(int bits) {
  CompileOptions options;
  options.table_bits = bits;
  return options;
}

TEST(Gates, ShippedInstancesStepAsTheirSimulators) {
  for (const std::string_view name : {"navigation_3x3", "inventory_2", "sysadmin_4", "cellda_x"}) {
    Simulator simulator = testing::shipped(name);
    expect_same_steps(simulator, compile_problem(simulator.model(), small_tables(6)), 23);
  }
}

// Four Booleans and two integers from 0 to 3.
GroundModel two_numbers(std::string_view cpf_of_a, std::string_view cpf_of_m, std::string_view reward,
                        std::string_view rest = "") {
  return testing::model_of(
      fmt::format("domain d {{ types {{ t : object; c : {{ @red, @green, @blue }}; }};"
                  " pvariables {{ p(t) : {{ state-fluent, bool }}; a : {{ state-fluent, bool }};"
                  " m : {{ state-fluent, int }}; n : {{ state-fluent, int }}; k : {{ state-fluent, c, "
                  "default = @red }};"
                  " V(t) : {{ non-fluent, int, default = 2 }}; go : {{ action-fluent, bool }}; }};"
                  " cpfs {{ p'(?x) = p(?x) ~= go; a' = {}; m' = max[0, min[3, {}]]; n' = n; k' = k; }};"
                  " reward = {};"
                  " state-invariants {{ m >= 0 ^ m <= 3; n >= 0 ^ n <= 3; }}; {} }}",
                  cpf_of_a, cpf_of_m, reward, rest),
      "instance i { domain = d; objects { t : { o1, o2, o3 }; };"
      " non-fluents { V(o3) = 3; }; }");
}

TEST(Gates, EveryOperation) {
  for (const std::string_view number :
       {"m + n - 2 * a", "(m - n) * go", "m * n", "abs[m - n - 1]", "min[m, n, 2] + max[m, 1]",
        "mod[m + n, 3]", "div[m + 2 * n, 2]", "sum_{?x : t} (p(?x) * V(?x))",
        "if (m > n) then n else if (p(o1)) then m else 2", "sgn[m - n] + 1", "floor[(m + n) / 2]",
        "ceil[m / (1 + n)]", "round[(m + n) / 2]", "pow[m - n, 2]",
        "switch (k) { case @red : m, case @green : n, default : 1 }", "prod_{?x : t} (1 + p(?x))",
        "V(argmax_{?x : t} (p(?x) * V(?x)))", "V(argmin_{?x : t} (V(?x) - 2 * p(?x)))",
        "max_{?x : t} (p(?x) * V(?x))"}) {
    SCOPED_TRACE(number);
    Simulator simulator(
        two_numbers("(m == n) | (a ^ (n <= 1))", number, fmt::format("0.5 * ({}) - 0.25 * go", number)));
    expect_same_steps(simulator, compile_problem(simulator.model(), small_tables(5)));
  }
}

// Random formulas and numbers.
class Formula {
 public:
  explicit Formula(std::uint64_t seed) : random_(seed) {}

  std::string truth(int depth) {
    if (depth == 0) return pick({"a", "go", "p(o1)", "p(o2)", "p(o3)", "(k == @green)"});
    switch (random_.below(6)) {
      case 0:
        return fmt::format("({} {} {})", truth(depth - 1), pick({"^", "|", "=>", "<=>"}), truth(depth - 1));
      case 1:
        return fmt::format("(~{})", truth(depth - 1));
      case 2:
        return fmt::format("(if ({}) then {} else {})", truth(depth - 1), truth(depth - 1), truth(depth - 1));
      case 3:
        return fmt::format("(exists_{{?x{0} : t}} [p(?x{0}) ^ {1}])", depth, truth(depth - 1));
      default:
        return fmt::format("({} {} {})", number(depth - 1), pick({"==", "~=", "<", "<=", ">", ">="}),
                           number(depth - 1));
    }
  }

  std::string number(int depth) {
    if (depth == 0) return pick({"m", "n", "1", "2", "0.5", "a", "V(o3)"});
    switch (random_.below(6)) {
      case 0:
        return fmt::format("({} {} {})", number(depth - 1), pick({"+", "-"}), number(depth - 1));
      case 1:
        return fmt::format("({} * {})", truth(depth - 1), number(depth - 1));
      case 2:
        return fmt::format("(if ({}) then {} else {})", truth(depth - 1), number(depth - 1),
                           number(depth - 1));
      case 3:
        return fmt::format("{}[{}, {}]", pick({"min", "max"}), number(depth - 1), number(depth - 1));
      case 4:
        return fmt::format("abs[{}]", number(depth - 1));
      default:
        return fmt::format("(sum_{{?x{0} : t}} [V(?x{0}) * p(?x{0}) - {1}])", depth, truth(depth - 1));
    }
  }

 private:
  std::string pick(std::initializer_list<const char*> words) {
    return *(words.begin() + static_cast<std::ptrdiff_t>(random_.below(words.size())));
  }

  bnnplan::Random random_;
};

TEST(Gates, RandomFormulas) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Formula formula(seed);
    const std::string truth = formula.truth(3), number = formula.number(3), reward = formula.number(3);
    SCOPED_TRACE(fmt::format("{}: a' = {}; m' = floor[{}]; reward = {}", seed, truth, number, reward));
    Simulator simulator(two_numbers(truth, "floor[" + number + "]", reward));
    Problem problem;
    try {
      problem = compile_problem(simulator.model(), small_tables(8));
    } catch (const InputError& error) {
      // floor[...] of a fraction may depend on too much.
      EXPECT_NE(std::string(error.what()).find("too many bits to tabulate"), std::string::npos)
          << error.what();
      continue;
    }
    expect_same_steps(simulator, problem, 7);
  }
}

TEST(Gates, SumsOverManyBits) {
  const GroundModel model = testing::model_of(
      "domain d { types { t : object; }; pvariables { p(t) : { state-fluent, bool }; s : { state-fluent, "
      "bool };"
      " go(t) : { action-fluent, bool }; }; cpfs { p'(?x) = p(?x) ~= go(?x); s' = (sum_{?x : t} p(?x)) > 7; "
      "};"
      " reward = if ((sum_{?x : t} p(?x)) == 4) then 2 else s;"
      " action-preconditions { (sum_{?x : t} go(?x)) <= 1; (sum_{?x : t} p(?x)) ~= 12; }; }",
      "instance i { domain = d; objects { t : { a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, "
      "a15, a16,"
      " a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30 }; }; }");
  Simulator simulator(model);
  const Problem problem = compile_problem(model, {});
  const BitLayout layout = make_bit_layout(model, {});
  ExploreOptions options;
  options.episodes = 20;
  options.steps = 12;
  EXPECT_EQ(explore(simulator, layout, options, testing::same_step(simulator, problem, layout)).transitions,
            240u);
}

TEST(Gates, TerminationStaysWithoutReward) {
  Simulator simulator(two_numbers("a | go", "m + 1", "1 + m",
                                  "termination { m == 2; a ^ p(o1); };"
                                  " action-preconditions { go => (n == 1); };"));
  for (const int bits : {5, 14}) {
    const Problem problem = compile_problem(simulator.model(), small_tables(bits));
    EXPECT_EQ(problem.auxiliary.variables.front().name, "terminated");
    expect_same_steps(simulator, problem);
  }
}

TEST(Gates, ReachableRanges) {
  const GroundModel model = testing::model_of(
      "domain d { pvariables { clock : { state-fluent, int }; turn : { state-fluent, int }; go : { "
      "action-fluent, bool }; };"
      " cpfs { clock' = clock + 1 + go; turn' = mod[turn + 2, 4] - 1; }; reward = clock; }",
      "instance i { domain = d; horizon = 5; }");
  EXPECT_NE(testing::input_error_of([&] { compile_problem(model, {}); }).find("reachable_ranges"),
            std::string::npos);
  CompileOptions options;
  options.reachable_ranges = true;
  Problem problem = compile_problem(model, options);
  EXPECT_EQ(problem.state.variables[0].bits, 4);  // up to 10
  EXPECT_EQ(problem.state.variables[1].bits, 3);  // -1 to 2, for ever
  options.horizon = 2;
  problem = compile_problem(model, options);
  EXPECT_EQ(problem.horizon, 2);
  EXPECT_EQ(problem.state.variables[0].bits, 3);  // up to 4
}

// What an action can add is known from its given range, and an action without one is what is asked for first.
TEST(Gates, ReachableRangesOfActionsThatNothingBounds) {
  const GroundModel model = testing::model_of(
      "domain d { pvariables { stock : { state-fluent, int }; order : { action-fluent, int }; };"
      " cpfs { stock' = stock + order; }; reward = stock; }",
      "instance i { domain = d; horizon = 3; }");
  CompileOptions options;
  options.reachable_ranges = true;
  EXPECT_NE(testing::input_error_of([&] { compile_problem(model, options); })
                .find("action 'order' has no upper bound, expected a constraint such as 'order <= 7' "
                      "or bits order=N (or compile range order=LOW..HIGH)"),
            std::string::npos);
  options.ranges = parse_given_ranges({"order=-1..2"});
  EXPECT_EQ(compile_problem(model, options).state.variables[0].bits, 4);  // -3 to 6, signed
  options.ranges = {};
  options.bits = parse_given_bits({"order=2"});
  EXPECT_EQ(compile_problem(model, options).state.variables[0].bits, 4);  // 0 to 9
}

// Gates add expressions to the model while a large conjunction is being written, which must not disturb it:
// it gives the same as its parts alone.
TEST(Gates, AConjunctionOfLargeParts) {
  for (int objects = 4; objects <= 24; ++objects) {
    std::string names, parts;
    const auto part = [&](std::string_view object) {
      return fmt::format("(abs[(sum_{{?c : t}} (x(?c) - a(?c))) - x({})] <= {})", object, objects - 2);
    };
    for (int i = 0; i < objects; ++i) {
      names += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
      parts += part(fmt::format("c{}", i)) + ";";
    }
    const auto compiled = [&](const std::string& constraints) {
      return compile_problem(
          testing::model_of(
              "domain d { types { t : object; }; pvariables { x(t) : { state-fluent, bool };"
              " a(t) : { action-fluent, bool }; }; cpfs { x'(?c) = a(?c) | x(?c); }; reward = 0;"
              " state-action-constraints { " +
                  constraints + " }; }",
              "instance i { domain = d; objects { t : { " + names + " }; }; }"),
          small_tables(4));
    };
    const Problem whole = compiled("forall_{?d : t} " + part("?d") + ";"), separate = compiled(parts);
    EXPECT_EQ(whole.constraints, separate.constraints) << objects;
    EXPECT_EQ(whole.transitions, separate.transitions) << objects;
  }
}

TEST(Gates, Refusals) {
  EXPECT_NE(testing::input_error_of([] {
              compile_problem(two_numbers("a", "m", "exp[m]"), {});
            }).find("this is a floating-point number: planning is exact"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan::rddl
