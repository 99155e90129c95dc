#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bnnplan {

// Counters come in blocks of so many, the last one filled with zeros.
inline constexpr std::size_t flip_block = 32;

// to = from + the sum of the columns, lane by lane; every lane that goes from below 0 to 0 or above, or back, is
// written to `changed` as 2 * lane + (1 if it is 0 or above now). Returns how many were written. `width` is a multiple
// of flip_block, `changed` has room for `width`; `to` may be `from`.
using AddColumns = std::size_t (*)(const std::int16_t* from, std::span<const std::int16_t* const> columns,
                                   std::int16_t* to, std::size_t width, std::uint32_t* changed);

AddColumns best_add_columns();  // for this processor
extern const AddColumns portable_add_columns;

// Counters from which any of some changes may or may not be made. `up` has, of each change, the columns' lanes above 0
// and 0 elsewhere, `down` the same of the opposite change. Every lane that is below 0 after some of the changes, and 0 or
// above after others, is written to `uncertain` as 2 * lane + (1 if it is below 0 before them). Returns how many.
using WidenCounters = std::size_t (*)(const std::int16_t* counters, std::span<const std::int16_t* const> up,
                                      std::span<const std::int16_t* const> down, std::size_t width,
                                      std::uint32_t* uncertain);

WidenCounters best_widen_counters();  // for this processor
extern const WidenCounters portable_widen_counters;

}  // namespace bnnplan
