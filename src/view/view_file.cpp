// Reads and writes [view] sections. Everything a view names is looked up and checked here, so that drawing
// code meets no surprises: variables exist and have the right type, cells are on the grid, links join nodes.
#include "bnnplan/view/view_file.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::view {

namespace {

constexpr int largest_grid = 1000;  // cells along one side
constexpr int largest_number = 1'000'000'000;

class ViewReader {
 public:
  ViewReader(const ViewScope& scope, std::string_view file) : scope_(scope), file_(file) {}

  View read(const toml::table& section) const {
    const toml::node* node = section.get("kind");
    if (node == nullptr) fail(section, "[view] has no 'kind', expected grid, stock or graph");
    const std::string kind = string(*node, "kind");
    if (kind == "grid") return grid(section);
    if (kind == "stock") return stock(section);
    if (kind == "graph") return graph(section);
    fail(*node, fmt::format("unknown kind of view '{}', expected grid, stock or graph", printable(kind)));
  }

 private:
  [[noreturn]] void fail(const toml::node& node, std::string_view message) const {
    throw InputError(file_, node.source().begin.line, message);
  }

  static std::string kind_of(const toml::node& node) {
    std::ostringstream text;
    text << node.type();
    return text.str();
  }

  template <std::size_t N>
  void only(const toml::table& table, std::string_view what, const std::array<const char*, N>& keys) const {
    for (const auto& [key, value] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
      const std::string near = nearest_name(key.str(), keys);
      fail(value, fmt::format("unknown key '{}' of {}{}", printable(key.str()), what,
                              near.empty() ? fmt::format(", expected {}", fmt::join(keys, ", "))
                                           : fmt::format(", did you mean '{}'?", near)));
    }
  }

  std::string string(const toml::node& node, std::string_view what) const {
    const auto value = node.value_exact<std::string>();
    if (!value) fail(node, fmt::format("'{}' is {}, expected a string", what, kind_of(node)));
    return *value;
  }

