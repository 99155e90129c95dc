#pragma once

#include "problem/problem.hpp"
#include "rddl/ground/ground.hpp"
#include "view/domain_view.hpp"

namespace bnnplan {

// What domain_view looks at, of a model and the problem that was compiled from it, whose variables and goal
// must be complete.
DomainFacts domain_facts(const GroundModel& model, const Problem& problem);

}  // namespace bnnplan
