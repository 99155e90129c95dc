#include "bnnplan/problem/plan_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

class PlanFile : public ::testing::Test {
 protected:
  Problem problem_ = parse_problem(
      "transitions = [\"x' == on\", \"n' == n\", \"h' == h\", \"help == on\"]\n[action]\non = "
      "\"bool\"\namount = { bits = 2 }\n"
      "[state]\nx = \"bool\"\nn = { bits = 3 }\nh = { bits = 3, signed = true, scale = -1 "
      "}\n[auxiliary]\nhelp = \"bool\"\n",
      "p", ".");

  Plan parse(std::string_view text) const { return parse_plan(text, "f", problem_); }
  std::string error(std::string_view text) const {
    return input_error_of([&] { parse(text); });
  }
};

TEST_F(PlanFile, ReadsWhatIsSaidAndLeavesTheRestUnknown) {
  const Plan plan = parse(R"({"problem": "p", "cost": 2.5, "initial": {"n": 5, "h": -0.3},
    "steps": [{"actions": {"on": true, "amount": 2}, "auxiliary": {"help": 1}, "state": {"x": 1}}, {}], "statistics": {"a": {}}})");
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.initial, (BitValues{unknown_bit, 1, 0, 1, 1, 0, 1}));
  EXPECT_EQ(plan.steps[0].action, (BitValues{1, 0, 1}));
  EXPECT_EQ(plan.steps[0].auxiliary, (BitValues{1}));
  EXPECT_EQ(plan.steps[0].state[0], 1);
  EXPECT_EQ(plan.steps[0].state[1], unknown_bit);
  EXPECT_EQ(plan.steps[1].action, (BitValues{0, 0, 0})) << "actions not mentioned are 0";
  EXPECT_EQ(plan.cost, parse_decimal("2.5"));
  EXPECT_EQ(parse(R"({"steps": []})").cost, std::nullopt);
  EXPECT_EQ(parse(R"({"steps": [], "cost": null})").cost, std::nullopt);
}

TEST_F(PlanFile, RefusesWithOneLine) {
  EXPECT_EQ(error("{\n\"steps\": [}").substr(0, 14), "f:2: not JSON:");
  EXPECT_EQ(error("").substr(0, 14), "f:1: not JSON:");
  EXPECT_EQ(error("{\"steps\": [],\n \"cost\": .5}"),
            "f:2: not JSON: syntax error while parsing value - invalid literal; last read: '\"cost\": .'");
  EXPECT_EQ(error("[]"), "f: not a plan: expected a JSON object with \"steps\"");
  EXPECT_EQ(error("{}"), "f: not a plan: it has no \"steps\"");
  EXPECT_EQ(error(R"({"steps": 3})"), "f: \"steps\" is not an array");
  EXPECT_EQ(error(R"({"steps": [3]})"), "f: step 1 is not an object");
  EXPECT_EQ(error(R"({"steps": [{"action": {}}]})"),
            "f: unknown key \"action\" of step 1, expected actions, auxiliary or state");
  EXPECT_EQ(error(R"({"steps": [{"actions": []}]})"),
            "f: \"actions\" of step 1 is not an object of names and values");
  EXPECT_EQ(error(R"({"steps": [{}, {"actions": {"onn": 1}}]})"),
            "f: \"actions\" of step 2: unknown action variable 'onn', did you mean 'on'?");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"x": 1}}]})"),
            "f: \"actions\" of step 1: unknown action variable 'x'");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount.0": 1}}]})"),
            "f: \"actions\" of step 1: 'amount.0' is one bit, expected 'amount'");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"on": 2}}]})"),
            "f: \"actions\" of step 1: bad value 2 for 'on', expected true or false");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount": 4}}]})"),
            "f: \"actions\" of step 1: bad value 4 for 'amount', expected an integer from 0 to 3");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount": 99999999999999999999}}]})").substr(0, 55),
            "f: \"actions\" of step 1: bad value 99999999999999999999 ");
  EXPECT_EQ(error(R"({"steps": [{"state": {"h": 0.35}}]})"),
            "f: \"state\" of step 1: bad value 0.35 for 'h', expected a multiple of 0.1 from -0.4 to 0.3");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"on": 1, "on": 0}}]})"), "f: duplicate key 'on'");
  EXPECT_EQ(error(R"({"steps": [], "cost": "much"})"), "f: \"cost\" is \"much\", expected a number");
  EXPECT_EQ(error(R"({"steps": [], "initial": {"on": 1}})"), "f: \"initial\": unknown state variable 'on'");
  std::string deep = "{\"steps\": [], \"x\": ";
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  EXPECT_EQ(error(deep), "f: nested deeper than 64 levels");
  EXPECT_THROW(parse("{\"steps\": [], \"x\": " + std::string(1000000, '[')), InputError);
}

