#pragma once

#include <optional>

#include "check/wcnf_formula.hpp"
#include "engines/pseudo_boolean/solve_pb.hpp"
#include "maxsat/maxsat.hpp"

namespace bnnplan {

// A proof of what a weighted formula costs at least, or that it has no model: its clauses as pseudo-Boolean
// constraints (check/wcnf_formula.hpp), solved by our own solver, which writes proofs. A model of the optimum
// that is known already, with the variables of the file, leaves only the bound to prove. Throws what
// solve_pseudo_boolean does.
//
// request.known and request.callbacks are not used: models are told in the outcome alone. Its status is what
// is proved; satisfiable or unknown, and no file, if a limit was reached.
struct MaxSatProof {
  MaxSatStatus status = MaxSatStatus::unknown;
  std::optional<MaxSatModel> model;  // the best, with the variables of the file
  std::optional<Weight> cost;
  bool written = false;
  StopReason stopped = StopReason::none;
};
MaxSatProof prove_maxsat(const WcnfFormula& formula, const MaxSatModel* known, PbRequest request);

}  // namespace bnnplan
