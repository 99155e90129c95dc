#include "bnnplan/view/view_file.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::view {
namespace {

using testing::input_error_of;

constexpr std::string_view head = R"(horizon = 2
transitions = ["at-1' == at-1", "at-2' == at-2", "has' == has", "x' == x", "y' == y"]
[action]
go = "bool"
[state]
at-1 = "bool"
at-2 = "bool"
has = "bool"
x = { bits = 2 }
y = { bits = 2 }
)";
constexpr int first_line = 11;  // of what is appended

Problem parse(std::string_view view) {
  return parse_problem(std::string(head) + std::string(view), "p.toml", ".");
}

// The error without file and line, which must be the given line of the view.
std::string error_at(int line, std::string_view view) {
  const std::string error = input_error_of([&] { parse(view); });
  const std::string place = "p.toml:" + std::to_string(first_line - 1 + line) + ": ";
  EXPECT_EQ(error.substr(0, place.size()), place) << error;
  return error.substr(std::min(error.size(), place.size()));
}

constexpr std::string_view grid = R"([view]
kind = "grid"
width = 2
height = 1
walls = [[1, 0]]
things = [
  { kind = "agent", name = "robot", cells = [["at-1", ""]], shown = "~has" },
  { kind = "enemy", x = "x", y = "y" },
  { kind = "key", at = [0, 0], shown = "has" },
]
)";

std::string changed(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  const auto at = result.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return result.replace(at, from.size(), to);
}

TEST(ViewFile, ReadsAGrid) {
  const Problem problem = parse(grid);
  ASSERT_TRUE(problem.view);
  const auto& view = std::get<GridView>(*problem.view);
  EXPECT_EQ(view.width, 2);
  EXPECT_EQ(view.walls, (std::vector<ViewCell>{{1, 0}}));
  ASSERT_EQ(view.things.size(), 3u);
  EXPECT_EQ(view.things[0].name, "robot");
  EXPECT_EQ(view.things[0].cells[0][0], 0u);
  EXPECT_FALSE(view.things[0].cells[0][1]);
  EXPECT_EQ(view.things[0].shown, (ViewCondition{2, true}));
  EXPECT_EQ(view.things[1].coordinates, (std::pair<std::uint32_t, std::uint32_t>(3, 4)));
  EXPECT_EQ(view.things[2].at, (ViewCell{0, 0}));
}

TEST(ViewFile, WhatIsWrittenReadsBackEqual) {
  const std::string_view stock = R"([view]
kind = "stock"
stock = "x"
order = "go"
order_size = 5
capacity = 3
month = "y"
demand = [0, 2]
)";
  const std::string_view graph = R"([view]
kind = "graph"
oldest = 3
links = [["a", "b \"2\""]]
nodes = [{ name = "a", running = "has", age = "x", reboot = "go" }, { name = "b \"2\"" }]
)";
  for (const std::string_view text : {grid, stock, graph}) {
    const Problem problem = parse(text);
    EXPECT_EQ(parse_problem(problem_text(problem), "q.toml", "."), problem) << problem_text(problem);
  }
  EXPECT_FALSE(parse("").view);
  EXPECT_NE(parse(""), parse(grid));
}

