// A query: its question in integers is answered by the portfolio; the input found is replayed from its
// numbers.
#include "bnnplan/verify/verify.hpp"

#include <stdexcept>

#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/asked_question.hpp"

namespace bnnplan::verification {

VerifyOutcome verify(const Network& network, const VerifyQuery& query, const VerifyRequest& request) {
  const FlipQuestion question = make_question(network, query);
  VerifyOutcome outcome;
  outcome.scores = reference_scores(network, question.bits);
  QuestionRequest asked = question_request(request, question);
  asked.check = [&](const FlipSet& set) {
    const std::vector<mpq_class> values = changed_values(question, set);
    if (!is_classified_otherwise(network, query, values))
      throw std::logic_error("an input was found that has the class of the given one");
    const std::int64_t cost = cost_of(question, set);
    if (distance(query.norm, query.values, values) != question.unit * cost ||
        (question.budget && cost > *question.budget))
      throw std::logic_error("an input was found at a wrong distance");
  };
  const QuestionAnswer answer = answer_question(question, asked);
  take_answer(answer, outcome);
  if (answer.best) {
    outcome.values = changed_values(question, *answer.best);
    outcome.distance = question.unit * answer.cost;
    outcome.changed_scores = reference_scores(network, binarize(network, outcome.values));
    outcome.changed_class = best_class(outcome.changed_scores, network.tie);
  }
  if (answer.lower_bound) outcome.lower_bound = question.unit * *answer.lower_bound;
  return outcome;
}

}  // namespace bnnplan::verification
