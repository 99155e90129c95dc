// The inner loops for AVX2: half a chunk of the table technique (32 neurons), or half an octet of the
// popcount technique (4 neurons), in one 256-bit register.
#include "bnnplan/network/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace bnnplan {

namespace {

BNNPLAN_AVX2 inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

BNNPLAN_AVX2 void select_rows(const std::uint64_t* bits, std::size_t stride, std::size_t words,
                              std::size_t samples, std::uint8_t* rows) {
  const __m128i low_nibbles = _mm_set1_epi8(0x0f);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t word = 0; word < words; ++word) {
      const auto packed = _mm_cvtsi64_si128(static_cast<long long>(bits[sample * stride + word]));
      const __m128i bytes = _mm_cvtepu8_epi16(packed);
      const __m128i nibbles = _mm_and_si128(_mm_or_si128(bytes, _mm_slli_epi16(bytes, 4)), low_nibbles);
      auto* to = reinterpret_cast<__m128i*>(rows + sample * kGroupBlocks + word * 16);
      _mm_storeu_si128(to, _mm_slli_epi16(nibbles, 3));
    }
  }
}

// The sums of one sample and chunk: neurons 0 .. 31 and 32 .. 63.
struct ChunkSums {
  __m256i low, high;
};

template <bool full>
BNNPLAN_AVX2 inline void add_row(ChunkSums& sums, const std::uint8_t* block, std::uint8_t row) {
  const auto* counts = reinterpret_cast<const __m256i*>(block + std::size_t{8} * row);
  sums.low = _mm256_add_epi8(sums.low, _mm256_load_si256(counts));
  if constexpr (full) sums.high = _mm256_add_epi8(sums.high, _mm256_load_si256(counts + 1));
}

// Two samples at a time: four independent chains of additions.
template <bool full>
BNNPLAN_AVX2 inline void count_two(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows,
                                   ChunkSums& first, ChunkSums& second) {
  for (std::size_t block = 0; block < blocks; ++block, ++rows, slice += kBlockBytes) {
    add_row<full>(first, slice, rows[0]);
    add_row<full>(second, slice, rows[kGroupBlocks]);
  }
}

template <bool full>
BNNPLAN_AVX2 inline void count_one(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows,
                                   ChunkSums& sums) {
  for (std::size_t block = 0; block < blocks; ++block, ++rows, slice += kBlockBytes) {
    add_row<full>(sums, slice, rows[0]);
  }
}

BNNPLAN_AVX2 inline std::uint64_t signs_of(__m256i low, __m256i high) {
  const std::uint64_t low_signs = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  const std::uint64_t high_signs = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
  return low_signs | high_signs << 32;
}

template <bool full>
BNNPLAN_AVX2 void narrow_chunk(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* starts,
                               const std::uint8_t* rows, std::size_t samples, std::uint64_t* outputs,
                               std::size_t stride) {
  const ChunkSums start{load(starts), load(starts + 32)};
  std::size_t sample = 0;
  for (; sample + 2 <= samples; sample += 2) {
    ChunkSums first = start, second = start;
    count_two<full>(slice, blocks, rows + sample * kGroupBlocks, first, second);
    outputs[sample * stride] = signs_of(first.low, first.high);
    outputs[(sample + 1) * stride] = signs_of(second.low, second.high);
  }
  if (sample < samples) {
    ChunkSums sums = start;
    count_one<full>(slice, blocks, rows + sample * kGroupBlocks, sums);
    outputs[sample * stride] = signs_of(sums.low, sums.high);
  }
}

BNNPLAN_AVX2 void narrow_layer(const TableView& layer, const std::uint8_t* rows, std::size_t samples,
                               std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t first = 0; first < layer.neurons; first += kLanes) {
    const std::uint8_t* slice = layer.counts + first * layer.blocks * kBlockPatterns;
    const auto compute = layer.neurons - first > 32 ? narrow_chunk<true> : narrow_chunk<false>;
    compute(slice, layer.blocks, layer.narrow_starts + first, rows, samples, outputs + first / 64, stride);
  }
}

BNNPLAN_AVX2 inline void add_to(std::uint16_t* sums, __m256i counts) {
  auto* to = reinterpret_cast<__m256i*>(sums);
  _mm256_storeu_si256(to, _mm256_add_epi16(load(to), counts));
}

template <bool full>
BNNPLAN_AVX2 inline void widen_and_add(const ChunkSums& counts, std::uint16_t* sums) {
  const __m256i even_bytes = _mm256_set1_epi16(0x00ff);
  add_to(sums, _mm256_and_si256(counts.low, even_bytes));
  add_to(sums + 32, _mm256_srli_epi16(counts.low, 8));
  if constexpr (full) {
    add_to(sums + 16, _mm256_and_si256(counts.high, even_bytes));
    add_to(sums + 48, _mm256_srli_epi16(counts.high, 8));
  }
}

template <bool full>
BNNPLAN_AVX2 void add_group_of(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows,
                               std::size_t samples, std::uint16_t* sums) {
  const ChunkSums zero{_mm256_setzero_si256(), _mm256_setzero_si256()};
  std::size_t sample = 0;
  for (; sample + 2 <= samples; sample += 2) {
    ChunkSums first = zero, second = zero;
    count_two<full>(slice, blocks, rows + sample * kGroupBlocks, first, second);
    widen_and_add<full>(first, sums + sample * kLanes);
    widen_and_add<full>(second, sums + (sample + 1) * kLanes);
  }
  if (sample < samples) {
    ChunkSums counts = zero;
    count_one<full>(slice, blocks, rows + sample * kGroupBlocks, counts);
    widen_and_add<full>(counts, sums + sample * kLanes);
  }
}

