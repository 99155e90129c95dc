#pragma once

#include <cstdint>
#include <vector>

namespace bnnplan {

// A bit that may not be known (yet): 0, 1 or unknown_bit.
using BitValue = std::int8_t;
constexpr BitValue unknown_bit = -1;
using BitValues = std::vector<BitValue>;

}  // namespace bnnplan
