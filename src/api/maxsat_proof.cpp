// Core-guided search writes no proof that our checker reads. Once the optimum is known, a second solver,
// which writes proofs, only has to show that nothing is better.
#include <stdexcept>

#include <bnnplan/maxsat.hpp>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/engines/pseudo_boolean/prove_maxsat.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"

namespace bnnplan {

std::string write_maxsat_proof(std::string_view text, const std::string& name, const MaxSatOutcome& outcome,
                               const MaxSatCall& call) {
  MaxSatCall checked = call;
  checked.limits = {};  // which may stand for those of the machine
  check_options(checked, options_of);
  if (outcome.status != Status::optimal && outcome.status != Status::infeasible)
    return std::string(stop_reason_text(outcome.stopped));
  engines::PbRequest request;
  request.limits = call.limits;
  request.proof = call.proof;
  request.proof_version = call.proof_version;
  const formats::Wcnf formula = formats::parse_wcnf(text, name);
  if (formula.weight_sum > std::uint64_t{1} << 62) return name + ": weights of more than 2^62";
  try {
    const engines::MaxSatProof proof =
        engines::prove_maxsat(formula, outcome.model ? &*outcome.model : nullptr, request);
    if (!proof.written) return std::string(stop_reason_text(proof.stopped));
    if (proof.status != outcome.status || proof.cost != outcome.cost)
      throw std::logic_error("the solver that proves the answer has another one");
    return "";
  } catch (const OverflowError& error) {
    return error.what();
  }
}

}  // namespace bnnplan
