// The proof of a search is made after it, when the optimum is known: the search itself uses techniques that a
// proof cannot express (estimates, last steps, waiting). Everything that costs less than the optimum is
// visited once more without them, mostly within the graph; then it is written down (layered_proof.cpp).
#include "bnnplan/engines/search/search_proof.hpp"

#include "bnnplan/engines/proof_file.hpp"
#include "bnnplan/engines/search/cheap_layers.hpp"
#include "bnnplan/engines/search/layered_proof.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::size_t most_nodes = 20'000'000;

}  // namespace

void prove(SearchRun& run, std::span<const StateId> initial, Outcome& outcome) {
  const EngineRequest& request = run.request;
  if (request.proof.empty() || !run.problem.refused.empty()) return;
  const bool any_plan = run.problem.objective.terms.empty() || request.first;
  const bool infeasible = outcome.status == Status::infeasible;
  if (!infeasible && outcome.status != Status::optimal && !(request.first && outcome.plan)) return;

  const model::ZeroOneModel model = model::begin_unroll(run.problem);
  ProofFile file(run.problem, model.layout, request);
  if (outcome.plan && any_plan) {
    file.writer().add_solution(model::encode_plan(model, *outcome.plan), false);
    file.writer().conclude_satisfiable();
  } else {
    std::uint64_t better = 0;
    std::int64_t below = CheapLayers::unbounded;
    if (!infeasible) {
      better = file.writer().add_solution(model::encode_plan(model, *outcome.plan), true);
      below = *outcome.cost - model.offset;
    }
    try {
      std::optional<CheapLayers> layers(std::in_place);
      if (run.graph) layers = find_cheap_layers(run, initial, below, most_nodes);
      if (!layers || !LayeredProof(run, model, *layers, file.writer()).write(better)) return;
    } catch (const LimitReached&) {
      return;
    }
    if (infeasible) {
      file.writer().conclude_infeasible();
    } else {
      file.writer().conclude_optimal(*outcome.cost - model::plain_objective(model).offset);
    }
  }
  file.commit();
  outcome.proof = request.proof;
}

}  // namespace bnnplan::engines
