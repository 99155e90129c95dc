#include "bnnplan/problem/problem_file.hpp"

#include <gtest/gtest.h>

#include "bnnplan/network/network_file.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

constexpr std::string_view full = R"(# line 1
name = "heater"
horizon = 3
network = "heater.bnn"
maximize = "0.5 warm' - on"
goal = ["heat >= 0.1"]
constraints = [
  "on + off <= 1",
  "~on + help >= 1",
]
transitions = ["heat' == heat + 0.1 on"]

[action]
on = "bool"
off = "bool"

[state]
warm = "bool"
heat = { bits = 4, signed = true, scale = -1 }
"odd [name]" = { bits = 2 }

[auxiliary]
help = "bool"

[initial]
warm = false
heat = -0.3
"odd [name].1" = 1
)";

constexpr std::string_view network =
    "bnn 1\nshape 2:3\ninputs\n  on\n  warm\noutputs\n  warm'\n  odd [name].0'\n  odd [name].1'\nlayer\n ++ "
    ">= 1\n +- >= 1\n 00 >= 0\nend\n";

class ProblemFile : public ::testing::Test {
 protected:
  ProblemFile() { folder_.write("heater.bnn", network); }

  Problem parse(std::string_view text) const { return parse_problem(text, "p.toml", folder_.path()); }

  std::string error_after(std::string_view from, std::string_view to) const {
    std::string text(full);
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return input_error_of([&] { parse(text); });
  }

  TemporaryFolder folder_;
};

TEST_F(ProblemFile, ReadsTheTuple) {
  const Problem problem = parse(full);
  EXPECT_EQ(problem.name, "heater");
  EXPECT_EQ(problem.horizon, 3);
  EXPECT_EQ(problem.action.bit_count(), 2u);
  EXPECT_EQ(problem.state.bit_count(), 7u);
  EXPECT_EQ(problem.auxiliary.bit_count(), 1u);
  EXPECT_EQ(problem.state.variables[0].name, "warm") << "in the order of the file";
  EXPECT_EQ(problem.state.bit_name(4), "heat.3");
  EXPECT_EQ(problem.initial, (BitValues{0, 1, 0, 1, 1, unknown_bit, 1})) << "-0.3 is 1101";
  EXPECT_EQ(problem.constraints.size(), 2u);
  EXPECT_EQ(problem.constraints[1].terms.size(), 2u);
  EXPECT_EQ(problem.goal.size(), 1u);
  EXPECT_EQ(problem.objective.decimals, 1);
  EXPECT_TRUE(problem.objective.maximize);
  EXPECT_EQ(problem.objective.terms, (std::vector<Term>{{10, {Place::action, 0}}, {-5, {Place::next, 0}}}));
  EXPECT_EQ(problem.network_inputs, (std::vector<Bit>{{Place::action, 0}, {Place::state, 0}}));
  EXPECT_EQ(problem.network_outputs, (std::vector<std::uint32_t>{0, 5, 6}));
  EXPECT_EQ(bit_name(problem, {Place::next, 6}), "odd [name].1'");
  EXPECT_EQ(to_string(cost_in_units(problem, -15)), "-1.5");
}

TEST_F(ProblemFile, WritingAndReadingGivesTheSameProblem) {
  const Problem problem = parse(full);
  EXPECT_EQ(parse(problem_text(problem)), problem);
  const TemporaryFolder other;
  write_problem(other / "copy.toml", problem);
  EXPECT_EQ(read_problem(other / "copy.toml"), problem);
}

TEST_F(ProblemFile, ProblemsWithoutNetworkActionsOrObjective) {
  const Problem problem = parse("transitions = [\"x' + x == 1\"]\n[state]\nx = \"bool\"\n");
  EXPECT_EQ(problem.horizon, 0);
  EXPECT_FALSE(problem.network);
  EXPECT_TRUE(problem.objective.terms.empty());
  EXPECT_EQ(problem.initial, (BitValues{unknown_bit}));
  EXPECT_EQ(parse(problem_text(problem)), problem);
}

