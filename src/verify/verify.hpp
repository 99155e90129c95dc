#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/verify/question.hpp"

namespace bnnplan::verification {

// What a run reports. Empty functions are not called.
struct VerifyCallbacks {
  // Nothing is nearer than `lower`; something is at `upper`, if given. Distances as in VerifyOutcome.
  std::function<void(const mpq_class& lower, const std::optional<mpq_class>& upper)> bounds;
};

struct VerifyRequest {
  Limits limits;  // threads: of the search over the first layer
  VerifyCallbacks callbacks;
  std::filesystem::path proof;  // the VeriPB proof of the answer to write; empty: none
  ProofVersion proof_version = ProofVersion::v3_0;
};

struct VerifyOutcome {
  Status status = Status::unknown;
  std::vector<mpq_class> values;  // the input found, replayed by the reference inference; empty if none
  std::vector<mpq_class> scores;  // of the given input
  std::vector<mpq_class> changed_scores;  // of the input found
  std::size_t changed_class = 0;          // the network's answer for the input found
  mpq_class distance;                     // of the input found, in the query's norm (l2: the square)
  mpq_class lower_bound;                  // nothing nearer is classified differently
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::string_view decided_by;  // as in QuestionAnswer; empty if nothing was proved
  std::uint64_t evaluations = 0, conflicts = 0;
};

// Answers a query by local search, enumeration and the neuron engine's solver in turns. The same seed gives
// the same answer unless a limit is reached. Throws InputError if the query is invalid (make_question) or the
// proof cannot be written, and std::logic_error if an engine returns a wrong input, which cannot happen.
VerifyOutcome verify(const Network& network, const VerifyQuery& query, const VerifyRequest& request = {});

}  // namespace bnnplan::verification