  int integer(const toml::node& node, std::string_view what, int low, int high) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < low || *value > high)
      fail(node, fmt::format("bad '{}', expected an integer from {} to {}", what, low, high));
    return static_cast<int>(*value);
  }

  const toml::array& array(const toml::node& node, std::string_view what) const {
    if (!node.is_array()) fail(node, fmt::format("'{}' is {}, expected an array", what, kind_of(node)));
    return *node.as_array();
  }

  const toml::table& table(const toml::node& node, std::string_view what) const {
    if (!node.is_table()) fail(node, fmt::format("'{}' has {}, expected a table", what, kind_of(node)));
    return *node.as_table();
  }

  const toml::node& required(const toml::table& section, const char* key, std::string_view what) const {
    const toml::node* node = section.get(key);
    if (node == nullptr) fail(section, fmt::format("{} has no '{}'", what, key));
    return *node;
  }

  enum class Wanted : std::uint8_t { boolean, integer, any };

  std::uint32_t variable(const toml::node& node, std::string_view what, ViewPlace place,
                         Wanted wanted) const {
    return named(node, what, string(node, what), place, wanted);
  }

  std::uint32_t named(const toml::node& node, std::string_view what, const std::string& name, ViewPlace place,
                      Wanted wanted) const {
    const auto found = scope_.find(name);
    if (!found) {
      fail(node,
           fmt::format("unknown variable '{}' in '{}'{}", printable(name), what, scope_.suggestion(name)));
    }
    const char* place_name = place == ViewPlace::action ? "an action" : "a state";
    if (found->place != place)
      fail(node, fmt::format("'{}' in '{}' is not {} variable", printable(name), what, place_name));
    if (found->variable_name != name) {
      fail(node, fmt::format("'{}' in '{}' is one bit, expected a variable such as '{}'", printable(name),
                             what, printable(found->variable_name)));
    }
    if (wanted != Wanted::any && found->boolean != (wanted == Wanted::boolean)) {
      fail(node, fmt::format("'{}' in '{}' is {}, expected {}", printable(name), what,
                             found->boolean ? "Boolean" : "an integer",
                             found->boolean ? "an integer" : "a Boolean"));
    }
    return found->variable;
  }

  std::optional<std::uint32_t> optional_variable(const toml::table& section, const char* key, ViewPlace place,
                                                 Wanted wanted) const {
    const toml::node* node = section.get(key);
    if (node == nullptr) return std::nullopt;
    return variable(*node, key, place, wanted);
  }

  std::optional<int> optional_integer(const toml::table& section, const char* key) const {
    const toml::node* node = section.get(key);
    if (node == nullptr) return std::nullopt;
    return integer(*node, key, 0, largest_number);
  }

  ViewCell cell(const toml::node& node, std::string_view what, const GridView& grid) const {
    const toml::array& pair = array(node, what);
    const auto x = pair.size() == 2 ? pair[0].value_exact<std::int64_t>() : std::nullopt;
    const auto y = pair.size() == 2 ? pair[1].value_exact<std::int64_t>() : std::nullopt;
    if (!x || !y) fail(node, fmt::format("bad cell in '{}', expected [x, y]", what));
    if (*x < 0 || *x >= grid.width || *y < 0 || *y >= grid.height) {
      fail(node, fmt::format("cell [{}, {}] in '{}' is not on the grid of {} x {} cells", *x, *y, what,
                             grid.width, grid.height));
    }
    return {static_cast<int>(*x), static_cast<int>(*y)};
  }

  GridView grid(const toml::table& section) const {
    only(section, "a grid", std::array{"kind", "width", "height", "walls", "things"});
    GridView view;
    view.width = integer(required(section, "width", "a grid"), "width", 1, largest_grid);
    view.height = integer(required(section, "height", "a grid"), "height", 1, largest_grid);
    if (const toml::node* walls = section.get("walls")) {
      for (const toml::node& wall : array(*walls, "walls")) view.walls.push_back(cell(wall, "walls", view));
    }
    if (const toml::node* things = section.get("things")) {
      for (const toml::node& element : array(*things, "things"))
        view.things.push_back(thing(table(element, "things"), view));
    }
    return view;
  }

  GridThing thing(const toml::table& section, const GridView& grid) const {
    only(section, "a thing", std::array{"kind", "name", "at", "x", "y", "cells", "shown"});
    GridThing thing;
    const toml::node& kind_node = required(section, "kind", "a thing");
    const std::string kind = string(kind_node, "kind");
    const auto* found = std::find(std::begin(thing_kind_names), std::end(thing_kind_names), kind);
    if (found == std::end(thing_kind_names)) {
      fail(kind_node, fmt::format("unknown kind of thing '{}', expected {}", printable(kind),
                                  fmt::join(thing_kind_names, ", ")));
    }
    thing.kind = static_cast<ThingKind>(found - std::begin(thing_kind_names));
    if (const toml::node* node = section.get("name")) thing.name = string(*node, "name");
    const toml::node* at = section.get("at");
    const toml::node* x = section.get("x");
    const toml::node* y = section.get("y");
    const toml::node* cells = section.get("cells");
    if ((x == nullptr) != (y == nullptr)) fail(section, "a thing has only one of 'x' and 'y'");
    if ((at != nullptr) + (x != nullptr) + (cells != nullptr) != 1)
      fail(section, "a thing needs exactly one of 'at', 'x' and 'y', or 'cells'");
    if (at != nullptr) thing.at = cell(*at, "at", grid);
    if (x != nullptr) {
      thing.coordinates = {variable(*x, "x", ViewPlace::state, Wanted::integer),
                           variable(*y, "y", ViewPlace::state, Wanted::integer)};
    }
    if (cells != nullptr) thing.cells = cell_variables(*cells, grid);
    if (const toml::node* node = section.get("shown")) {
      std::string name = string(*node, "shown");
      const bool negated = !name.empty() && name.front() == '~';
      if (negated) name.erase(0, 1);
      thing.shown = ViewCondition{named(*node, "shown", name, ViewPlace::state, Wanted::boolean), negated};
    }
    return thing;
  }

  std::vector<std::vector<std::optional<std::uint32_t>>> cell_variables(const toml::node& node,
                                                                        const GridView& grid) const {
    std::vector<std::vector<std::optional<std::uint32_t>>> cells;
    const toml::array& rows = array(node, "cells");
    if (rows.size() != static_cast<std::size_t>(grid.height))
      fail(node, fmt::format("'cells' has {}, expected {}", count_text(rows.size(), "row"), grid.height));
    for (const toml::node& row : rows) {
      const toml::array& names = array(row, "cells");
      if (names.size() != static_cast<std::size_t>(grid.width))
        fail(row, fmt::format("a row of 'cells' has {}, expected {}", count_text(names.size(), "name"),
                              grid.width));
      auto& line = cells.emplace_back();
      for (const toml::node& name : names) {
        if (string(name, "cells").empty()) {
          line.emplace_back();
        } else {
          line.emplace_back(variable(name, "cells", ViewPlace::state, Wanted::boolean));
        }
      }
    }
    return cells;
  }

  StockView stock(const toml::table& section) const {
    only(section, "a stock",
         std::array{"kind", "stock", "order", "order_size", "capacity", "month", "demand"});
    StockView view;
    view.stock = variable(required(section, "stock", "a stock"), "stock", ViewPlace::state, Wanted::integer);
    view.order = optional_variable(section, "order", ViewPlace::action, Wanted::any);
    view.order_size = optional_integer(section, "order_size");
    view.capacity = optional_integer(section, "capacity");
    view.month = optional_variable(section, "month", ViewPlace::state, Wanted::integer);
    if (const toml::node* demand = section.get("demand")) {
      for (const toml::node& amount : array(*demand, "demand"))
        view.demand.push_back(integer(amount, "demand", 0, largest_number));
    }
    return view;
  }

  GraphView graph(const toml::table& section) const {
    only(section, "a graph", std::array{"kind", "nodes", "links", "oldest"});
    GraphView view;
    view.oldest = optional_integer(section, "oldest");
    const toml::node& nodes = required(section, "nodes", "a graph");
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (const toml::node& element : array(nodes, "nodes")) {
      const toml::table& node = table(element, "nodes");
      only(node, "a node", std::array{"name", "running", "age", "reboot"});
      GraphNode& read = view.nodes.emplace_back();
      const toml::node& name = required(node, "name", "a node");
      read.name = string(name, "name");
      if (!numbers.emplace(read.name, static_cast<std::uint32_t>(numbers.size())).second)
        fail(name, fmt::format("two nodes are named '{}'", printable(read.name)));
      read.running = optional_variable(node, "running", ViewPlace::state, Wanted::boolean);
      read.age = optional_variable(node, "age", ViewPlace::state, Wanted::integer);
      read.reboot = optional_variable(node, "reboot", ViewPlace::action, Wanted::boolean);
    }
    if (view.nodes.empty()) fail(nodes, "a graph has no nodes");
    if (const toml::node* links = section.get("links")) {
      for (const toml::node& link : array(*links, "links")) {
        const toml::array& ends = array(link, "links");
        if (ends.size() != 2) fail(link, "bad link, expected the names of two nodes");
        view.links.emplace_back(node_number(numbers, ends[0]), node_number(numbers, ends[1]));
      }
    }
    return view;
  }

  std::uint32_t node_number(const std::unordered_map<std::string, std::uint32_t>& numbers,
                            const toml::node& end) const {
    const std::string name = string(end, "links");
    const auto found = numbers.find(name);
    if (found == numbers.end()) fail(end, fmt::format("no node is named '{}'", printable(name)));
    return found->second;
  }

  const ViewScope& scope_;
  std::string_view file_;
};

