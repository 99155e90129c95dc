#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bnnplan::view {

// How a problem is drawn: the [view] section of a problem file. It says nothing about the problem itself;
// reports and terminals use it. Variables are indices of state variables in declaration order (or of action
// variables, where stated).
//
// This folder is below `problem`, which holds a view: nothing here knows a problem. The caller supplies the
// meaning of names (ViewScope) and the values of a plan (PlanFrames).
//
// To add a kind of picture:
//   1. view.hpp            a struct of what it shows, and an alternative of the variant View.
//   2. view_file.cpp       ViewReader: its keys, all checked; ViewWriter. The names of the kinds are in the
//                          two messages of ViewReader::read. docs/formats.md, "Views", lists the keys.
//   3. text_picture.cpp    an operator() that draws it on a terminal.
//   4. view_json.cpp       the data for the report page.
//   5. report/page         a script KIND.js with a function KINDStage(plan, still) that returns { node,
//                          show(step) }; its line in makeStage and, if it needs one, in legend() of stage.js,
//                          its colours in page.css, and its name among page_files in report/CMakeLists.txt.
//                          Pictures that are as wide as the page, and have no film strip, are listed where
//                          stage.js checks for 'stock'.
//   6. tests/view          view_file_test (reads, writes back equal, every message), plan_picture_test;
//                          tests/report/page_test looks at the page in a browser.
// To draw a domain this way, write a DOMAIN.view.toml beside it (docs/rddl.md).
// The compiler enforces steps 2 (writing), 3 and 4: std::visit does not compile without them.

struct ViewCell {
  int x = 0, y = 0;  // from 0; [0, 0] is at the bottom left

  friend bool operator==(const ViewCell&, const ViewCell&) = default;
};

// A Boolean state variable; a thing is shown while it is true, or while it is false.
struct ViewCondition {
  std::uint32_t variable = 0;
  bool negated = false;

  friend bool operator==(const ViewCondition&, const ViewCondition&) = default;
};

enum class ThingKind : std::uint8_t { agent, enemy, key, door, goal };
constexpr const char* thing_kind_names[] = {"agent", "enemy", "key", "door", "goal"};

// A thing on a grid. Exactly one of `at`, `coordinates` and `cells` says where it is.
struct GridThing {
  ThingKind kind = ThingKind::agent;
  std::string name;            // empty: named after its kind
  std::optional<ViewCell> at;  // fixed position
  // integer variables: x and y
  std::optional<std::pair<std::uint32_t, std::uint32_t>> coordinates;
  // cells[y][x]: the Boolean that is true when it is there; empty where it cannot be
  std::vector<std::vector<std::optional<std::uint32_t>>> cells;
  std::optional<ViewCondition> shown;  // always, if empty

  friend bool operator==(const GridThing&, const GridThing&) = default;
};

struct GridView {
  int width = 0, height = 0;
  std::vector<ViewCell> walls;
  std::vector<GridThing> things;

  friend bool operator==(const GridView&, const GridView&) = default;
};

// A stock that is reduced by a demand at every step and increased by orders.
struct StockView {
  std::uint32_t stock = 0;             // integer
  std::optional<std::uint32_t> order;  // action variable
  std::optional<int> order_size;       // the size of an order
  std::optional<int> capacity;
  // integer: selects the demand of the step; without it demands take turns
  std::optional<std::uint32_t> month;
  std::vector<int> demand;  // by month

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
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // indices of nodes
  std::optional<int> oldest;                                   // the highest age

  friend bool operator==(const GraphView&, const GraphView&) = default;
};

using View = std::variant<GridView, StockView, GraphView>;

}  // namespace bnnplan::view
