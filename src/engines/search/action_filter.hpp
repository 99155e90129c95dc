#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/step_rows.hpp"

namespace bnnplan::engines {

// For a state, finds the action bits that every useful step from there must have, where useful means: leads
// to a state in which a step may start, or which satisfies the goal. One object per thread.
class ActionFilter {
 public:
  ActionFilter(const PackedProblem& problem, LimitWatch& watch);  // keeps references

  // Sets a state in which a step may start. `last`: only the goal is useful. False if no action is useful.
  bool set_state(const std::uint64_t* state, bool last);

  // Whether the action has the bits required in the last state set.
  bool passes(const std::uint64_t* action) const {
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      if ((action[i] & mask_[i]) != value_[i]) return false;
    }
    return true;
  }

 private:
  bool propagate(BitSearch& search, Words& mask, Words& value) const;

  const PackedProblem& problem_;
  std::uint32_t actions_;
  StepRows rows_;
  BitSearch alive_, goal_;
  std::vector<std::int64_t> known_;  // by row: its state part; 0 for rows over the next state
  Words mask_, value_;               // action & mask == value
};

}  // namespace bnnplan::engines
