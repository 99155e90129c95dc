#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::checking {

struct ProofCheck {
  enum class Claim : std::uint8_t {
    nothing,      // every step is right, but the proof does not end with a result
    satisfiable,  // a solution was shown (there is no objective, or any solution was enough)
    optimal,      // `value` is the least value of the objective
    infeasible    // there is no solution
  };
  bool accepted = false;
  std::string refusal;  // "line 17: ..." if not accepted
  Claim claim = Claim::nothing;
  std::int64_t value = 0;   // of the formula's objective, if optimal or satisfiable with an objective
  std::uint64_t steps = 0;  // constraints derived or defined
  std::uint64_t solutions = 0;
};

// Checks a VeriPB proof, version 1.2 or 3.0, with the rules that our engines write: f, rup (of any linear
// constraint), pol, red (of two halves that define a new variable), del id, o / soli, v / sol, c, output,
// conclusion, end. Anything else is refused, and so is a version 1.2 proof that derived a contradiction
// without stating it. Shares no code with the solver. Throws LimitReached if a limit is reached, which is
// checked before every line.
ProofCheck check_proof(const PbFormula& formula, std::string_view proof, LimitWatch* watch = nullptr);

}  // namespace bnnplan::checking
