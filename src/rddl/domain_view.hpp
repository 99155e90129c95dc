#pragma once

#include <optional>

#include "problem/problem.hpp"
#include "rddl/ground.hpp"

namespace bnnplan {

// How to draw the problem that was compiled from this model, where its fluents are those of one of the four
// domains in domains/: a robot on cells, an agent with coordinates, a stock with demands, computers with
// links. Nothing for other domains. The problem's variables, goal and network must be complete.
std::optional<View> domain_view(const GroundModel& model, const Problem& problem);

}  // namespace bnnplan
