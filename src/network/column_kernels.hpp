#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bnnplan/base/processor.hpp"

namespace bnnplan {

// Counters of a layer's neurons as one array, to which a changed input adds its column of weights. Sizes are
// multiples of column_block, padded with zeros; the arrays need no alignment.
inline constexpr std::size_t column_block = 32;

struct ColumnKernels {
  // counts += deltas, none of which is negative; hits (one bit per lane; size is a multiple of 64) = the
  // lanes whose delta is not 0 and whose count is now above its limit. Returns whether there are any.
  bool (*add8)(std::int8_t* counts, const std::int8_t* deltas, const std::int8_t* limits, std::size_t size,
               std::uint64_t* hits);
  bool (*add16)(std::int16_t* counts, const std::int16_t* deltas, const std::int16_t* limits,
                std::size_t size, std::uint64_t* hits);

  // counts -= deltas.
  void (*subtract8)(std::int8_t* counts, const std::int8_t* deltas, std::size_t size);
  void (*subtract16)(std::int16_t* counts, const std::int16_t* deltas, std::size_t size);

  // For each of `count` rows of 64: which lanes are below 0 after subtracting it.
  void (*signs)(const std::int8_t* counters, const std::int8_t* rows, std::size_t count, std::uint64_t* to);

  // to = from + the sum of the columns, lane by lane; every lane that goes from below 0 to 0 or above, or
  // back, is written to `changed` as 2 * lane + (1 if it is now 0 or above). Returns the number written.
  // `changed` has room for `size`; `to` may be `from`.
  std::size_t (*add_columns)(const std::int16_t* from, std::span<const std::int16_t* const> columns,
                             std::int16_t* to, std::size_t size, std::uint32_t* changed);

  // Counters to which any subset of some changes may be applied. `up` has, for each change, the columns'
  // lanes above 0 and 0 elsewhere, `down` the same for the opposite change. Every lane that is below 0 after
  // some of the subsets, and 0 or above after others, is written to `uncertain` as 2 * lane + (1 if it is
  // below 0 before them). Returns the number written.
  std::size_t (*widen)(const std::int16_t* counters, std::span<const std::int16_t* const> up,
                       std::span<const std::int16_t* const> down, std::size_t size, std::uint32_t* uncertain);
};

const ColumnKernels& column_kernels(InstructionSet set = best_instruction_set());

}  // namespace bnnplan
