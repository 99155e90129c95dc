#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnnplan/view/view.hpp"

namespace bnnplan::view {

struct DomainVariable {
  std::string name, fluent;  // "robot-at[x1| y2]" and "robot-at"
  std::vector<std::string> arguments;
  bool boolean = true;
  std::optional<int> goal;  // the value that the goal requires of a state variable
};

struct DomainConstant {
  std::string fluent;
  std::vector<std::string> arguments;
  std::optional<int> value;  // empty unless it is an integer from 0 to 1000000
};

// What is known about a compiled domain, as far as it helps to draw it.
struct DomainFacts {
  std::vector<DomainVariable> state, action;  // by number
  std::vector<DomainConstant> constants;      // the last one of the same name wins
};

// How to draw a problem whose fluents are those of one of the four domains in domains/: a robot on cells, an
// agent with coordinates, a stock with demands, computers with links. Empty for other domains.
std::optional<View> domain_view(const DomainFacts& domain);

}  // namespace bnnplan::view
