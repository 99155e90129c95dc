#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bnnplan {

// How a problem is drawn: the [view] section of a problem file. It says nothing about the problem itself;
// reports and terminals use it. Variables are numbers of state variables in the order of declaration (or of
// action variables, where said so).
//
// The folder stands below `problem`, which holds a view: nothing here knows a problem. Who has one says what
// names mean (ViewScope), which values a plan has (PlanFrames) and what a domain declares (DomainFacts).
//
// A new kind of picture, step by step:
//   1. view.hpp            a struct of what it shows, and its place in the variant View.
//   2. view_file.cpp       ViewReader: its keys, all checked; ViewWriter. The names of the kinds stand in the
//                          two messages of ViewReader::read. docs/formats.md, "Views", says the keys.
//   3. text_picture.cpp    one more operator() that draws it on a terminal.
//   4. view_json.cpp       what the report page gets.
//   5. report/page         a script KIND.js with a function KINDStage(plan, still) that returns { node,
//                          show(step) }; its line in makeStage and, if it needs one, in legend() of stage.js,
//                          its colours in page.css, and its name among page_files in report/CMakeLists.txt.
//                          Pictures that are as broad as the page, and have no film strip, say so where
//                          stage.js asks for 'stock'.
//   6. domain_view.cpp     if a domain in domains/ is to be drawn so: a function that recognises it by its
//                          fluents, in the list of domain_view. docs/rddl.md and docs/report.md name them.
//   7. tests/view          view_file_test (reads, writes back equal, every message), plan_picture_test,
//                          domain_view_test; tests/report/page_test looks at the page in a browser.
// The compiler finds steps 2 (writing), 3 and 4: std::visit does not compile without them.

struct ViewCell {
  int x = 0, y = 0;  // from 0; [0, 0] is at the bottom left

  friend bool operator==(const ViewCell&, const ViewCell&) = default;
};

// A Boolean state variable that shows a thing while it is true, or while it is false.
struct ViewCondition {
  std::uint32_t variable = 0;
  bool negated = false;

  friend bool operator==(const ViewCondition&, const ViewCondition&) = default;
};

enum class ThingKind : std::uint8_t { agent, enemy, key, door, goal };
constexpr const char* thing_kind_names[] = {"agent", "enemy", "key", "door", "goal"};

// Something on a grid. Exactly one of the three says where it is.
struct GridThing {
  ThingKind kind = ThingKind::agent;
  std::string name;            // empty: its kind is its name
  std::optional<ViewCell> at;  // always there
  // integer variables: its x and its y
  std::optional<std::pair<std::uint32_t, std::uint32_t>> coordinates;
  // cells[y][x]: the Boolean that is true when it is there; nothing where it cannot be
  std::vector<std::vector<std::optional<std::uint32_t>>> cells;
  std::optional<ViewCondition> shown;  // always, if it does not say

  friend bool operator==(const GridThing&, const GridThing&) = default;
};

struct GridView {
  int width = 0, height = 0;
  std::vector<ViewCell> walls;
  std::vector<GridThing> things;

  friend bool operator==(const GridView&, const GridView&) = default;
};

// A stock that a demand takes from at every step and an order adds to.
struct StockView {
  std::uint32_t stock = 0;             // integer
  std::optional<std::uint32_t> order;  // action variable
  std::optional<int> order_size;       // what an order brings
  std::optional<int> capacity;
  std::optional<std::uint32_t> month;  // integer: which demand the step has; without it they take turns
  std::vector<int> demand;             // by month

  friend bool operator==(const StockView&, const StockView&) = default;
};

struct GraphNode {
  std::string name;
  std::optional<std::uint32_t> running;  // Boolean
  std::optional<std::uint32_t> age;      // integer
  std::optional<std::uint32_t> reboot;   // Boolean action variable

  friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

// Computers and the links between them.
struct GraphView {
  std::vector<GraphNode> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // numbers of nodes
  std::optional<int> oldest;                                   // the highest age

  friend bool operator==(const GraphView&, const GraphView&) = default;
};

using View = std::variant<GridView, StockView, GraphView>;

}  // namespace bnnplan
