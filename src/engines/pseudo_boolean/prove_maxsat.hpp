#pragma once

#include <optional>

#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/maxsat/maxsat.hpp"

namespace bnnplan::engines {

// A proof of a lower bound on the cost of a weighted formula, or that it has no model: its clauses as
// pseudo-Boolean constraints (check/wcnf_formula.hpp), solved by our own solver, which writes proofs. An
// optimal model that is already known, over the file's variables, leaves only the bound to prove. Requires
// that the weights sum up to at most 2^62. Throws what solve_pseudo_boolean throws.
//
// request.callbacks are not used: models are reported only in the outcome. Its status is
// what is proved; satisfiable or unknown, and no file, if a limit was reached.
struct MaxSatProof {
  Status status = Status::unknown;
  std::optional<maxsat::MaxSatModel> model;  // the best, over the file's variables
  std::optional<formats::Weight> cost;
  bool written = false;
  StopReason stopped = StopReason::none;
};
MaxSatProof prove_maxsat(const formats::Wcnf& wcnf, const maxsat::MaxSatModel* known, PbRequest request);

}  // namespace bnnplan::engines
