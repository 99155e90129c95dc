#pragma once

#include <cstddef>
#include <cstdint>

namespace bnnplan::cdcl {

// The inner loop of dense layers: one assigned input changes the counters of all neurons of a layer.
// Sizes are multiples of count_block, and the arrays need no alignment.
inline constexpr std::size_t count_block = 64;

// counts += deltas; hits (one bit per lane, size / 64 words) = the lanes whose delta is not 0 and whose count
// has reached its threshold. Returns whether there are any.
using AddCounts8 = bool (*)(std::uint8_t* counts, const std::uint8_t* deltas, const std::uint8_t* thresholds,
                            std::size_t size, std::uint64_t* hits);
using AddCounts16 = bool (*)(std::uint16_t* counts, const std::uint16_t* deltas,
                             const std::uint16_t* thresholds, std::size_t size, std::uint64_t* hits);

// counts -= deltas.
using SubtractCounts8 = void (*)(std::uint8_t* counts, const std::uint8_t* deltas, std::size_t size);
using SubtractCounts16 = void (*)(std::uint16_t* counts, const std::uint16_t* deltas, std::size_t size);

struct CountKernels {
  const char* name;
  AddCounts8 add8;
  AddCounts16 add16;
  SubtractCounts8 subtract8;
  SubtractCounts16 subtract16;
};

const CountKernels& portable_count_kernels();
const CountKernels& best_count_kernels();  // the fastest that this machine supports

}  // namespace bnnplan::cdcl