class ViewWriter {
 public:
  explicit ViewWriter(const ViewNames& names) : names_(names) {}

  std::string operator()(const GridView& view) const {
    std::string text =
        fmt::format("\n[view]\nkind = \"grid\"\nwidth = {}\nheight = {}\n", view.width, view.height);
    if (!view.walls.empty()) {
      std::vector<std::string> walls;
      for (const ViewCell& wall : view.walls) walls.push_back(fmt::format("[{}, {}]", wall.x, wall.y));
      text += fmt::format("walls = [{}]\n", fmt::join(walls, ", "));
    }
    for (const GridThing& thing : view.things) {
      text += fmt::format("\n[[view.things]]\nkind = \"{}\"\n",
                          thing_kind_names[static_cast<std::size_t>(thing.kind)]);
      if (!thing.name.empty()) text += fmt::format("name = {}\n", toml_string(thing.name));
      if (thing.at) text += fmt::format("at = [{}, {}]\n", thing.at->x, thing.at->y);
      if (thing.coordinates) {
        text += fmt::format("x = {}\ny = {}\n", state(thing.coordinates->first),
                            state(thing.coordinates->second));
      }
      if (!thing.cells.empty()) {
        text += "cells = [\n";
        for (const auto& row : thing.cells) {
          std::vector<std::string> names;
          for (const auto& cell : row) names.push_back(cell ? state(*cell) : "\"\"");
          text += fmt::format("  [{}],\n", fmt::join(names, ", "));
        }
        text += "]\n";
      }
      if (thing.shown) {
        text += fmt::format("shown = {}\n", toml_string((thing.shown->negated ? "~" : "") +
                                                        names_.state[thing.shown->variable]));
      }
    }
    return text;
  }