TEST_F(ProblemFile, RefusedPrefixes) {
  const std::string text = std::string(full) +
                           "[[refused]]\ninitial = { warm = false, \"heat.0\" = 1 }\n"
                           "actions = [{ on = true }, {}]\n[[refused]]\n";
  const Problem problem = parse(text);
  ASSERT_EQ(problem.refused.size(), 2u);
  const BitValue u = unknown_bit;
  EXPECT_EQ(problem.refused[0].initial, (BitValues{0, 1, u, u, u, u, u}));
  EXPECT_EQ(problem.refused[0].actions, (std::vector<BitValues>{{1, 0}, {0, 0}}));
  EXPECT_EQ(problem.refused[1].initial, BitValues(7, u));
  EXPECT_TRUE(problem.refused[1].actions.empty());
  EXPECT_EQ(parse(problem_text(problem)), problem);

  const auto error = [&](std::string_view refused) {
    return input_error_of([&] { parse(std::string(full) + std::string(refused)); });
  };
  EXPECT_EQ(error("[refused]\n"), "p.toml:29: 'refused' is table, expected an array of tables");
  EXPECT_EQ(error("[[refused]]\nstep = 1\n"),
            "p.toml:30: unknown key 'step' of a refused prefix, expected initial or actions");
  EXPECT_EQ(error("[[refused]]\nactions = 1\n"),
            "p.toml:30: 'actions' is integer, expected an array of tables");
  EXPECT_EQ(error("[[refused]]\nactions = [1]\n"), "p.toml:30: 'actions' is integer, expected a table");
  EXPECT_EQ(error("[[refused]]\nactions = [{ warm = 1 }]\n"),
            "p.toml:30: action value for 'warm', which is not an action variable");
  EXPECT_EQ(error("[[refused]]\nactions = [{ on = 2 }]\n"),
            "p.toml:30: bad action value for 'on', expected true or false");
  EXPECT_EQ(error("[[refused]]\ninitial = { wrm = 1 }\n"),
            "p.toml:30: unknown variable 'wrm', did you mean 'warm'?");
}

