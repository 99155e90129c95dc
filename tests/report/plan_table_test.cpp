#include "bnnplan/report/plan_table.hpp"

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::reporting {
namespace {

TEST(PlanTable, ShowsWhatHappens) {
  const Problem problem = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  const checking::PlanCheck checked =
      checking::check_plan(problem, read_plan(BNNPLAN_SOURCE_DIR "/models/corridor.plan.json", problem));
  ASSERT_TRUE(checked.accepted);
  EXPECT_EQ(plan_table(problem, checked.plan),
            " step  actions  state\n"
            "start           cell-2, battery = 6\n"
            "    1  left     cell-1, not cell-2, battery 6 -> 5\n"
            "    2  right    not cell-1, cell-2, key, battery 5 -> 4\n"
            "    3  right    not cell-2, cell-3, battery 4 -> 3\n"
            "    4  right    not cell-3, cell-4, battery 3 -> 2\n"
            "    5  right    not cell-4, cell-5, battery 2 -> 1\n"
            "    6  -        -\n"
            "    7  -        -\n");
  EXPECT_EQ(plan_table(problem, checked.plan, 4),
            " step  actions    state\n"
            "start             cell-2, battery = 6\n"
            "    1  left       cell-1, not cell-2, battery 6 -> 5\n"
            "    2  right      not cell-1, cell-2, key, battery 5 -> 4\n"
            "  ...  (3 steps)  ...\n"
            "    6  -          -\n"
            "    7  -          -\n");
}

TEST(PlanTable, HasColoursWhereAskedFor) {
  const Problem problem = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  const checking::PlanCheck checked =
      checking::check_plan(problem, read_plan(BNNPLAN_SOURCE_DIR "/models/corridor.plan.json", problem));
  TextStyle style;
  style.colour = true;
  std::string text = plan_table(problem, checked.plan, 200, style);
  EXPECT_NE(text.find("\033[1;36mleft\033[0m     cell-1"), std::string::npos) << "padding counts no colours";
  for (std::size_t begin = 0; (begin = text.find("\033[")) != std::string::npos;)
    text.erase(begin, text.find('m', begin) - begin + 1);
  EXPECT_EQ(text, plan_table(problem, checked.plan)) << "colours are all that differs";
}

}  // namespace
}  // namespace bnnplan::reporting
