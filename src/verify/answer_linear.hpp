#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "bnnplan/verify/linear_question.hpp"
#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

struct LinearOutcome {
  // nearest: there is one (the least, if something is minimised); none
  Status status = Status::unknown;
  std::vector<mpq_class> values, outputs;       // of the input found, by the reference inference
  std::optional<mpq_class> value, lower_bound;  // of what is minimised
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::string_view decided_by;
  std::uint64_t evaluations = 0, conflicts = 0;
};

// The input found is checked in rational numbers against the original query.
LinearOutcome answer_linear(const Network& network, const LinearQuery& query,
                            const VerifyRequest& request = {});

}  // namespace bnnplan::verification
