#pragma once

#include "verify/answer_question.hpp"
#include "verify/verify.hpp"

namespace bnnplan {

// A request of a user for a question in integers: the same limits and proof, bounds as distances. What `check` shall be
// is left to the caller. Keeps references to both.
QuestionRequest question_request(const VerifyRequest& request, const FlipQuestion& question);

VerifyStatus status_of(const QuestionAnswer& answer);

// What every outcome says about how it was come by.
template <class Outcome>
void take_answer(const QuestionAnswer& answer, Outcome& outcome) {
  outcome.status = status_of(answer);
  outcome.stopped = answer.stopped;
  outcome.proof_written = answer.proof_written;
  outcome.decided_by = answer.decided_by;
  outcome.evaluations = answer.evaluations;
  outcome.conflicts = answer.conflicts;
}

}  // namespace bnnplan
