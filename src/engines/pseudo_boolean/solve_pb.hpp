#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/bit_value.hpp"
#include "base/limits.hpp"
#include "check/pb_formula.hpp"

namespace bnnplan {

enum class PbStatus : std::uint8_t {
  optimal,        // proved; of a formula without an objective every solution is
  satisfiable,    // a solution, not proved optimal
  unsatisfiable,  // proved that there is none
  unknown         // a limit was hit before a solution was found
};

// What a run tells while it runs. Empty functions are not called.
struct PbCallbacks {
  // A solution better than all before, checked against the formula, and its value (0 without an objective).
  std::function<void(const BitValues& values, std::int64_t value)> improvement;
  // No solution has a lesser value; rises from call to call.
  std::function<void(std::int64_t lower_bound)> lower_bound;
};

struct PbRequest {
  Limits limits;  // threads is not used: there is one
  PbCallbacks callbacks;
  std::filesystem::path proof;  // where a VeriPB proof is written; nowhere if empty
  std::string proof_version = "3.0";
  const BitValues* known = nullptr;  // a solution from elsewhere: only better ones are looked for
  std::uint64_t most_conflicts = ~std::uint64_t{0};  // about so many; then it has stopped as too large
};

struct PbOutcome {
  PbStatus status = PbStatus::unknown;
  std::optional<BitValues> values;          // the best solution, one value per variable
  std::optional<std::int64_t> value;        // of the objective, 0 without one
  std::optional<std::int64_t> lower_bound;  // nothing if unsatisfiable
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::size_t neurons = 0, layers = 0, rows = 0;  // as they were recognised
  std::uint64_t conflicts = 0, propagations = 0;
};

// Minimises a pseudo-Boolean formula by the neuron engine's solver: reified cardinality constraints are
// recognised and become neurons, everything else is rows and clauses. Throws OverflowError if sums of
// coefficients do not fit into 64 bits, InputError if the proof cannot be written, and std::logic_error if
// the solver gives a solution that violates a constraint, which cannot happen.
PbOutcome solve_pseudo_boolean(const PbFormula& formula, const PbRequest& request = {});

}  // namespace bnnplan
