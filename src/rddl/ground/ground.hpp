#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/ground/node_pool.hpp"
#include "bnnplan/rddl/language/task.hpp"

namespace bnnplan::rddl {

// A fluent with its arguments. Its name is `fluent` or `fluent[a| b]`, as in problem files.
struct GroundVariable {
  std::string name;
  std::string fluent;
  std::vector<std::string> arguments;  // objects
  ValueKind kind = ValueKind::boolean;
  std::int64_t object_count = 0;  // ValueKind::object: values are 0 .. object_count - 1
  std::int64_t initial = 0;       // state: its initial value; action: its default; encoded as in evaluate.hpp
  bool observed = false;          // an observation, which is among the intermediate variables
  int decimals = 0;               // an integer that represents a real counts units of 10^-decimals
  NodeId definition = 0;          // state: of the next value; intermediate: of the value
  SourcePlace place;              // of the definition, for action variables of the declaration
};

// A non-fluent with its arguments; only those that are exact fractions.
struct GroundConstant {
  std::string fluent;
  std::vector<std::string> arguments;
  Rational value;
};

// Defines the value of the variable in a slot.
struct GroundDefinition {
  std::uint32_t slot = 0;
  NodeId node = 0;
};

// A constraint, invariant or goal, and its place in the text.
struct GroundCondition {
  NodeId node = 0;
  SourcePlace place;
};

// A domain and an instance as one flat transition system. A value vector has a slot for each variable:
//   state | action | intermediate | next state
struct GroundModel {
  std::vector<std::shared_ptr<const std::string>> file_names;
  std::string domain_name, instance_name;
  std::vector<ObjectType> types;
  NodePool nodes{0};
  std::vector<GroundVariable> state, action, intermediate;
  // Non-fluents: those without arguments, and the values that the instance states for the others; a later
  // entry of the same name wins. Their values are already substituted into the expressions.
  std::vector<GroundConstant> constants;
  std::vector<GroundDefinition> order;  // every intermediate and next-state slot, after all it depends on
  std::optional<NodeId> reward;
  std::vector<GroundCondition> constraints;  // over the current step; none is constantly true
  std::vector<GroundCondition> invariants;   // over the state
  std::vector<GroundCondition> goals;        // over the state
  // Over the state: the episode is over when it holds. From then on the state stays the same, and there are
  // no rewards and no constraints.
  std::optional<GroundCondition> termination;
  std::optional<std::int64_t> max_nondefault_actions;
  int horizon = 0;  // 0: not stated
  Rational discount = {1, 1};
  SourcePlace instance_place;

  std::uint32_t first_action() const { return static_cast<std::uint32_t>(state.size()); }
  std::uint32_t first_intermediate() const {
    return first_action() + static_cast<std::uint32_t>(action.size());
  }
  std::uint32_t first_next() const {
    return first_intermediate() + static_cast<std::uint32_t>(intermediate.size());
  }
  std::uint32_t slot_count() const { return first_next() + static_cast<std::uint32_t>(state.size()); }
  const GroundVariable& variable(std::uint32_t slot) const;
  std::string slot_name(std::uint32_t slot) const;  // with a ' for the next state
};

struct GroundingLimits {
  std::size_t variables = 5'000'000;  // states, actions and intermediate ones together
  std::size_t nodes = 20'000'000;     // of all ground expressions together
  // Expressions visited while grounding; also values of a non-fluent.
  std::size_t instantiations = 100'000'000;
};

// Requires a linked and checked task. Throws RddlError, also for cyclic definitions.
GroundModel ground(const RddlTask& task, const GroundingLimits& limits = {});

// Reads, links, checks and grounds the instance of this name, or the only one of the file.
GroundModel read_ground_model(const std::filesystem::path& domain, const std::filesystem::path& instance,
                              std::string_view instance_name = "",
                              const std::vector<std::string>& goals = {});

}  // namespace bnnplan::rddl
