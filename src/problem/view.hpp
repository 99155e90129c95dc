#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace bnnplan {

// How a problem is drawn: the [view] section of a problem file (docs/formats.md). It says nothing about the
// problem itself; reports and terminals use it. Variables are numbers of variables in Problem::state (or
// action, where said so).

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
  std::string name;                                       // empty: its kind is its name
  std::optional<ViewCell> at;                             // always there
  std::optional<std::pair<std::uint32_t, std::uint32_t>>  // integer variables: its x and its y
      coordinates;
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
