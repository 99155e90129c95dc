#pragma once

// Counting the bits of a word is one instruction on every x86 processor since 2008, but the program is also
// compiled for older ones; there the compiler calls a library function, which takes ten times as long. So the
// processor is queried once, at program start. The branch is always predicted; compiling whole loops twice
// and choosing between them would save it, and is done where loops are long (network/kernels_*).

#include <bit>
#include <cstdint>

namespace bnnplan {

#if defined(__x86_64__) && !defined(__POPCNT__)
inline const bool kCountsBitsByInstruction = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("popcnt") != 0;
}();

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
