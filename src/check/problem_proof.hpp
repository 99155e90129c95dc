#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::checking {

// What a proof shows about a problem.
struct ProblemProof {
  ProofCheck check;
  std::optional<std::int64_t> cost;  // the optimum if it is proved, an integer as in Objective
};

// Unrolls the problem and checks the proof against the formula. Requires problem.horizon > 0. Throws
// InputError if the formula does not fit into the machine's memory, and LimitReached if a limit is reached.
ProblemProof check_proof(const Problem& problem, std::string_view proof, LimitWatch* watch = nullptr);

// The longest proof that is read: it is held in memory, together with the constraints it derives.
std::size_t largest_proof();

}  // namespace bnnplan::checking
