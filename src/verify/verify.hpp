#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "verify/question.hpp"

namespace bnnplan {

enum class VerifyStatus : std::uint8_t {
  nearest,  // there is one, and none is nearer (with an epsilon: there is one, which is all that was asked)
  found,    // there is one; whether a nearer one exists is not known
  none,     // proved that there is none (with an epsilon: none so near; the network is robust here)
  unknown   // a limit was hit before one was found
};

// What a run tells while it runs. Empty functions are not called.
struct VerifyCallbacks {
  // Nothing is nearer than `lower`; something is at `upper`, if given. Distances as in VerifyOutcome.
  std::function<void(const mpq_class& lower, const std::optional<mpq_class>& upper)> bounds;
};

struct VerifyRequest {
  Limits limits;  // threads are those of the search over the first layer
  VerifyCallbacks callbacks;
  std::filesystem::path proof;  // where a VeriPB proof of the answer is written; nowhere if empty
  std::string proof_version = "3.0";
};

struct VerifyOutcome {
  VerifyStatus status = VerifyStatus::unknown;
  std::vector<mpq_class> values;  // the input found, replayed by the reference inference; empty if none
  std::vector<mpq_class> scores;  // of the input as it is
  std::vector<mpq_class> changed_scores;  // of the input found
  std::size_t changed_class = 0;          // the network's answer for the input found
  mpq_class distance;                     // of the input found, by the query's norm (l2: the square)
  mpq_class lower_bound;                  // nothing nearer is classified otherwise
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  std::string_view decided_by;  // as in QuestionAnswer; where nothing was proved, empty
  std::uint64_t evaluations = 0, conflicts = 0;
};

// Answers a query by local search, enumeration and the neuron engine's solver in turns. The same seed gives the same
// answer unless a limit is reached. Throws InputError for what is wrong with a query (make_question) or if the proof
// cannot be written, and std::logic_error if an engine gives an input that is none, which cannot happen.
VerifyOutcome verify(const Network& network, const VerifyQuery& query, const VerifyRequest& request = {});

}  // namespace bnnplan