BNNPLAN_AVX2 void add_group(const std::uint8_t* slice, std::size_t blocks, const std::uint8_t* rows,
                            std::size_t samples, std::size_t neurons, std::uint16_t* sums) {
  const auto compute = neurons > 32 ? add_group_of<true> : add_group_of<false>;
  compute(slice, blocks, rows, samples, sums);
}

// The high bytes of the sums, back in lane order.
BNNPLAN_AVX2 inline __m256i high_bytes(const std::uint16_t* even, const std::uint16_t* odd) {
  const __m256i odd_bytes = _mm256_set1_epi16(static_cast<short>(0xff00));
  return _mm256_or_si256(_mm256_srli_epi16(load(even), 8), _mm256_and_si256(load(odd), odd_bytes));
}

BNNPLAN_AVX2 void sum_signs(const std::uint16_t* sums, std::size_t samples, std::uint64_t* outputs,
                            std::size_t stride) {
  for (std::size_t sample = 0; sample < samples; ++sample, sums += kLanes) {
    outputs[sample * stride] = signs_of(high_bytes(sums, sums + 32), high_bytes(sums + 16, sums + 48));
  }
}

// Bit counts of the bytes by two look-ups of 4 bits each.
// W. Mula, N. Kurz, D. Lemire, Faster population counts using AVX2 instructions, Computer Journal 61 (2018).
BNNPLAN_AVX2 inline __m256i byte_popcounts(__m256i bits) {
  const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low_nibbles = _mm256_set1_epi8(0x0f);
  const __m256i low = _mm256_and_si256(bits, low_nibbles);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bits, 4), low_nibbles);
  return _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high));
}

// The disagreeing inputs of half an octet, one neuron in each 64-bit lane.
template <bool masked>
BNNPLAN_AVX2 inline __m256i disagreeing(const PopcountView& layer, std::size_t first_word,
                                        const std::uint64_t* bits) {
  constexpr std::size_t kWordsPerSum = 31;  // 31 * 8 <= 255
  const __m256i zero = _mm256_setzero_si256();
  __m256i total = zero;
  for (std::size_t word = 0; word < layer.words;) {
    const std::size_t rest = layer.words - word;
    const std::size_t end = word + (rest < kWordsPerSum ? rest : kWordsPerSum);
    __m256i sums = zero;
    for (; word < end; ++word) {
      const std::size_t at = first_word + word * kOctet;
      const __m256i input = _mm256_set1_epi64x(static_cast<long long>(bits[word]));
      __m256i different = _mm256_xor_si256(input, load(layer.weights + at));
      if constexpr (masked) different = _mm256_and_si256(different, load(layer.present + at));
      sums = _mm256_add_epi8(sums, byte_popcounts(different));
    }
    total = _mm256_add_epi64(total, _mm256_sad_epu8(sums, zero));
  }
  return total;
}

template <bool masked>
BNNPLAN_AVX2 void popcount_layer_of(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                                    std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t first = 0; first < layer.neurons; first += 64) {
    const std::size_t end = layer.neurons < first + 64 ? layer.neurons : first + 64;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      std::uint64_t above = 0;
      for (std::size_t neuron = first; neuron < end; neuron += 4) {
        const std::size_t first_word = neuron / kOctet * kOctet * layer.words + neuron % kOctet;
        const __m256i counts = disagreeing<masked>(layer, first_word, bits + sample * layer.words);
        const __m256i over = _mm256_cmpgt_epi64(counts, load(layer.allowed + neuron));
        const auto four = static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(over)));
        above |= four << (neuron - first);
      }
      const std::uint64_t used = ~std::uint64_t{0} >> (64 - (end - first));
      outputs[sample * stride + first / 64] = ~above & used;
    }
  }
}

BNNPLAN_AVX2 void popcount_layer(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                                 std::uint64_t* outputs) {
  const auto compute = layer.present == nullptr ? popcount_layer_of<false> : popcount_layer_of<true>;
  compute(layer, bits, samples, outputs);
}

template <bool masked>
BNNPLAN_AVX2 void popcount_counts_of(const PopcountView& layer, const std::uint64_t* bits,
                                     std::size_t samples, std::int32_t* counts) {
  for (std::size_t sample = 0; sample < samples; ++sample, bits += layer.words, counts += layer.neurons) {
    for (std::size_t neuron = 0; neuron < layer.neurons; neuron += 4) {
      const __m256i totals =
          disagreeing<masked>(layer, neuron / kOctet * kOctet * layer.words + neuron % kOctet, bits);
      std::int64_t lanes[4];
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), totals);
      for (std::size_t i = 0; i < 4 && neuron + i < layer.neurons; ++i)
        counts[neuron + i] = static_cast<std::int32_t>(lanes[i]);
    }
  }
}

BNNPLAN_AVX2 void popcount_counts(const PopcountView& layer, const std::uint64_t* bits, std::size_t samples,
                                  std::int32_t* counts) {
  const auto compute = layer.present == nullptr ? popcount_counts_of<false> : popcount_counts_of<true>;
  compute(layer, bits, samples, counts);
}

}  // namespace

const Kernels kAvx2Kernels = {"avx2",    4 << 20,   512 << 10,      select_rows,    narrow_layer,
                              add_group, sum_signs, popcount_layer, popcount_counts};

}  // namespace bnnplan
#endif
