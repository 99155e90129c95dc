#pragma once

#include <vector>

#include "bnnplan/compare/matrix.hpp"
#include "bnnplan/compare/run_record.hpp"

namespace bnnplan::comparison {

// The runs, with status "refuted" for those whose claim is refuted by a plan of some run, and a message that
// names the evidence: a bound or an optimum above the cost of a known plan, or "infeasible" although there is
// one. `known` are further runs that may have such plans; those of another digest belong to another problem
// and are ignored. The tasks only tell whether they have a cost or a reward.
std::vector<RunRecord> with_refutations(std::vector<RunRecord> runs, const std::vector<RunRecord>& known = {},
                                        const std::vector<Task>& tasks = {});

}  // namespace bnnplan::comparison
