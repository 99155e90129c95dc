#pragma once

#include <string>

#include "bnnplan/base/text_style.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// What `plan` prints for a person: the table of steps if there is a plan, then, if requested, a drawing of
// the plan according to the problem's view, then what is known about it.
std::string outcome_text(const Problem& problem, const engines::Outcome& outcome, const TextStyle& style = {},
                         bool picture = false);

// One line about a running engine, without a line end.
std::string progress_text(const Problem& problem, const Progress& progress);

}  // namespace bnnplan::reporting