// A double has 53 bits, a cost has up to 18 digits.
TEST_F(PlanFile, NumbersAreExact) {
  for (const char* cost : {"12345678901234.567", "12345678901234.566", "-0.123456789012345678", "1e-400",
                           "123456789012345678", "2.50", "-0", "1E3"}) {
    const Plan plan = parse(fmt::format(R"({{"steps": [], "cost": {}}})", cost));
    EXPECT_EQ(plan.cost, parse_decimal(cost)) << cost;
  }
  EXPECT_EQ(error(R"({"steps": [], "cost": 1.2345678901234567891})"),
            "f: \"cost\" is 1.2345678901234567891, expected a number of at most 18 digits");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"on": 0.99999999999999999999}}]})"),
            "f: \"actions\" of step 1: bad value 0.99999999999999999999 for 'on', expected true or false");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"on": 1e-400}}]})"),
            "f: \"actions\" of step 1: bad value 1e-400 for 'on', expected true or false");
  EXPECT_EQ(parse(R"({"steps": [{"actions": {"on": 1.0, "amount": 0.2e1}}]})").steps[0].action,
            (BitValues{1, 0, 1}))
      << "the same numbers, written otherwise";
}

TEST_F(PlanFile, TextsAndBooleansAreNoNumbers) {
  EXPECT_EQ(error(R"({"steps": [{"actions": {"on": "1"}}]})"),
            "f: \"actions\" of step 1: bad value \"1\" for 'on', expected true or false");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount": "2"}}]})"),
            "f: \"actions\" of step 1: bad value \"2\" for 'amount', expected an integer from 0 to 3");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount": true}}]})"),
            "f: \"actions\" of step 1: bad value true for 'amount', expected an integer from 0 to 3");
  EXPECT_EQ(error(R"({"steps": [{"actions": {"amount": [1]}}]})"),
            "f: \"actions\" of step 1: bad value [...] for 'amount', expected an integer from 0 to 3");
  EXPECT_EQ(error(R"({"steps": [], "initial": {"n": false}})"),
            "f: \"initial\": bad value false for 'n', expected an integer from 0 to 7");
  EXPECT_EQ(error(R"({"steps": [], "cost": "2"})"), "f: \"cost\" is \"2\", expected a number");
  EXPECT_EQ(error(R"({"steps": [], "cost": true})"), "f: \"cost\" is true, expected a number");
}

TEST_F(PlanFile, SummaryNeedsNoProblem) {
  const PlanSummary summary = parse_plan_summary(
      R"({"problem": "p", "status": "optimal", "cost": 3, "steps": [{"actions": {"go": true, "stay": false, "n": 2, "m": 0, "odd": "1", "digits": 0.99999999999999999999}}, {}]})",
      "f");
  EXPECT_EQ(summary.problem, "p");
  EXPECT_EQ(summary.status, "optimal");
  EXPECT_EQ(summary.steps, 2u);
  EXPECT_EQ(summary.actions[0],
            (std::vector<std::string>{"go", "n=2", "odd=\"1\"", "digits=0.99999999999999999999"}))
      << "a text that is not a value is kept as it is";
  EXPECT_TRUE(summary.actions[1].empty());
  EXPECT_EQ(input_error_of([] { parse_plan_summary("{}", "f"); }), "f: not a plan: it has no \"steps\"");
}

// As `plan` writes an answer without a plan.
TEST_F(PlanFile, AResultWithoutAPlan) {
  EXPECT_EQ(error(R"({"status": "infeasible", "initial": null, "steps": null})"),
            "f: the file holds no plan: it says that there is none");
  EXPECT_EQ(error(R"({"status": "unknown", "steps": null})"),
            "f: the file holds no plan: none was found within the limits");
  EXPECT_EQ(error(R"({"steps": null})"), "f: the file holds no plan: its \"steps\" are null");
  const PlanSummary summary =
      parse_plan_summary(R"({"status": "infeasible", "cost": null, "steps": null})", "f");
  EXPECT_EQ(summary.steps, std::nullopt);
  EXPECT_EQ(summary.status, "infeasible");
  EXPECT_TRUE(summary.actions.empty());
}

}  // namespace
}  // namespace bnnplan
