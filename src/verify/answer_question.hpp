#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "verify/question.hpp"

namespace bnnplan {

struct QuestionRequest {
  Limits limits;  // threads are those of the search over the first layer
  // Costs: nothing below `lower`, something at `upper`, if given. Not called if empty.
  std::function<void(std::int64_t lower, const std::optional<std::int64_t>& upper)> bounds;
  // Has the last word on every set that an engine gives: throws if it is none.
  std::function<void(const FlipSet&)> check;
  std::filesystem::path proof;  // where a VeriPB proof of the answer is written; nowhere if empty
  std::string proof_version = "3.0";
};

struct QuestionAnswer {
  std::optional<FlipSet> best;              // within the budget, if there is one
  bool decided = false;                     // best is the cheapest (with a budget: is one), or there is none
  std::int64_t cost = 0;                    // of best
  std::optional<std::int64_t> lower_bound;  // of all sets; nothing if there is none at all
  StopReason stopped = StopReason::none;
  bool proof_written = false;
  // "structure", "local search", "first layer", "enumeration", "solver"; empty if not decided
  std::string_view decided_by;
  std::uint64_t evaluations = 0, conflicts = 0;
};

// The cheapest set of flips that makes a question's property hold, by local search, over neurons of the first layer,
// by enumeration and the neuron engine's solver in turns. The same seed gives the same answer unless a limit is reached. Throws InputError if the proof cannot
// be written.
QuestionAnswer answer_question(const FlipQuestion& question, const QuestionRequest& request);

}  // namespace bnnplan
