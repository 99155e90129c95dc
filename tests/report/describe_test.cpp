#include "bnnplan/report/describe.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::reporting {
namespace {

TEST(Describe, Problem) {
  EXPECT_EQ(describe(read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml")).text,
            "problem       corridor\n"
            "horizon       7\n"
            "state         6 Boolean, 1 integer (9 bits)\n"
            "action        2 Boolean (2 bits)\n"
            "auxiliary     none\n"
            "initial       9 bits given, 0 free\n"
            "constraints   2 at every step\n"
            "transitions   5 bits learned, 4 known constraints\n"
            "goal          2 constraints\n"
            "objective     minimize left + right\n"
            "network       7:15:5 (corridor.bnn)\n");
  const Problem bare = parse_problem("transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n", "p", ".");
  EXPECT_NE(describe(bare).text.find("horizon       not stated\n"), std::string::npos);
  EXPECT_NE(describe(bare).text.find("objective     none: any plan is optimal\n"), std::string::npos);
  EXPECT_NE(describe(bare).text.find("state         1 Boolean (1 bit)\n"), std::string::npos);
  EXPECT_NE(describe(bare).text.find("initial       0 bits given, 1 free\n"), std::string::npos);
  EXPECT_NE(describe(bare).text.find("transitions   0 bits learned, 1 known constraint\n"),
            std::string::npos);
  EXPECT_NE(describe(bare).text.find("network       none: all transitions are known\n"), std::string::npos);
}

TEST(Describe, NetworkCountsConstantAndRepeatedNeurons) {
  Network network{{"a", "b"}, {"c'"}, {}};
  // The second is the first again, the third its exact opposite, the fourth constant, the fifth another one.
  network.layers.push_back({{{{1, -1}, 1}, {{1, -1}, 1}, {{-1, 1}, 2}, {{1, 1}, 3}, {{1, 0}, 1}}});
  network.layers.push_back({{{{1, 1, 1, 1, 1}, 2}}});
  EXPECT_EQ(describe(network).text,
            "network       2:5:1\n"
            "weights       15, 1 of them zero\n"
            "neurons       1 constant, 2 equal or opposite to another of their layer\n"
            "inputs        2: a, b\n"
            "outputs       1: c'\n");
}

TEST(Describe, Plan) {
  PlanSummary plan;
  plan.problem = "p";
  plan.status = "optimal";
  plan.engine = "search";
  plan.cost = parse_decimal("2.5");
  plan.steps = 2;
  plan.actions = {{"go", "n=2"}, {}};
  EXPECT_EQ(describe(plan).text,
            "plan          2 steps\n"
            "problem       p\n"
            "status        optimal (as claimed, not checked)\n"
            "cost          2.5 (as claimed, not checked)\n"
            "engine        search\n"
            "  step 1      go, n=2\n"
            "  step 2      -\n");
}

}  // namespace
}  // namespace bnnplan::reporting
