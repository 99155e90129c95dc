#pragma once

#include <string>

#include "bnnplan/base/text_style.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// The plan drawn as text (view/text_picture.hpp) according to the problem's view; empty without a view.
// Requires a plan with all values.
std::string plan_picture(const Problem& problem, const Plan& plan, const TextStyle& style);

}  // namespace bnnplan::reporting
