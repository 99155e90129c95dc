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

}  // namespace bnnplan
