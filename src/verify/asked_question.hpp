#pragma once

#include "bnnplan/verify/answer_question.hpp"
#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

// A user's request as one for a question in integers: the same limits and proof, bounds as distances. The
// caller sets `check`. Keeps references to both.
QuestionRequest question_request(const VerifyRequest& request, const FlipQuestion& question);

Status status_of(const QuestionAnswer& answer);

// What every outcome states about how it was found.
template <class Outcome>
void take_answer(const QuestionAnswer& answer, Outcome& outcome) {
  outcome.status = status_of(answer);
  outcome.stopped = answer.stopped;
  outcome.proof_written = answer.proof_written;
  outcome.decided_by = answer.decided_by;
  outcome.evaluations = answer.evaluations;
  outcome.conflicts = answer.conflicts;
}

}  // namespace bnnplan::verification
