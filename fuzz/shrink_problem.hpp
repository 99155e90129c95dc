#pragma once

#include <functional>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::fuzz {

// A smaller problem that still fails: steps, variables, rows, terms, neurons, weights and given values are
// removed one after the other as long as `fails` returns true. `fails` is called only for valid problems.
Problem shrink_problem(const Problem& problem, const std::function<bool(const Problem&)>& fails);

}  // namespace bnnplan::fuzz
