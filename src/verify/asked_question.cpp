// Translates between users, who ask about distances, and the portfolio, which uses integer costs.
#include "bnnplan/verify/asked_question.hpp"

namespace bnnplan::verification {

QuestionRequest question_request(const VerifyRequest& request, const FlipQuestion& question) {
  QuestionRequest asked;
  asked.limits = request.limits;
  asked.proof = request.proof;
  asked.proof_version = request.proof_version;
  if (!request.callbacks.bounds) return asked;
  asked.bounds = [&request, &question](std::int64_t lower, const std::optional<std::int64_t>& upper) {
    std::optional<mpq_class> found;
    if (upper) found = question.unit * *upper;
    request.callbacks.bounds(question.unit * lower, found);
  };
  return asked;
}

Status status_of(const QuestionAnswer& answer) {
  if (answer.best) return answer.decided ? Status::optimal : Status::feasible;
  return answer.decided ? Status::infeasible : Status::unknown;
}

}  // namespace bnnplan::verification
