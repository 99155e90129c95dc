// A proof begins with the number of constraints in its formula. All steps have the same number, so counting
// one of them is enough.
#include "bnnplan/engines/proof_file.hpp"

#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

// As proofs count: an equation is two constraints.
std::int64_t constraint_count(const model::ZeroOneModel& piece) {
  std::int64_t count = 0;
  model::for_each_plain_row(
      piece, [&](const model::PlainRow& row) { count += row.comparison == Comparison::equal ? 2 : 1; });
  return count;
}

std::int64_t constraint_count(const Problem& problem, const model::ModelLayout& layout) {
  model::ZeroOneModel once, step;
  once.layout = step.layout = layout;
  model::unroll_initial(problem, once);
  model::unroll_goal(problem, once);
  model::unroll_step(problem, 1, step);
  return constraint_count(once) + problem.horizon * constraint_count(step);
}

}  // namespace

ProofFile::ProofFile(const Problem& problem, const model::ModelLayout& layout, const EngineRequest& request)
    : file_(request.proof), writer_(file_, request.proof_version, constraint_count(problem, layout)) {}

}  // namespace bnnplan::engines
