#pragma once

#include <vector>

#include "compare/matrix.hpp"
#include "compare/run_record.hpp"

namespace bnnplan {

// The runs, where those whose claim somebody's plan refutes have status "refuted" and a message that says by
// what: a bound or an optimum above the cost of a known plan, or "infeasible" where there is one. `known` are
// further runs that may have such plans; those of another digest are of another problem and say nothing. Of
// the tasks it is used whether they are about a cost or a reward.
std::vector<RunRecord> with_refutations(std::vector<RunRecord> runs, const std::vector<RunRecord>& known = {},
                                        const std::vector<Task>& tasks = {});

}  // namespace bnnplan
