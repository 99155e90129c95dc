#pragma once

#include <string>

#include "problem/plan.hpp"
#include "problem/problem.hpp"
#include "report/text_style.hpp"

namespace bnnplan {

// A plan drawn in text, as the problem's view says: a grid for every step side by side, a bar of stock or a
// line of computers for every step. Empty without a view, and where it does not fit into the width. Requires
// a plan that says everything.
std::string plan_picture(const Problem& problem, const Plan& plan, const TextStyle& style);

}  // namespace bnnplan
