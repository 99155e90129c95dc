// Views of compiled domains. RDDL has no notion of pictures, so a domain is recognised by the fluents it
// declares; each function below looks for those of one domain, and gives up quietly if one of them is missing
// or has another type. Goals become doors and targets: a cell, or a pair of coordinates, that the goal fixes.
#include "bnnplan/view/domain_view.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace bnnplan::view {

namespace {

// Looks up variables by name and non-fluents by fluent.
class Facts {
 public:
  explicit Facts(const DomainFacts& domain) : domain_(domain) {
    for (std::uint32_t i = 0; i < domain.state.size(); ++i) state_[domain.state[i].name] = i;
    for (std::uint32_t i = 0; i < domain.action.size(); ++i) action_[domain.action[i].name] = i;
  }

  // A state or action variable of this name, Boolean or not.
  std::optional<std::uint32_t> state(const std::string& name, bool boolean) const {
    return find(state_, domain_.state, name, boolean);
  }
  std::optional<std::uint32_t> action(const std::string& name, bool boolean) const {
    return find(action_, domain_.action, name, boolean);
  }

  std::vector<const DomainVariable*> instances(std::string_view fluent, std::size_t arguments) const {
    return of_fluent(domain_.state, fluent, arguments);
  }
  std::vector<const DomainConstant*> constants(std::string_view fluent, std::size_t arguments) const {
    return of_fluent(domain_.constants, fluent, arguments);
  }

  std::optional<int> number(std::string_view fluent) const {
    const auto found = constants(fluent, 0);
    return found.empty() ? std::nullopt : found.back()->value;
  }

  // By argument, for unary non-fluents.
  std::map<std::string, int> numbers(std::string_view fluent) const {
    std::map<std::string, int> result;
    for (const DomainConstant* constant : constants(fluent, 1)) {
      if (constant->value) result[constant->arguments[0]] = *constant->value;
    }
    return result;
  }

  std::optional<int> goal_value(std::uint32_t variable) const { return domain_.state[variable].goal; }

 private:
  template <class Fact>
  static std::vector<const Fact*> of_fluent(const std::vector<Fact>& facts, std::string_view fluent,
                                            std::size_t arguments) {
    std::vector<const Fact*> found;
    for (const Fact& fact : facts) {
      if (fact.fluent == fluent && fact.arguments.size() == arguments) found.push_back(&fact);
    }
    return found;
  }

  static std::optional<std::uint32_t> find(const std::map<std::string, std::uint32_t>& names,
                                           const std::vector<DomainVariable>& list, const std::string& name,
                                           bool boolean) {
    const auto found = names.find(name);
    if (found == names.end() || list[found->second].boolean != boolean) return std::nullopt;
    return found->second;
  }

