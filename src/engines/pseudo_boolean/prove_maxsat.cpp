// Proofs for MaxSAT. CaDiCaL finds the optimum; what it learned is not available as a proof (Debian's version
// has no tracer that reports the origin of a lemma in an incremental run), so a solver that logs every step
// proves it again, starting from the best model. Core-guided search and search from above take turns, as for
// any pseudo-Boolean formula: cores, counters and sums are in the proof (cdcl/core_proof.cpp).
#include "bnnplan/engines/pseudo_boolean/prove_maxsat.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

// The file's variables as they are; a variable after them, which pays for the soft clause that contains it,
// is true if the rest of its clause is false.
BitValues values_of(const checking::WcnfFormula& formula, const maxsat::MaxSatModel& model) {
  BitValues values(formula.formula.variables);
  std::copy_n(model.begin(), std::min<std::size_t>(model.size(), formula.file_variables), values.begin());
  for (const checking::PbConstraint& clause : formula.formula.constraints) {
    const auto paid =
        std::find_if(clause.terms.begin(), clause.terms.end(), [&](const checking::PbConstraint::Term& term) {
          return term.literal.var().index >= formula.file_variables;
        });
    if (paid == clause.terms.end()) continue;
    const bool satisfied =
        std::any_of(clause.terms.begin(), clause.terms.end(), [&](const checking::PbConstraint::Term& term) {
          return term.literal != paid->literal &&
                 (values[term.literal.var().index] != 0) != term.literal.negated();
        });
    values[paid->literal.var().index] = satisfied ? 0 : 1;
  }
  return values;
}

}  // namespace

MaxSatProof prove_maxsat(const checking::WcnfFormula& formula, const maxsat::MaxSatModel* known,
                         PbRequest request) {
  request.callbacks = {};
  PbSolver solver(formula.formula, request);
  if (known != nullptr) solver.offer(values_of(formula, *known));
  const PbOutcome outcome = solver.run();
  MaxSatProof proof;
  proof.written = outcome.proof_written;
  proof.stopped = outcome.stopped;
  if (outcome.values) {
    proof.model.emplace(formula.file_variables);
    for (std::uint32_t v = 0; v < formula.file_variables; ++v) (*proof.model)[v] = (*outcome.values)[v] != 0;
    proof.cost = static_cast<formats::Weight>(formula.offset + *outcome.value);
  }
  proof.status = outcome.status;
  return proof;
}

}  // namespace bnnplan::engines
