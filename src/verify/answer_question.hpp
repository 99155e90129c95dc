#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/verify/question.hpp"

namespace bnnplan::verification {

struct QuestionRequest {
  Limits limits;  // threads: of the search over the first layer
  // Costs: nothing costs less than `lower`, something costs `upper`, if given. Not called if empty.
  std::function<void(std::int64_t lower, const std::optional<std::int64_t>& upper)> bounds;
  // Checks every set that an engine returns: throws if it is not an answer.
  std::function<void(const FlipSet&)> check;
  std::filesystem::path proof;  // the VeriPB proof of the answer to write; empty: none
  ProofVersion proof_version = ProofVersion::v3_0;
};

struct QuestionAnswer {
  std::optional<FlipSet> best;  // within the budget, if there is one
  // `best` is the cheapest (with a budget: is an answer), or there is none.
  bool decided = false;
  std::int64_t cost = 0;                    // of best
  std::optional<std::int64_t> lower_bound;  // on all sets; nothing if there is no set at all
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  // "structure", "local search", "first layer", "enumeration", "solver"; empty if not decided
  std::string_view decided_by;
  std::uint64_t evaluations = 0, conflicts = 0;
};

// The cheapest set of flips that makes a question's property hold, by local search, search over neurons of
// the first layer, enumeration and the neuron engine's solver in turns. The same seed gives the same answer
// unless a limit is reached. Throws InputError if the proof cannot be written.
QuestionAnswer answer_question(const FlipQuestion& question, const QuestionRequest& request);

}  // namespace bnnplan::verification
