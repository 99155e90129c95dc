#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/query/vnnlib.hpp"
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

// The outputs of a network as numbers: scores, or bits.
std::vector<mpq_class> output_values(const Network& network, std::span<const mpq_class> inputs);

// "sat", "unsat", "timeout" or "unknown", as in VNN-COMP; for sat, vnnlib_result also has the input and its
// outputs.
std::string_view vnnlib_status(const LinearOutcome& outcome);
std::string vnnlib_result(const VnnLibQuery& query, const LinearOutcome& outcome);

}  // namespace bnnplan::verification
