#pragma once

#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/ground/ground.hpp"
#include "bnnplan/view/domain_view.hpp"

namespace bnnplan::rddl {

// The facts that domain_view uses about a model and the problem compiled from it, whose variables and goal
// must be complete.
view::DomainFacts domain_facts(const GroundModel& model, const Problem& problem);

}  // namespace bnnplan::rddl
