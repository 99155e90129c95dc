#pragma once

#include <string>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// A constraint in words: "at most one of up, down, left, right", "key is true", "a or not b". Constraints
// without such a form are given as written in the problem.
std::string constraint_in_words(const Problem& problem, const LinearConstraint& constraint);

// What a file claims about its plan: "optimal", "optimal among the plans on which model and domain agree",
// "optimal, as clasp claimed", "optimal, resumed from a.checkpoint". Empty if it states no status.
std::string claim_text(const std::string& status, const std::string& among, const std::string& claimed_by,
                       const std::string& resumed_from);

// The objective: "as few of left, right as possible", "the largest total of ... over all steps".
std::string objective_in_words(const Problem& problem);

}  // namespace bnnplan::reporting
