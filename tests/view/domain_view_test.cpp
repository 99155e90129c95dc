// The views that compile writes as the file beside a domain says, and what may be wrong in such a file.
#include "bnnplan/rddl/compile/domain_view.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

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

// Rooms in a row, some of them closed.
class RoomView {
 public:
  RoomView() {
    folder_.write("rooms.rddl", R"(
domain rooms {
  types { room : object; };
  pvariables {
    CLOSED(room) : { non-fluent, bool, default = false };
    FLOOR(room) : { non-fluent, int, default = 0 };
    HEIGHT : { non-fluent, int, default = 3 };
    in(room) : { state-fluent, bool, default = false };
    up : { state-fluent, int, default = 0 };
    climb : { action-fluent, bool, default = false };
  };
  cpfs { in'(?r) = in(?r); up' = if (climb ^ up < HEIGHT - 1) then up + 1 else up; };
  reward = -climb;
  state-invariants { up >= 0; up <= HEIGHT - 1; };
}
non-fluents n { domain = rooms; objects { room : { r1, r2, r10 }; };
  non-fluents { CLOSED(r10); FLOOR(r1) = 2; FLOOR(r10) = 1; }; }
instance i { domain = rooms; non-fluents = n; init-state { in(r1); }; horizon = 3; }
)");
  }

  Problem compiled(const std::string& view) const {
    folder_.write("rooms.view.toml", view);
    const auto file = folder_ / "rooms.rddl";
    return rddl::compile_problem(rddl::read_ground_model(file, file), {});
  }
  // Without the folder.
  std::string error(const std::string& view) const {
    const std::string text = testing::input_error_of([&] { compiled(view); });
    const std::size_t start = text.find("rooms.view.toml");
    return start == std::string::npos ? text : text.substr(start + 15);
  }

 private:
  testing::TemporaryFolder folder_;
};

TEST(DomainView, LeavesOutWhatTheInstanceDoesNotSay) {
  const RoomView rooms;
  const Problem problem = rooms.compiled(R"toml(
kind = "grid"
width = "=count room"
height = "=HEIGHT"
walls = [[0, 1], { each = "?r : room", if = "CLOSED(?r)", item = ["=index ?r", "=FLOOR(?r)"] }]
things = [
  { each = "?r : room", kind = "key", name = "key of ?r", at = ["=index ?r", "=FLOOR( ?r )"] },
  { kind = "door", at = ["=goal up", 0] },
  { each = "?a : room, ?b : room", if = "CLOSED(?b)", kind = "goal", name = "?a?b", at = ["=index ?b", "=index ?a"] }]
)toml");
  const auto& view = std::get<GridView>(problem.view.value());
  EXPECT_EQ(view.width, 3);
  EXPECT_EQ(view.height, 3);
  EXPECT_EQ(view.walls, (std::vector<ViewCell>{{0, 1}, {2, 1}}));
  ASSERT_EQ(view.things.size(), 5u) << "room r2 has no floor, and there is no goal";
  EXPECT_EQ(view.things[0].name, "key of r1");
  EXPECT_EQ(view.things[0].at, (ViewCell{0, 2}));
  EXPECT_EQ(view.things[1].name, "key of r10");
  EXPECT_EQ(view.things[2].name, "r1r10");
  EXPECT_EQ(view.things[4].at, (ViewCell{2, 2}));
}

TEST(DomainView, SaysWhatIsWrong) {
  const RoomView rooms;
  EXPECT_EQ(rooms.error("kind = \"grid\"\nwidth = \"=WIDTH\"\n"),
            ":2: unknown non-fluent 'WIDTH', expected one that is an integer from 0 on");
  EXPECT_EQ(rooms.error("kind = \"grid\"\nwidth = \"=count house\"\n"), ":2: unknown type 'house'");
  EXPECT_EQ(rooms.error("kind = \"grid\"\nwidth = \"=index r3\"\n"), ":2: unknown object 'r3'");
  EXPECT_EQ(rooms.error("kind = \"?r\"\n"), ":1: '?r' stands for no object here");
  EXPECT_EQ(rooms.error("kind = \"grid\"\nwidth = \"=goal up\"\n"),
            ":1: it has a number, outside of lists, that the instance does not state");
  EXPECT_EQ(rooms.error("walls = [{ each = \"?r room\" }]\n"),
            ":1: bad 'each', expected \"?x : type\", or several with commas");
  EXPECT_EQ(rooms.error("walls = [{ each = 3 }]\n"), ":1: 'each' is not a string");
  EXPECT_EQ(rooms.error("kind = \"maze\"\n"), ": unknown kind of view 'maze', expected grid, stock or graph");
  EXPECT_EQ(rooms.error("kind = \"stock\"\nstock = \"down\"\n"), ": unknown variable 'down' in 'stock'");
  EXPECT_EQ(rooms.error("kind = \n").find(":1: "), 0u);
}

}  // namespace
}  // namespace bnnplan::view