TEST_F(ProblemFile, RefusesWithFileAndLine) {
  EXPECT_EQ(input_error_of([&] { parse(""); }), "p.toml: the problem has no [state] variables");
  EXPECT_EQ(error_after("horizon = 3", "horizon = 0"),
            "p.toml:3: horizon 0 is out of range, expected 1 to 1000000");
  EXPECT_EQ(error_after("horizon = 3", "horizon = 3\nlongest = 2"),
            "p.toml:3: horizon 3, expected at most 2: the ranges of the problem's variables do not allow "
            "more steps ('longest')");
  EXPECT_EQ(error_after("horizon = 3", "longest = 0"),
            "p.toml:3: longest 0 is out of range, expected 1 to 1000000");
  EXPECT_EQ(error_after("horizon = 3", "longest = true"),
            "p.toml:3: 'longest' is boolean, expected an integer");
  EXPECT_EQ(error_after("horizon = 3", "horizon = -4"),
            "p.toml:3: horizon -4 is out of range, expected 1 to 1000000");
  EXPECT_EQ(error_after("horizon = 3", "horizon = 1000001"),
            "p.toml:3: horizon 1000001 is out of range, expected 1 to 1000000");
  EXPECT_EQ(error_after("horizon = 3", "horizon = 3.5"),
            "p.toml:3: 'horizon' is floating-point, expected an integer");
  EXPECT_EQ(error_after("horizon = 3", "horizn = 3"),
            "p.toml:3: unknown key 'horizn', did you mean 'horizon'?");
  EXPECT_EQ(error_after("name = \"heater\"", "name = 7"), "p.toml:2: 'name' is integer, expected a string");
  EXPECT_EQ(error_after("goal = [\"heat >= 0.1\"]", "goal = \"heat >= 0.1\""),
            "p.toml:6: 'goal' is string, expected an array of strings");
  EXPECT_EQ(error_after("[\"heat >= 0.1\"]", "[1]"), "p.toml:6: 'goal' is integer, expected a string");
  EXPECT_EQ(error_after("on + off <= 1", "on + of <= 1"),
            "p.toml:8: unknown variable 'of', did you mean 'off'? (in \"on + of <= 1\", column 6)");
  EXPECT_EQ(error_after("0.5 warm' - on", "0.5 warm - on"),
            "p.toml:5: 'warm' in the reward: it is over actions and the next state, write 'warm'' (in \"0.5 "
            "warm - on\", column 5)");
  EXPECT_EQ(error_after("maximize", "minimize = \"on\"\nmaximize"),
            "p.toml:6: both 'minimize' and 'maximize' are given");
  EXPECT_EQ(error_after("[action]\non", "[action]\nwarm"), "p.toml:18: duplicate variable 'warm'");
  EXPECT_EQ(error_after("off = \"bool\"", "\"heat.0\" = \"bool\""), "p.toml:19: duplicate variable 'heat.0'");
  EXPECT_EQ(error_after("off = \"bool\"", "\"off'\" = \"bool\""),
            "p.toml:15: bad variable name 'off'': a name must not end with ', which marks the next state");
  EXPECT_EQ(error_after("off = \"bool\"", "\" off\" = \"bool\""),
            "p.toml:15: bad variable name ' off': a name must not start or end with a blank");
  EXPECT_EQ(error_after("off = \"bool\"", "\"\" = \"bool\""),
            "p.toml:15: bad variable name '': a name must not be empty");
  EXPECT_EQ(error_after("off = \"bool\"", "\"#\" = \"bool\""),
            "p.toml:15: bad variable name '#': a name must not start with #");
  EXPECT_EQ(error_after("off = \"bool\"", "\"a\\u001b\" = \"bool\""),
            "p.toml:15: bad variable name 'a\\x1b': a name must not have control characters");
  EXPECT_EQ(error_after("off = \"bool\"", "\"a`\\\"\" = \"bool\""),
            "p.toml:15: bad variable name 'a`\"': a name must not have both kinds of quotes");
  EXPECT_EQ(error_after("off = \"bool\"", "off = \"boolean\""),
            "p.toml:15: variable 'off' is neither \"bool\" nor { bits = N }");
  EXPECT_EQ(error_after("off = \"bool\"", "off = 3"),
            "p.toml:15: variable 'off' is integer, expected \"bool\" or { bits = N }");
  EXPECT_EQ(error_after("bits = 4", "bits = 61"),
            "p.toml:19: bad bits of 'heat', expected an integer from 1 to 60");
  EXPECT_EQ(error_after("bits = 4", "bits = 0"),
            "p.toml:19: bad bits of 'heat', expected an integer from 1 to 60");
  EXPECT_EQ(error_after("bits = 4, ", ""), "p.toml:19: variable 'heat' does not specify its bits");
  EXPECT_EQ(error_after("scale = -1", "scale = 10"),
            "p.toml:19: bad scale of 'heat', expected an integer from -9 to 9");
  EXPECT_EQ(error_after("signed = true", "signed = 1"),
            "p.toml:19: 'signed' of 'heat' is integer, expected true or false");
  EXPECT_EQ(error_after("signed = true", "sign = true"),
            "p.toml:19: unknown key 'sign' for variable 'heat', expected bits, signed or scale");
  EXPECT_EQ(error_after("warm = false", "wrm = false"),
            "p.toml:26: unknown variable 'wrm', did you mean 'warm'?");
  EXPECT_EQ(error_after("warm = false", "on = false"),
            "p.toml:26: initial value for 'on', which is not a state variable");
  EXPECT_EQ(error_after("warm = false", "warm = 2"),
            "p.toml:26: bad initial value for 'warm', expected true or false");
  EXPECT_EQ(error_after("heat = -0.3", "heat = -0.35"),
            "p.toml:27: bad initial value for 'heat', expected a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(error_after("heat = -0.3", "heat = true"),
            "p.toml:27: bad initial value for 'heat', expected a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(error_after("heat = -0.3", "heat = \"-0.3\""),
            "p.toml:27: bad initial value for 'heat', expected a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(error_after("heat = -0.3", "heat = -0.30000000000000001"),
            "p.toml:27: bad initial value for 'heat', expected a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(error_after("heat = -0.3", "heat = nan"),
            "p.toml:27: bad initial value for 'heat', expected a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(error_after("\"odd [name].1\" = 1", "\"heat.0\" = 1"),
            "p.toml:28: initial value of 'heat.0' given twice");
  EXPECT_EQ(error_after("[auxiliary]\nhelp = \"bool\"", "[[auxiliary]]\nhelp = \"bool\""),
            "p.toml:22: 'auxiliary' is array, expected a table [auxiliary]");
}

TEST_F(ProblemFile, RefusesBadToml) {
  EXPECT_EQ(error_after("horizon = 3", "horizon = 3\nhorizon = 4").substr(0, 9), "p.toml:4:");
  EXPECT_EQ(error_after("on = \"bool\"", "on = \"bool\"\non = \"bool\"").substr(0, 10), "p.toml:15:");
  EXPECT_EQ(error_after("horizon = 3", "horizon = ").substr(0, 9), "p.toml:3:");
  EXPECT_EQ(error_after("horizon = 3", "\x01\x02").substr(0, 9), "p.toml:3:");
  EXPECT_EQ(error_after("name = \"heater\"", "state = 3").substr(0, 7), "p.toml:");
}