TEST(ViewFile, SaysWhatIsWrongWithAGrid) {
  const auto error = [&](int line, std::string_view from, std::string_view to) {
    return error_at(line, changed(grid, from, to));
  };
  EXPECT_EQ(error(1, "kind = \"grid\"\n", ""), "[view] has no 'kind', expected grid, stock or graph");
  EXPECT_EQ(error(2, "\"grid\"", "\"map\""), "unknown kind of view 'map', expected grid, stock or graph");
  EXPECT_EQ(error(2, "\"grid\"", "3"), "'kind' is integer, expected a string");
  EXPECT_EQ(error(3, "width = 2", "widht = 2"), "unknown key 'widht' of a grid, did you mean 'width'?");
  EXPECT_EQ(error(1, "width = 2\n", ""), "a grid has no 'width'");
  EXPECT_EQ(error(3, "width = 2", "width = 0"), "bad 'width', expected an integer from 1 to 1000");
  EXPECT_EQ(error(5, "[[1, 0]]", "[[2, 0]]"), "cell [2, 0] in 'walls' is not on the grid of 2 x 1 cells");
  EXPECT_EQ(error(5, "[[1, 0]]", "[[1]]"), "bad cell in 'walls', expected [x, y]");
  EXPECT_EQ(error(5, "[[1, 0]]", "3"), "'walls' is integer, expected an array");
  EXPECT_EQ(error(7, "\"agent\"", "\"hero\""),
            "unknown kind of thing 'hero', expected agent, enemy, key, door, goal");
  EXPECT_EQ(error(7, "\"at-1\"", "\"at-3\""), "unknown variable 'at-3' in 'cells', did you mean 'at-1'?");
  EXPECT_EQ(error(7, "\"at-1\"", "\"go\""), "'go' in 'cells' is not a state variable");
  EXPECT_EQ(error(7, "\"at-1\"", "\"x\""), "'x' in 'cells' is an integer, expected a Boolean");
  EXPECT_EQ(error(7, "[[\"at-1\", \"\"]]", "[[\"at-1\"]]"), "a row of 'cells' has 1 name, expected 2");
  EXPECT_EQ(error(7, "[[\"at-1\", \"\"]]", "[]"), "'cells' has 0 rows, expected 1");
  EXPECT_EQ(error(8, "x = \"x\"", "x = \"has\""), "'has' in 'x' is Boolean, expected an integer");
  EXPECT_EQ(error(8, "x = \"x\"", "x = \"x.0\""), "'x.0' in 'x' is one bit, expected a variable such as 'x'");
  EXPECT_EQ(error(8, "x = \"x\", ", ""), "a thing has only one of 'x' and 'y'");
  EXPECT_EQ(error(8, "x = \"x\"", "at = [0, 0], x = \"x\""),
            "a thing needs exactly one of 'at', 'x' and 'y', or 'cells'");
  EXPECT_EQ(error(9, "shown = \"has\"", "shown = \"hsa\""),
            "unknown variable 'hsa' in 'shown', did you mean 'has'?");
  EXPECT_EQ(error(9, "at = [0, 0]", "at = [0, 1]"), "cell [0, 1] in 'at' is not on the grid of 2 x 1 cells");
  EXPECT_EQ(error(6, "things = [\n", "things = [ 7,\n"), "'things' has integer, expected a table");
}

TEST(ViewFile, SaysWhatIsWrongWithOthers) {
  EXPECT_EQ(input_error_of([] { parse_problem("view = 3\n" + std::string(head), "p.toml", "."); }),
            "p.toml:1: 'view' is integer, expected a table [view]");
  EXPECT_EQ(error_at(1, "[view]\nkind = \"stock\"\n"), "a stock has no 'stock'");
  EXPECT_EQ(error_at(4, "[view]\nkind = \"stock\"\nstock = \"x\"\norder = \"has\"\n"),
            "'has' in 'order' is not an action variable");
  EXPECT_EQ(error_at(4, "[view]\nkind = \"stock\"\nstock = \"x\"\ndemand = [-1]\n"),
            "bad 'demand', expected an integer from 0 to 1000000000");
  EXPECT_EQ(error_at(1, "[view]\nkind = \"graph\"\n"), "a graph has no 'nodes'");
  EXPECT_EQ(error_at(3, "[view]\nkind = \"graph\"\nnodes = []\n"), "a graph has no nodes");
  EXPECT_EQ(error_at(3, "[view]\nkind = \"graph\"\nnodes = [{ name = \"a\" }, { name = \"a\" }]\n"),
            "two nodes are named 'a'");
  EXPECT_EQ(error_at(4, "[view]\nkind = \"graph\"\nnodes = [{ name = \"a\" }]\nlinks = [[\"a\", \"b\"]]\n"),
            "no node is named 'b'");
  EXPECT_EQ(error_at(4, "[view]\nkind = \"graph\"\nnodes = [{ name = \"a\" }]\nlinks = [[\"a\"]]\n"),
            "bad link, expected the names of two nodes");
}

}  // namespace
}  // namespace bnnplan::view
