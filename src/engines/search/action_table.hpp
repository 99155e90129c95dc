#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"

namespace bnnplan::engines {

using ActionId = std::uint32_t;

// The assignments of the action bits that the constraints allow in some state, cheapest first, made on
// demand: a search that never pays for the expensive ones never enumerates them. They come in classes of
// equal cost (or of neighbouring costs, if there are very many different ones; or of a part of one cost, if
// there are very many actions). Only one thread may grow the table; any thread may read what is there.
class ActionTable {
 public:
  // The order of actions of equal cost depends on the seed.
  ActionTable(const PackedProblem& problem, LimitWatch& watch, std::uint64_t seed);

  struct ActionClass {
    ActionId begin, end;
    std::int64_t cost;  // of its cheapest action
  };

  // Makes class number `index`. False if there is no such class. Throws LimitReached, also if a single cost
  // has too many actions (StopReason::too_large).
  bool make_class(std::size_t index);

  std::size_t class_count() const { return classes_.size(); }
  const ActionClass& operator[](std::size_t index) const { return classes_[index]; }

  // No action of class `index` or later costs less; nothing if there are certainly no such actions.
  std::optional<std::int64_t> lower_bound(std::size_t index) const;

  // True if all classes are made.
  bool complete() const { return exhausted_ && !truncated_; }

  const std::uint64_t* bits(ActionId action) const { return bits_.data() + action * problem_.action_words; }
  const std::uint64_t* inputs(ActionId action) const { return inputs_.data() + action * input_words_; }
  std::int64_t cost(ActionId action) const { return costs_[action]; }
  std::size_t size() const { return costs_.size(); }
  std::size_t bytes() const;

 private:
  void make_window();
  bool enumerate(std::int64_t low, std::int64_t high, std::size_t most, Words& found);
  void append_classes(const Words& found);

  const PackedProblem& problem_;
  LimitWatch& watch_;
  std::uint64_t seed_;
  BitSearch search_;  // variables: action, state and auxiliary bits
  std::vector<std::int64_t> known_;
  std::vector<std::uint32_t> action_variables_;

  std::int64_t next_cost_ = 0, last_cost_ = 0;  // of the actions not enumerated yet
  std::uint64_t width_ = 0;                     // of the next window of costs
  bool exhausted_ = false;
  bool truncated_ = false;  // some actions of the last window were left out

  std::size_t input_words_;
  Words bits_, inputs_;
  std::vector<std::int64_t> costs_;
  std::vector<ActionClass> classes_;
};

}  // namespace bnnplan::engines