  const DomainFacts& domain_;
  std::map<std::string, std::uint32_t> state_, action_;
};

// Orders the objects by `after` (after(a, b): b comes next) if it is a single chain of all of them; otherwise
// leaves them as they are.
std::vector<std::string> in_order(const std::vector<std::string>& objects,
                                  const std::vector<const DomainConstant*>& after) {
  std::map<std::string, std::string> next;
  std::map<std::string, int> before;
  for (const DomainConstant* pair : after) {
    if (pair->value == 0) continue;
    next[pair->arguments[0]] = pair->arguments[1];
    ++before[pair->arguments[1]];
  }
  std::vector<std::string> chain;
  for (const std::string& object : objects) {
    if (before.count(object) == 0) chain.push_back(object);
  }
  if (chain.size() != 1) return objects;
  while (chain.size() < objects.size() && next.count(chain.back()) != 0) chain.push_back(next[chain.back()]);
  return chain.size() == objects.size() ? chain : objects;
}

// A robot on the cells of a grid.
std::optional<View> navigation_view(const Facts& facts) {
  const auto cells = facts.instances("robot-at", 2);
  if (cells.empty()) return std::nullopt;
  std::vector<std::string> columns, rows;
  for (const DomainVariable* cell : cells) {
    for (const auto& [list, name] : {std::pair(&columns, cell->arguments[0]), {&rows, cell->arguments[1]}}) {
      if (std::find(list->begin(), list->end(), name) == list->end()) list->push_back(name);
    }
  }
  columns = in_order(columns, facts.constants("RIGHT-OF", 2));
  rows = in_order(rows, facts.constants("ABOVE", 2));
  if (columns.size() > 1000 || rows.size() > 1000) return std::nullopt;
  std::map<std::string, int> x_of, y_of;
  for (const std::string& name : columns) x_of.emplace(name, static_cast<int>(x_of.size()));
  for (const std::string& name : rows) y_of.emplace(name, static_cast<int>(y_of.size()));
  GridView view;
  view.width = static_cast<int>(columns.size());
  view.height = static_cast<int>(rows.size());
  for (const DomainConstant* wall : facts.constants("OBSTACLE", 2)) {
    if (wall->value != 0 && x_of.count(wall->arguments[0]) && y_of.count(wall->arguments[1]))
      view.walls.push_back({x_of[wall->arguments[0]], y_of[wall->arguments[1]]});
  }
  GridThing robot;
  robot.name = "robot";
  robot.cells.assign(rows.size(), std::vector<std::optional<std::uint32_t>>(columns.size()));
  for (const DomainVariable* cell : cells) {
    const auto variable = facts.state(cell->name, true);
    if (!variable) return std::nullopt;
    const ViewCell place{x_of[cell->arguments[0]], y_of[cell->arguments[1]]};
    robot.cells[static_cast<std::size_t>(place.y)][static_cast<std::size_t>(place.x)] = *variable;
    if (facts.goal_value(*variable) == 1) {
      GridThing goal;
      goal.kind = ThingKind::goal;
      goal.at = place;
      view.things.push_back(goal);
    }
  }
  view.things.push_back(robot);
  return view;
}

// An agent and its enemy with coordinates, blocks, a key and a door.
std::optional<View> cellda_view(const Facts& facts) {
  const auto agent_x = facts.state("agent-x", false), agent_y = facts.state("agent-y", false);
  const auto enemy_x = facts.state("enemy-x", false), enemy_y = facts.state("enemy-y", false);
  const auto has_key = facts.state("has-key", true);
  const auto width = facts.number("WIDTH"), height = facts.number("HEIGHT");
  const auto key_x = facts.number("KEY-X"), key_y = facts.number("KEY-Y");
  if (!agent_x || !agent_y || !enemy_x || !enemy_y || !has_key || !width || !height || !key_x || !key_y)
    return std::nullopt;
  if (*width < 1 || *height < 1 || *width > 1000 || *height > 1000) return std::nullopt;
  GridView view;
  view.width = *width;
  view.height = *height;
  const auto on_grid = [&](int x, int y) { return x < view.width && y < view.height; };
  const auto block_y = facts.numbers("BLOCK-Y");
  for (const auto& [block, x] : facts.numbers("BLOCK-X")) {
    const auto y = block_y.find(block);
    if (y != block_y.end() && on_grid(x, y->second)) view.walls.push_back({x, y->second});
  }
  const auto door_x = facts.goal_value(*agent_x), door_y = facts.goal_value(*agent_y);
  if (door_x && door_y && on_grid(*door_x, *door_y)) {
    GridThing door;
    door.kind = ThingKind::door;
    door.at = ViewCell{*door_x, *door_y};
    view.things.push_back(door);
  }
  GridThing key;
  key.kind = ThingKind::key;
  if (on_grid(*key_x, *key_y)) {
    key.at = ViewCell{*key_x, *key_y};
    key.shown = ViewCondition{*has_key, true};
    view.things.push_back(key);
  }
  GridThing agent;
  agent.coordinates = {*agent_x, *agent_y};
  view.things.push_back(agent);
  GridThing enemy;
  enemy.kind = ThingKind::enemy;
  enemy.coordinates = {*enemy_x, *enemy_y};
  view.things.push_back(enemy);
  GridThing carried;
  carried.kind = ThingKind::key;
  carried.coordinates = agent.coordinates;
  carried.shown = ViewCondition{*has_key, false};
  view.things.push_back(carried);
  return view;
}

// A stock that the monthly demand is taken from.
std::optional<View> inventory_view(const Facts& facts) {
  const auto stock = facts.state("stock", false), month = facts.state("month", false);
  const auto order = facts.action("order", true);
  if (!stock || !order) return std::nullopt;
  StockView view;
  view.stock = *stock;
  view.order = order;
  view.order_size = facts.number("ORDER-SIZE");
  view.capacity = facts.number("CAPACITY");
  view.month = month;
  const auto demand = facts.numbers("DEMAND");
  for (const auto& [period, number] : facts.numbers("NUMBER")) {
    if (number >= 1000) return std::nullopt;
    if (view.demand.size() <= static_cast<std::size_t>(number)) view.demand.resize(number + 1u, 0);
    if (const auto found = demand.find(period); found != demand.end())
      view.demand[static_cast<std::size_t>(number)] = found->second;
  }
  return view;
}

// Computers that run, age and are linked.
std::optional<View> sysadmin_view(const Facts& facts) {
  GraphView view;
  std::map<std::string, std::uint32_t> numbers;
  for (const DomainVariable* variable : facts.instances("running", 1)) {
    const std::string& computer = variable->arguments[0];
    GraphNode node;
    node.name = computer;
    node.running = facts.state(variable->name, true);
    node.age = facts.state("age[" + computer + "]", false);
    node.reboot = facts.action("reboot[" + computer + "]", true);
    if (!node.running || !node.age || !node.reboot) return std::nullopt;
    numbers.emplace(computer, static_cast<std::uint32_t>(view.nodes.size()));
    view.nodes.push_back(node);
  }
  if (view.nodes.empty()) return std::nullopt;
  for (const DomainConstant* link : facts.constants("LINK", 2)) {
    const auto from = numbers.find(link->arguments[0]), to = numbers.find(link->arguments[1]);
    if (link->value != 0 && from != numbers.end() && to != numbers.end())
      view.links.emplace_back(from->second, to->second);
  }
  view.oldest = facts.number("MAX-AGE");
  return view;
}

}  // namespace

std::optional<View> domain_view(const DomainFacts& domain) {
  const Facts facts(domain);
  for (const auto recognise : {navigation_view, cellda_view, inventory_view, sysadmin_view}) {
    if (auto view = recognise(facts)) return view;
  }
  return std::nullopt;
}

}  // namespace bnnplan::view
