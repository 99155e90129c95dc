#pragma once

#include <string>

#include "base/text_style.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// The plan drawn in text (view/text_picture.hpp) as the problem's view says; empty without a view. Requires a
// plan that says everything.
std::string plan_picture(const Problem& problem, const Plan& plan, const TextStyle& style);

}  // namespace bnnplan
