#include "bnnplan/report/plan_picture.hpp"

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::view {
namespace {

std::string drawn(const Problem& problem, std::string_view plan, TextStyle style) {
  const checking::PlanCheck checked = checking::check_plan(problem, parse_plan(plan, "plan", problem));
  EXPECT_TRUE(checked.accepted) << checked.violation;
  return reporting::plan_picture(problem, checked.plan, style);
}

TEST(PlanPicture, DrawsGridsSideBySide) {
  Problem problem = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  set_horizon(problem, 5);
  const std::string_view plan = R"({"steps": [{"actions": {"left": 1}}, {"actions": {"right": 1}},
    {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}}]})";
  TextStyle style;
  style.width = 40;
  EXPECT_EQ(drawn(problem, plan, style),
            "start        1 left       2 right\n"
            "K R · · D    R · · · D    · Rk· · D \n"
            "\n"
            "3 right      4 right      5 right\n"
            "· · Rk· D    · · · RkD    · · · · Rk\n");
  style.unicode = false;
  style.width = 20;
  EXPECT_EQ(drawn(problem, plan, style).substr(0, 33), "start\nK R . . D \n\n1 left\nR . . . ")
      << "one below the other";
  style.width = 9;
  EXPECT_EQ(drawn(problem, plan, style), "") << "there is no room";
  style.width = 40;
  style.colour = true;
  EXPECT_NE(drawn(problem, plan, style).find("\033[1;36mRk\033[0m"), std::string::npos);
  problem.view.reset();
  EXPECT_EQ(drawn(problem, plan, style), "");
}

TEST(PlanPicture, DrawsStockAndComputers) {
  const std::string head = R"(horizon = 2
minimize = "go"
transitions = ["up' == 1", "n' == n + 2 go"]
[action]
go = "bool"
[state]
up = "bool"
n = { bits = 3 }
[initial]
up = false
n = 1
)";
  const std::string_view plan = R"({"steps": [{"actions": {"go": 1}}, {}]})";
  TextStyle style;
  style.unicode = false;
  EXPECT_EQ(
      drawn(parse_problem(head + "[view]\nkind = \"stock\"\nstock = \"n\"\norder = \"go\"\norder_size = 2\n"
                                 "demand = [0, 4]\n",
                          "p", "."),
            plan, style),
      " step  order  demand  stock\n"
      "start                 # 1\n"
      "    1     +2       0  ### 3\n"
      "    2             -4  ### 3\n");
  EXPECT_EQ(drawn(parse_problem(
                      head + "[view]\nkind = \"graph\"\nnodes = [{ name = \"pc\", running = \"up\", age = "
                             "\"n\", reboot = \"go\" }]\n",
                      "p", "."),
                  plan, style),
            " step    pc\n"
            "start  down\n"
            "    1    *3\n"
            "    2     3\n"
            "ages; * marks a reboot in this step\n");
}

}  // namespace
}  // namespace bnnplan::view
