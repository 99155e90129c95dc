#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bnnplan::verification {

// Counters come in blocks of this size, the last one padded with zeros.
inline constexpr std::size_t flip_block = 32;

// to = from + the sum of the columns, lane by lane; every lane that goes from below 0 to 0 or above, or back,
// is written to `changed` as 2 * lane + (1 if it is now 0 or above). Returns the number written. `width` is a
// multiple of flip_block, `changed` has room for `width`; `to` may be `from`.
using AddColumns = std::size_t (*)(const std::int16_t* from, std::span<const std::int16_t* const> columns,
                                   std::int16_t* to, std::size_t width, std::uint32_t* changed);

AddColumns best_add_columns();  // for this processor
extern const AddColumns portable_add_columns;

// Counters to which any subset of some changes may be applied. `up` has, for each change, the columns' lanes
// above 0 and 0 elsewhere, `down` the same for the opposite change. Every lane that is below 0 after some of
// the subsets, and 0 or above after others, is written to `uncertain` as 2 * lane + (1 if it is below 0
// before them). Returns the number written.
using WidenCounters = std::size_t (*)(const std::int16_t* counters, std::span<const std::int16_t* const> up,
                                      std::span<const std::int16_t* const> down, std::size_t width,
                                      std::uint32_t* uncertain);

WidenCounters best_widen_counters();  // for this processor
extern const WidenCounters portable_widen_counters;

}  // namespace bnnplan::verification
