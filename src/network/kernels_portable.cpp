// The inner loops in plain C++ with the 16-byte vectors that GCC and Clang support on every machine: they
// become SSE2 on x86-64, NEON on ARM, and ordinary integer instructions elsewhere.
#include <bit>
#include <cstring>

#include "bnnplan/network/kernels.hpp"

namespace bnnplan {

namespace {

using Bytes = std::uint8_t __attribute__((vector_size(16)));

Bytes load(const std::uint8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// The sums of one sample and chunk.
struct ChunkSums {
  Bytes a, b, c, d;
};

ChunkSums load_chunk(const std::uint8_t* lanes) {
  return {load(lanes), load(lanes + 16), load(lanes + 32), load(lanes + 48)};
}

void select_rows(const std::uint64_t* bits, std::size_t stride, std::size_t words, std::size_t samples,
                 std::uint8_t* rows) {
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t packed = bits[sample * stride + word];
      std::uint8_t* to = rows + sample * kGroupBlocks + word * 16;
      for (std::size_t block = 0; block < 16; ++block) {
        to[block] = static_cast<std::uint8_t>((packed >> (4 * block) & 15) * (kLanes / 8));
      }
    }
  }
}

ChunkSums count(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows, ChunkSums sums) {
  for (std::size_t block = 0; block < blocks; ++block, slice += kBlockBytes) {
    const std::uint8_t* row = slice + std::size_t{8} * rows[block];
    sums.a += load(row);
    sums.b += load(row + 16);
    sums.c += load(row + 32);
    sums.d += load(row + 48);
  }
  return sums;
}

// The highest bits of the lanes, lane 0 lowest. The product moves bit 8 i + 7 of 8 bytes to bit 56 + i.
std::uint64_t signs_of(const ChunkSums& sums) {
  std::uint64_t words[kLanes / 8];
  std::memcpy(words, &sums, sizeof words);
  std::uint64_t signs = 0;
  for (std::size_t i = 0; i < kLanes / 8; ++i) {
    std::uint64_t bytes = words[i];
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    signs |= ((bytes >> 7 & 0x0101010101010101) * 0x0102040810204080) >> 56 << (8 * i);
  }
  return signs;
}

void narrow_layer(const TableView& layer, const std::uint8_t* rows, std::size_t samples,
                  std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t neuron = 0; neuron < layer.neurons; neuron += kLanes) {
    const std::uint8_t* slice = layer.counts + neuron * layer.blocks * kBlockPatterns;
    const ChunkSums start = load_chunk(layer.narrow_starts + neuron);
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const ChunkSums sums = count(slice, layer.blocks, rows + sample * kGroupBlocks, start);
      outputs[sample * stride + neuron / 64] = signs_of(sums);
    }
  }
}

void add_group(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows, std::size_t samples,
               std::size_t /*neurons*/, std::uint16_t* sums) {
  for (std::size_t sample = 0; sample < samples; ++sample, sums += kLanes) {
    const ChunkSums counts = count(slice, blocks, rows + sample * kGroupBlocks, ChunkSums{});
    std::uint8_t lanes[kLanes];
    std::memcpy(lanes, &counts, sizeof lanes);
    for (std::size_t i = 0; i < kLanes / 2; ++i) {
      sums[i] = static_cast<std::uint16_t>(sums[i] + lanes[2 * i]);
      sums[kLanes / 2 + i] = static_cast<std::uint16_t>(sums[kLanes / 2 + i] + lanes[2 * i + 1]);
    }
  }
}

void sum_signs(const std::uint16_t* sums, std::size_t samples, std::uint64_t* outputs, std::size_t stride) {
  for (std::size_t sample = 0; sample < samples; ++sample, sums += kLanes) {
    std::uint64_t signs = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      signs |= std::uint64_t{sums[lane % 2 * (kLanes / 2) + lane / 2]} >> 15 << lane;
    }
    outputs[sample * stride] = signs;
  }
}

std::int64_t disagreeing(const PopcountView& layer, std::size_t neuron, const std::uint64_t* bits) {
  std::int64_t count = 0;
  std::size_t at = neuron / kOctet * kOctet * layer.words + neuron % kOctet;
  for (std::size_t word = 0; word < layer.words; ++word, at += kOctet) {
    const std::uint64_t different = bits[word] ^ layer.weights[at];
    count += std::popcount(layer.present == nullptr ? different : different & layer.present[at]);
  }
  return count;
}

void popcount_layer(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                    std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t first = 0; first < layer.neurons; first += 64) {
    const std::size_t end = layer.neurons < first + 64 ? layer.neurons : first + 64;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      std::uint64_t output = 0;
      for (std::size_t neuron = first; neuron < end; ++neuron) {
        const bool on = disagreeing(layer, neuron, bits + sample * layer.words) <= layer.allowed[neuron];
        output |= std::uint64_t{on} << (neuron - first);
      }
      outputs[sample * stride + first / 64] = output;
    }
  }
}

void popcount_counts(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                     std::int32_t* counts) {
  for (std::size_t sample = 0; sample < samples; ++sample, bits += layer.words) {
    for (std::size_t neuron = 0; neuron < layer.neurons; ++neuron)
      *counts++ = static_cast<std::int32_t>(disagreeing(layer, neuron, bits));
  }
}

}  // namespace

const Kernels kPortableKernels = {"portable", 16 << 20,  16 << 20,       select_rows,    narrow_layer,
                                  add_group,  sum_signs, popcount_layer, popcount_counts};

}  // namespace bnnplan