  std::string operator()(const StockView& view) const {
    std::string text = fmt::format("\n[view]\nkind = \"stock\"\nstock = {}\n", state(view.stock));
    if (view.order) text += fmt::format("order = {}\n", action(*view.order));
    if (view.order_size) text += fmt::format("order_size = {}\n", *view.order_size);
    if (view.capacity) text += fmt::format("capacity = {}\n", *view.capacity);
    if (view.month) text += fmt::format("month = {}\n", state(*view.month));
    if (!view.demand.empty()) text += fmt::format("demand = [{}]\n", fmt::join(view.demand, ", "));
    return text;
  }

  std::string operator()(const GraphView& view) const {
    std::string text = "\n[view]\nkind = \"graph\"\n";
    if (view.oldest) text += fmt::format("oldest = {}\n", *view.oldest);
    if (!view.links.empty()) {
      std::vector<std::string> links;
      for (const auto& [a, b] : view.links)
        links.push_back(
            fmt::format("[{}, {}]", toml_string(view.nodes[a].name), toml_string(view.nodes[b].name)));
      text += fmt::format("links = [{}]\n", fmt::join(links, ", "));
    }
    for (const GraphNode& node : view.nodes) {
      text += fmt::format("\n[[view.nodes]]\nname = {}\n", toml_string(node.name));
      if (node.running) text += fmt::format("running = {}\n", state(*node.running));
      if (node.age) text += fmt::format("age = {}\n", state(*node.age));
      if (node.reboot) text += fmt::format("reboot = {}\n", action(*node.reboot));
    }
    return text;
  }

 private:
  std::string state(std::uint32_t variable) const { return toml_string(names_.state[variable]); }
  std::string action(std::uint32_t variable) const { return toml_string(names_.action[variable]); }

  const ViewNames& names_;
};

}  // namespace

View read_view(const toml::table& section, const ViewScope& scope, std::string_view file) {
  return ViewReader(scope, file).read(section);
}

std::string view_text(const View& view, const ViewNames& names) {
  return std::visit(ViewWriter(names), view);
}

}  // namespace bnnplan::view
