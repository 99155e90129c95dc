#pragma once

#include <optional>

#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// How to draw a problem compiled from a model, whose variables and goal must be complete: as DOMAIN.view.toml
// beside DOMAIN.rddl says, if there is such a file. Throws InputError for what is wrong in it.
std::optional<view::View> domain_view(const GroundModel& model, const Problem& problem);

}  // namespace bnnplan::rddl