TEST_F(ProblemFile, RefusesANetworkThatDoesNotFit) {
  const std::string path = (folder_ / "").string();
  EXPECT_EQ(error_after("heater.bnn", "cooler.bnn"),
            "p.toml:4: " + path + "cooler.bnn: cannot read: No such file or directory");
  EXPECT_EQ(error_after("\"heater.bnn\"", "\"\""),
            "p.toml:4: 'network' is empty, expected the name of a .bnn file");
  const auto error_with_network = [&](std::string_view from, std::string_view to) {
    std::string text(network);
    text.replace(text.find(from), from.size(), to);
    folder_.write("heater.bnn", text);
    return input_error_of([&] { parse(full); });
  };
  EXPECT_EQ(error_with_network("  on\n", "  onn\n"),
            "p.toml:4: " + path +
                "heater.bnn: network input 'onn' is not a variable of the problem, did you mean 'on'?");
  EXPECT_EQ(error_with_network("  on\n", "  heat\n"),
            "p.toml:4: " + path +
                "heater.bnn: network input 'heat' is an integer of 4 bits: name its bits, from 'heat.0'");
  EXPECT_EQ(error_with_network("  on\n", "  help\n"),
            "p.toml:4: " + path +
                "heater.bnn: network input 'help' is an auxiliary variable, expected an action or state bit");
  EXPECT_EQ(error_with_network("  warm'\n", "  warm.\n"),
            "p.toml:4: " + path +
                "heater.bnn: network output 'warm.' must end with ': outputs are next-state bits");
  EXPECT_EQ(error_with_network("  warm'\n", "  on'\n"),
            "p.toml:4: " + path + "heater.bnn: network output 'on'' is not a state variable");
  // One bit by both of its names: the engines rely on inputs being different variables.
  const auto error_with_bits = [&](std::string_view from, std::string_view to) {
    std::string text(full), bits(network);
    const auto replace = [](std::string& in, std::string_view what, std::string_view by) {
      in.replace(in.find(what), what.size(), by);
    };
    replace(text, "{ bits = 2 }", "{ bits = 1 }");
    replace(text, "odd [name].1", "odd [name].0");
    replace(bits, "shape 2:3", "shape 2:2");
    replace(bits, "  odd [name].1'\n", "");
    replace(bits, " 00 >= 0\n", "");
    replace(bits, from, to);
    folder_.write("heater.bnn", bits);
    return input_error_of([&] { parse(text); });
  };
  EXPECT_EQ(
      error_with_bits("  on\n  warm\n", "  odd [name].0\n  odd [name]\n"),
      "p.toml:4: " + path +
          "heater.bnn: network input 'odd [name]' is the same bit as 'odd [name].0', expected each bit once");
  EXPECT_EQ(error_with_bits("  warm'\n", "  odd [name]'\n"),
            "p.toml:4: " + path +
                "heater.bnn: network output 'odd [name].0'' is the same bit as 'odd [name]'', expected each "
                "bit once");
  EXPECT_EQ(error_with_network(" ++ >= 1", " +++ >= 1"),
            path + "heater.bnn:11: the neuron has 3 weights (+ - 0), expected 2");
}

TEST_F(ProblemFile, RefusesWhatIsIncomplete) {
  EXPECT_EQ(error_after("transitions = [\"heat' == heat + 0.1 on\"]", ""),
            "p.toml: nothing defines how state 'heat.0' changes: it is not an output of the network, and no "
            "transition has 'heat.0''");
  EXPECT_EQ(error_after("0.5 warm' - on", "4000000000000000000 on"),
            "p.toml: the objective is too large: its sum over all steps does not fit into 62 bits");
  EXPECT_EQ(error_after("0.5 warm' - on", "1000000000000000000 on"),
            "p.toml:3: the objective is too large: its sum over all steps does not fit into 62 bits");
}

TEST_F(ProblemFile, RestoresWhatIsIncomplete) {
  Problem problem = parse(full);
  const auto restored = [&] { return restore_problem(problem_text(problem), "p", problem.network); };
  EXPECT_EQ(restored(), problem) << "the network is not looked for in any folder";
  problem.transitions.clear();
  EXPECT_EQ(restored(), problem);
  problem.network.reset();
  problem.network_file.clear();
  problem.network_inputs.clear();
  problem.network_outputs.clear();
  EXPECT_EQ(restored(), problem);
  EXPECT_EQ(restore_problem(problem_text({}), "p", {}), Problem());
  EXPECT_EQ(input_error_of([] { restore_problem("network = 'n.bnn'\n", "p", {}); }),
            "p: the network is missing");
}

}  // namespace
}  // namespace bnnplan
