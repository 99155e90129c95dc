#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::testing {

inline rddl::GroundModel model_of(std::string_view domain, std::string_view instance) {
  return rddl::ground(
      rddl::link_rddl(rddl::parse_rddl(domain, "d.rddl"), rddl::parse_rddl(instance, "i.rddl")));
}

inline rddl::Simulator simulator_of(std::string_view domain, std::string_view instance) {
  return rddl::Simulator(model_of(domain, instance));
}

inline std::filesystem::path domain_file(std::string_view name) {
  return std::filesystem::path(BNNPLAN_SOURCE_DIR) / "domains" / name;
}

// A shipped instance such as navigation_3x3.
inline rddl::Simulator shipped(std::string_view instance) {
  const std::string domain(instance.substr(0, instance.find('_')));
  return rddl::Simulator(domain_file(domain + ".rddl"), domain_file(std::string(instance) + ".rddl"));
}

constexpr std::string_view shipped_instances[] = {"navigation_3x3", "navigation_4x4", "navigation_5x5",
                                                  "inventory_2",    "inventory_4",    "sysadmin_4",
                                                  "sysadmin_5",     "cellda_x",       "cellda_y"};

// Those for scaling: too many states for tests that look at all of them.
constexpr std::string_view larger_instances[] = {"navigation_8x8", "navigation_10x10", "sysadmin_6",
                                                 "sysadmin_8",     "sysadmin_10",      "cellda_8x8"};

// State and action by the names of variables, for tests that read like the domain.
class Scene {
 public:
  explicit Scene(rddl::Simulator& simulator)
      : simulator_(simulator), state(simulator.initial_state()), action(simulator.default_action()) {}

  Scene& set(std::string_view name, std::int64_t value) {
    const rddl::GroundModel& model = simulator_.model();
    for (std::size_t i = 0; i < model.state.size(); ++i) {
      if (model.state[i].name == name) state[i] = value;
    }
    for (std::size_t i = 0; i < model.action.size(); ++i) {
      if (model.action[i].name == name) action[i] = value;
    }
    return *this;
  }

  std::int64_t operator[](std::string_view name) const {
    const rddl::GroundModel& model = simulator_.model();
    for (std::size_t i = 0; i < model.state.size(); ++i) {
      if (model.state[i].name == name) return state[i];
    }
    return -1;
  }

  bool legal() const { return simulator_.legal(state, action); }

  // One step with these actions only.
  Scene& step(std::initializer_list<std::string_view> actions = {}) {
    action = simulator_.default_action();
    for (const std::string_view name : actions) set(name, 1);
    state = simulator_.step(state, action);
    return *this;
  }

 private:
  rddl::Simulator& simulator_;

 public:
  rddl::StateValues state;
  rddl::ActionValues action;
};

}  // namespace bnnplan::testing
