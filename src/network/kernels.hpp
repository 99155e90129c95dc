#pragma once

#include <cstddef>
#include <cstdint>

#include "bnnplan/base/processor.hpp"

namespace bnnplan {

// The inner loops of bit-packed inference, one set per instruction set. packed_inference.cpp lays out the
// weights, cuts the samples into tiles and calls these; the two techniques are explained there.
//
// Bits are packed into 64-bit words, lowest bit first. The samples of a tile follow each other, each taking
// as many words as it needs; `stride` is their distance in words where a function sees only some of the
// words.

// The table technique. A block is 4 inputs, a group is 32 blocks, a chunk is 64 neurons.
inline constexpr std::size_t kBlockInputs = 4;
inline constexpr std::size_t kBlockPatterns = 16;
inline constexpr std::size_t kGroupBlocks = 32;
inline constexpr std::size_t kGroupInputs = kBlockInputs * kGroupBlocks;
inline constexpr std::size_t kGroupWords = kGroupInputs / 64;
inline constexpr std::size_t kLanes = 64;
inline constexpr std::size_t kBlockBytes = kBlockPatterns * kLanes;

constexpr std::size_t words_of(std::size_t bits) { return (bits + 63) / 64; }

struct TableView {
  // [chunk][block][pattern][lane]: agreeing inputs, 0 .. 4; 64-byte aligned
  const std::uint8_t* counts;
  // [chunk][lane]: 128 - threshold, for layers of one group
  const std::uint8_t* narrow_starts;
  // [chunk][lane]: 32768 - threshold, for all others; even lanes, then odd
  const std::uint16_t* wide_starts;
  std::size_t blocks;
  std::size_t neurons;
};

// The popcount technique. An octet is 8 neurons.
inline constexpr std::size_t kOctet = 8;

struct PopcountView {
  const std::uint64_t* weights;  // [octet][word][neuron of the octet]: the input bits that would agree
  const std::uint64_t* present;  // same layout, bits of non-zero weights; null if all weights are non-zero
  const std::int64_t* allowed;   // [neuron]: output 1 iff (disagreeing inputs) <= allowed
  std::size_t words;
  std::size_t neurons;
};

struct Kernels {
  const char* name;

  // Up to these table sizes in bytes, tables beat popcounts: in batches, and for a few samples. The
  // measurements are in packed_inference.cpp.
  std::size_t batch_table_bytes;
  std::size_t few_table_bytes;

  // rows[sample][kGroupBlocks] = pattern of each block of one group, as the offset of its table row in units
  // of 8 bytes. Reads `words` (at most kGroupWords) of each sample and fills 16 rows for each.
  void (*select_rows)(const std::uint64_t* bits, std::size_t stride, std::size_t words, std::size_t samples,
                      std::uint8_t* rows);

  // A whole layer of at most one group. Writes ceil(neurons / 64) words of each sample, unused bits 0.
  void (*narrow_layer)(const TableView& layer, const std::uint8_t* rows, std::size_t samples,
                       std::uint64_t* outputs);

  // One chunk and group of a wider layer: adds the counts of `blocks` blocks to sums[sample][lane], even
  // lanes first. Only the first `neurons` of the chunk need be correct.
  void (*add_group)(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows,
                    std::size_t samples, std::size_t neurons, std::uint16_t* sums);

  // The end of a chunk: one word per sample, the highest bits of its sums.
  void (*sum_signs)(const std::uint16_t* sums, std::size_t samples, std::uint64_t* outputs,
                    std::size_t stride);

  // A whole layer. Bits of the samples above the layer's inputs must be 0. Writes like narrow_layer.
  void (*popcount_layer)(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                         std::uint64_t* outputs);

  // The numbers of disagreeing inputs, counts[sample][neuron]; the layer's thresholds are ignored.
  void (*popcount_counts)(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                          std::int32_t* counts);
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

inline const Kernels& packed_kernels(InstructionSet set = best_instruction_set()) {
#if defined(__x86_64__)
  // AVX-512 without VPOPCNTDQ is not faster.
  return select(set, kPortableKernels, kAvx2Kernels, kAvx2Kernels, kAvx512Kernels);
#else
  return select(set, kPortableKernels);
#endif
}

}  // namespace bnnplan
