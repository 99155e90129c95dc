#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"

namespace bnnplan::engines {

// The rows of one step whose state is known, over variables that are all action bits, then all auxiliary
// bits, then all next-state bits. Keeps a reference.
class StepRows {
 public:
  explicit StepRows(const Problem& problem);

  enum class Next { alive, goal };  // a step may start in the next state; or it satisfies the goal

  std::uint32_t first_auxiliary() const { return problem_.action.bit_count(); }
  std::uint32_t first_next() const { return first_auxiliary() + problem_.auxiliary.bit_count(); }
  std::uint32_t variable_count() const { return first_next() + problem_.state.bit_count(); }

  // Adds all rows to a search that has none. Returns their number.
  std::size_t add_to(BitSearch& search, Next next) const;

  // What the state contributes to each row, for BitSearch::start: one number per row.
  void set_known(const std::uint64_t* state, std::vector<std::int64_t>& known) const;

 private:
  const Problem& problem_;
  std::vector<PackedSum> state_parts_;  // by row of a step that has bits other than the state's
};

}  // namespace bnnplan::engines
