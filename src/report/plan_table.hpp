#pragma once

#include <string>

#include "bnnplan/base/text_style.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// A readable plan: the initial state, then one line per step with the actions taken and what they changed.
// Requires a plan with all values, such as one that the checker accepted. Longer plans are cut in the middle.
std::string plan_table(const Problem& problem, const Plan& plan, std::size_t longest = 200,
                       const TextStyle& style = {});

}  // namespace bnnplan::reporting
