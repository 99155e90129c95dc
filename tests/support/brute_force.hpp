#pragma once

#include <cstdint>
#include <optional>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/model/pb_formula.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::testing {

// The optimal cost of a problem, nothing if it has no plan: by trying every initial state, action, auxiliary
// and next-state assignment, straight from the definition. For a dozen bits at most.
std::optional<std::int64_t> brute_force_cost(const Problem& problem);

// The least cost of a formula, nothing if its hard clauses have no model: by trying every assignment.
std::optional<formats::Weight> brute_force_cost(const formats::Wcnf& formula);

// The least value of a formula, 0 without an objective, nothing if it has no solution: by trying every
// assignment. Throws OverflowError where a sum does not fit into 64 bits.
std::optional<std::int64_t> brute_force_value(const checking::PbFormula& formula);
std::optional<std::int64_t> brute_force_value(const model::PbFormula& formula);

}  // namespace bnnplan::testing
