// The views that compile writes for the four domains, and none for others.
#include "bnnplan/view/domain_view.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"

namespace bnnplan::view {
namespace {

Problem compiled(const std::string& domain, const std::string& instance) {
  const std::string folder = BNNPLAN_SOURCE_DIR "/domains/";
  return rddl::compile_problem(
      rddl::read_ground_model(folder + domain + ".rddl", folder + domain + "_" + instance + ".rddl"), {});
}

TEST(DomainView, Navigation) {
  const Problem problem = compiled("navigation", "10x10");
  const auto& view = std::get<GridView>(problem.view.value());
  EXPECT_EQ(view.width, 10);
  EXPECT_EQ(view.height, 10);
  EXPECT_EQ(view.walls.size(), 16u);
  ASSERT_EQ(view.things.size(), 2u);
  EXPECT_EQ(view.things[0].kind, ThingKind::goal);
  EXPECT_EQ(view.things[0].at, (ViewCell{8, 0})) << "x9, y1";
  // x10 comes after x9, whatever the alphabet says.
  EXPECT_EQ(problem.state.variables[*view.things[1].cells[9][9]].name, "robot-at[x10| y10]");
  EXPECT_EQ(problem.state.variables[*view.things[1].cells[0][1]].name, "robot-at[x2| y1]");
}

TEST(DomainView, Cellda) {
  const Problem problem = compiled("cellda", "8x8");
  const auto& view = std::get<GridView>(problem.view.value());
  EXPECT_EQ(view.width, 8);
  EXPECT_EQ(view.walls.size(), 5u);
  ASSERT_EQ(view.things.size(), 5u);
  EXPECT_EQ(view.things[0].kind, ThingKind::door);
  EXPECT_EQ(view.things[0].at, (ViewCell{7, 7}));
  EXPECT_EQ(view.things[1].at, (ViewCell{3, 5})) << "the key";
}

TEST(DomainView, InventoryAndSysadmin) {
  const Problem inventory = compiled("inventory", "4");
  const auto& stock = std::get<StockView>(inventory.view.value());
  EXPECT_EQ(stock.demand, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(stock.capacity, 15);
  EXPECT_EQ(stock.order_size, 5) << "a default of the domain";
  const Problem sysadmin = compiled("sysadmin", "5");
  const auto& graph = std::get<GraphView>(sysadmin.view.value());
  EXPECT_EQ(graph.nodes.size(), 5u);
  EXPECT_EQ(graph.links,
            (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 3}, {2, 3}, {3, 4}}));
  EXPECT_EQ(graph.oldest, 3);
}

TEST(DomainView, ReadsBackFromTheProblemFile) {
  for (const auto& [domain, instance] :
       {std::pair("navigation", "3x3"), {"cellda", "y"}, {"inventory", "2"}, {"sysadmin", "4"}}) {
    const Problem problem = compiled(domain, instance);
    EXPECT_EQ(parse_problem(problem_text(problem), "p.toml", "."), problem) << domain;
  }
}

TEST(DomainView, OtherDomainsHaveNone) {
  const std::string file = BNNPLAN_SOURCE_DIR "/tests/rddl/game_of_life.rddl";
  EXPECT_FALSE(rddl::compile_problem(rddl::read_ground_model(file, file), {}).view);
}

}  // namespace
}  // namespace bnnplan::view
