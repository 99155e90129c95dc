#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/model/pb_formula.hpp"

namespace bnnplan::engines {

// What a run reports. Empty functions are not called.
struct PbCallbacks {
  // A solution better than all before, checked against the formula, and its value (0 without an objective).
  std::function<void(const BitValues& values, std::int64_t value)> improvement;
  // No solution has a smaller value; rises from call to call.
  std::function<void(std::int64_t lower_bound)> lower_bound;
};

struct PbRequest {
  Limits limits;  // threads is ignored: there is only one
  PbCallbacks callbacks;
  std::filesystem::path proof;  // the VeriPB proof to write; empty: none
  ProofVersion proof_version = ProofVersion::v3_0;
};

struct PbOutcome {
  Status status = Status::unknown;
  std::optional<BitValues> values;          // the best solution, one value per variable
  std::optional<std::int64_t> value;        // of the objective, 0 without one
  std::optional<std::int64_t> lower_bound;  // nothing if unsatisfiable
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::size_t neurons = 0, layers = 0, rows = 0;  // as recognised
  std::uint64_t conflicts = 0, propagations = 0;
};

// Minimises a pseudo-Boolean formula with the neuron engine's solver: reified cardinality constraints are
// recognised and become neurons, everything else becomes rows and clauses. It can do so in turns, and keeps
// what it has learned. Throws OverflowError if sums of coefficients do not fit into 64 bits, InputError if
// the proof cannot be written, and std::logic_error if the solver returns a solution that violates a
// constraint, which cannot happen.
class PbSolver {
 public:
  PbSolver(const model::PbFormula& formula, const PbRequest& request);  // keeps references
  ~PbSolver();

  void offer(const BitValues& known);  // a solution from elsewhere: only better ones are sought

  // Makes about this many conflicts. The outcome is that of all calls together; if it is not decided and no
  // limit has stopped it, the next call continues.
  PbOutcome run(std::uint64_t conflicts = ~std::uint64_t{0});

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

inline PbOutcome solve_pseudo_boolean(const model::PbFormula& formula, const PbRequest& request = {}) {
  return PbSolver(formula, request).run();
}

}  // namespace bnnplan::engines
