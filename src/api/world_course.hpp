#pragma once

#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "bnnplan/report/report_plan.hpp"

namespace bnnplan {

// Whether one replay says everything of a plan: nothing is drawn at random, no fluent is real.
bool is_exact(const rddl::Simulator& domain);

// The states of a replay as bits of the problem, from the initial one on. Variables that the domain does not
// have are the plan's. Requires that the plan says every state. Throws InputError as ProblemBinding does.
std::vector<BitValues> world_states(rddl::Simulator& domain, const Problem& problem, const Plan& plan,
                                    const rddl::Replay& world);

// What the plan does in the true domain, to be shown beside what it promises. Throws InputError if the
// problem is not one of this domain, and if the domain is not exact: then there is more than one course.
reporting::WorldCourse world_course(rddl::Simulator& domain, const Problem& problem, const Plan& plan);

}  // namespace bnnplan
