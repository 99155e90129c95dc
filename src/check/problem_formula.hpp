#pragma once

#include <cstdint>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::checking {

// The formula that a proof about a problem refers to: the one that `encode --to opb` writes, built here from
// the problem without the code that unrolls and writes it. cost = value of its objective + `offset`.
struct ProblemFormula {
  PbFormula formula;
  std::int64_t offset = 0;
};

// Requires problem.horizon > 0. Throws InputError if the formula has more than 2^30 variables or does not
// fit into the machine's memory, and LimitReached.
ProblemFormula formula_of(const Problem& problem, LimitWatch* watch = nullptr);

}  // namespace bnnplan::checking
