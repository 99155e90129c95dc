#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bnnplan::engines {

// Bits packed as in PackedNetwork: bit i is bit i % 64 of word i / 64, unused bits are 0.
using Words = std::vector<std::uint64_t>;

inline std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }
inline bool bit_of(const std::uint64_t* words, std::uint32_t bit) {
  return (words[bit / 64] >> (bit % 64) & 1) != 0;
}
inline void set_bit(std::uint64_t* words, std::uint32_t bit) {
  words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

}  // namespace bnnplan::engines
