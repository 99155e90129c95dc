#pragma once

// Counting the bits of a word is one instruction on every x86 processor with AVX2, but the program is also
// compiled for older ones; there the compiler calls a library function, which takes ten times as long. The
// branch is always predicted; choosing between whole loops would save it, and is done where they are long
// (network/kernels_*).

#include <bit>
#include <cstdint>

#include "bnnplan/base/processor.hpp"

namespace bnnplan {

#if defined(__x86_64__) && !defined(__POPCNT__)
inline const bool kCountsBitsByInstruction = best_instruction_set() != InstructionSet::portable;

inline int count_ones(std::uint64_t word) {
  if (!kCountsBitsByInstruction) return std::popcount(word);
  std::uint64_t count;
  asm("popcnt %1, %0" : "=r"(count) : "r"(word) : "cc");
  return static_cast<int>(count);
}
#else
inline int count_ones(std::uint64_t word) { return std::popcount(word); }
#endif

}  // namespace bnnplan
