// A query: its question in integers, answered by the portfolio; what is found is replayed from its numbers.
#include "verify/verify.hpp"

#include <stdexcept>

#include "network/reference_inference.hpp"
#include "verify/answer_question.hpp"

namespace bnnplan {

VerifyOutcome verify(const Network& network, const VerifyQuery& query, const VerifyRequest& request) {
  const FlipQuestion question = make_question(network, query);
  VerifyOutcome outcome;
  outcome.scores = reference_scores(network, question.bits);
  QuestionRequest asked;
  asked.limits = request.limits;
  asked.proof = request.proof;
  asked.proof_version = request.proof_version;
  if (request.callbacks.bounds) {
    asked.bounds = [&](std::int64_t lower, const std::optional<std::int64_t>& upper) {
      std::optional<mpq_class> found;
      if (upper) found = question.unit * *upper;
      request.callbacks.bounds(question.unit * lower, found);
    };
  }
  asked.check = [&](const FlipSet& set) {
    const std::vector<mpq_class> values = changed_values(question, set);
    if (!is_classified_otherwise(network, query, values))
      throw std::logic_error("an input was found that is classified as the one given");
    const std::int64_t cost = cost_of(question, set);
    if (distance(query.norm, query.values, values) != question.unit * cost ||
        (question.budget && cost > *question.budget))
      throw std::logic_error("an input was found at another distance than it should be");
  };
  const QuestionAnswer answer = answer_question(question, asked);
  if (answer.best) {
    outcome.status = answer.decided ? VerifyStatus::nearest : VerifyStatus::found;
    outcome.values = changed_values(question, *answer.best);
    outcome.distance = question.unit * answer.cost;
    outcome.changed_scores = reference_scores(network, binarize(network, outcome.values));
    outcome.changed_class = best_class(outcome.changed_scores, network.tie);
  } else {
    outcome.status = answer.decided ? VerifyStatus::none : VerifyStatus::unknown;
  }
  if (answer.lower_bound) outcome.lower_bound = question.unit * *answer.lower_bound;
  outcome.stopped = answer.stopped;
  outcome.proof_written = answer.proof_written;
  outcome.decided_by = answer.decided_by;
  outcome.evaluations = answer.evaluations;
  outcome.conflicts = answer.conflicts;
  return outcome;
}

}  // namespace bnnplan
