#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bnnplan/network/column_kernels.hpp"
#include "bnnplan/verify/crossing_flips.hpp"

namespace bnnplan::verification {

// Which neurons of the first layer change for each of many sets of flips, as words: bit n is neuron n of
// CrossingFlips, which has at most 64. One object per thread.
class CrossingPatterns {
 public:
  static constexpr std::int32_t most_flips = 60;  // in a set: counters have 8 bits

  // Keeps references.
  CrossingPatterns(const FlipQuestion& question, const CrossingFlips& crossing,
                   InstructionSet set = best_instruction_set());

  // Calls found(pattern, set) for nonempty sets of these flips within the budget that change all of `changed`
  // and none of `refused`; a pattern found recently is left out, in later calls as well. Calls went_on(sets)
  // now and then, with the number of sets since the last call. Stops, and returns false, if one of them
  // returns false.
  struct Visit {
    std::uint64_t changed = 0, refused = 0;
    std::function<bool(std::uint64_t pattern, const FlipSet& set)> found;
    std::function<bool(std::uint64_t sets)> went_on;
  };
  bool each_set(const FlipBits& flips, const Visit& visit);

 private:
  static constexpr std::size_t width = 64;
  bool extend(std::size_t first, std::int64_t budget, std::size_t depth);

  const ColumnKernels& kernels_;
  const FlipQuestion& question_;
  const CrossingFlips& crossing_;
  std::vector<std::int8_t> start_;                // by neuron; below 0: it has changed
  std::vector<std::int8_t> moves_;                // [flip][width]
  std::vector<std::uint64_t> known_;              // patterns found, by hash
  std::vector<std::uint32_t> chosen_;             // the flips
  std::vector<std::int8_t> rows_;                 // [index in chosen_][width]: their moves
  std::vector<std::vector<std::int8_t>> levels_;  // counters by the size of the set
  std::vector<std::uint64_t> last_;               // patterns of sets with one more flip
  FlipSet set_;
  const Visit* visit_ = nullptr;
  std::uint64_t sets_ = 0;
};

}  // namespace bnnplan::verification
