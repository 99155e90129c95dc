// The inner loops for AVX-512 (BW for bytes, VPOPCNTDQ for bit counts): 64 neurons of a table chunk, or a
// whole octet of the popcount technique, in one 512-bit register. Comparisons and signs come as bit masks.
#include "bnnplan/network/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace bnnplan {

namespace {

BNNPLAN_AVX512_POPCOUNT inline __m512i load(const void* from) { return _mm512_loadu_si512(from); }

BNNPLAN_AVX512_POPCOUNT void select_rows(const std::uint64_t* bits, std::size_t stride, std::size_t words,
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

BNNPLAN_AVX512_POPCOUNT inline __m512i add_row(__m512i sums, const std::uint8_t* block, std::uint8_t row) {
  return _mm512_add_epi8(sums, _mm512_load_si512(block + std::size_t{8} * row));
}

// Two samples at a time: their additions are independent.
BNNPLAN_AVX512_POPCOUNT inline void count_two(const std::uint8_t* slice, std::size_t blocks,
                                              const std::uint8_t* rows, __m512i& first, __m512i& second) {
  for (std::size_t block = 0; block < blocks; ++block, ++rows, slice += kBlockBytes) {
    first = add_row(first, slice, rows[0]);
    second = add_row(second, slice, rows[kGroupBlocks]);
  }
}

BNNPLAN_AVX512_POPCOUNT inline void count_one(const std::uint8_t* slice, std::size_t blocks,
                                              const std::uint8_t* rows, __m512i& sums) {
  for (std::size_t block = 0; block < blocks; ++block, ++rows, slice += kBlockBytes) {
    sums = add_row(sums, slice, rows[0]);
  }
}

BNNPLAN_AVX512_POPCOUNT void narrow_layer(const TableView& layer, const std::uint8_t* rows,
                                          std::size_t samples, std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t neuron = 0; neuron < layer.neurons; neuron += kLanes) {
    const std::uint8_t* slice = layer.counts + neuron * layer.blocks * kBlockPatterns;
    const __m512i start = load(layer.narrow_starts + neuron);
    std::uint64_t* to = outputs + neuron / 64;
    std::size_t sample = 0;
    for (; sample + 2 <= samples; sample += 2) {
      __m512i first = start, second = start;
      count_two(slice, layer.blocks, rows + sample * kGroupBlocks, first, second);
      to[sample * stride] = _mm512_movepi8_mask(first);
      to[(sample + 1) * stride] = _mm512_movepi8_mask(second);
    }
    if (sample < samples) {
      __m512i sums = start;
      count_one(slice, layer.blocks, rows + sample * kGroupBlocks, sums);
      to[sample * stride] = _mm512_movepi8_mask(sums);
    }
  }
}

BNNPLAN_AVX512_POPCOUNT inline void widen_and_add(__m512i counts, std::uint16_t* sums) {
  const __m512i even = _mm512_and_si512(counts, _mm512_set1_epi16(0x00ff));
  const __m512i odd = _mm512_srli_epi16(counts, 8);
  _mm512_storeu_si512(sums, _mm512_add_epi16(load(sums), even));
  _mm512_storeu_si512(sums + 32, _mm512_add_epi16(load(sums + 32), odd));
}

// All 64 lanes are added regardless of the number of neurons: they cost the same.
BNNPLAN_AVX512_POPCOUNT void add_group(const std::uint8_t* slice, std::size_t blocks,
                                       const std::uint8_t* rows, std::size_t samples, std::size_t /*neurons*/,
                                       std::uint16_t* sums) {
  const __m512i zero = _mm512_setzero_si512();
  std::size_t sample = 0;
  for (; sample + 2 <= samples; sample += 2) {
    __m512i first = zero, second = zero;
    count_two(slice, blocks, rows + sample * kGroupBlocks, first, second);
    widen_and_add(first, sums + sample * kLanes);
    widen_and_add(second, sums + (sample + 1) * kLanes);
  }
  if (sample < samples) {
    __m512i counts = zero;
    count_one(slice, blocks, rows + sample * kGroupBlocks, counts);
    widen_and_add(counts, sums + sample * kLanes);
  }
}

BNNPLAN_AVX512_POPCOUNT void sum_signs(const std::uint16_t* sums, std::size_t samples, std::uint64_t* outputs,
                                       std::size_t stride) {
  const __m512i odd_bytes = _mm512_set1_epi16(static_cast<short>(0xff00));
  for (std::size_t sample = 0; sample < samples; ++sample, sums += kLanes) {
    const __m512i even = _mm512_srli_epi16(load(sums), 8);
    const __m512i odd = _mm512_and_si512(load(sums + 32), odd_bytes);
    outputs[sample * stride] = _mm512_movepi8_mask(_mm512_or_si512(even, odd));
  }
}

// The disagreeing inputs of an octet, one neuron in each 64-bit lane.
template <bool masked>
BNNPLAN_AVX512_POPCOUNT inline __m512i disagreeing(const PopcountView& layer, std::size_t first_word,
                                                   const std::uint64_t* bits) {
  __m512i total = _mm512_setzero_si512();
  for (std::size_t word = 0; word < layer.words; ++word) {
    const std::size_t at = first_word + word * kOctet;
    const __m512i input = _mm512_set1_epi64(static_cast<long long>(bits[word]));
    __m512i different = _mm512_xor_si512(input, load(layer.weights + at));
    if constexpr (masked) different = _mm512_and_si512(different, load(layer.present + at));
    total = _mm512_add_epi64(total, _mm512_popcnt_epi64(different));
  }
  return total;
}

template <bool masked>
BNNPLAN_AVX512_POPCOUNT void popcount_layer_of(const PopcountView& layer, const std::uint64_t* bits,
                                               std::size_t samples, std::uint64_t* outputs) {
  const std::size_t stride = words_of(layer.neurons);
  for (std::size_t first = 0; first < layer.neurons; first += 64) {
    const std::size_t end = layer.neurons < first + 64 ? layer.neurons : first + 64;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      std::uint64_t above = 0;
      for (std::size_t neuron = first; neuron < end; neuron += kOctet) {
        const __m512i counts = disagreeing<masked>(layer, neuron * layer.words, bits + sample * layer.words);
        const std::uint64_t eight = _mm512_cmpgt_epi64_mask(counts, load(layer.allowed + neuron));
        above |= eight << (neuron - first);
      }
      const std::uint64_t used = ~std::uint64_t{0} >> (64 - (end - first));
      outputs[sample * stride + first / 64] = ~above & used;
    }
  }
}

BNNPLAN_AVX512_POPCOUNT void popcount_layer(const PopcountView& layer, const std::uint64_t* bits,
                                            std::size_t samples, std::uint64_t* outputs) {
  const auto compute = layer.present == nullptr ? popcount_layer_of<false> : popcount_layer_of<true>;
  compute(layer, bits, samples, outputs);
}

template <bool masked>
BNNPLAN_AVX512_POPCOUNT void popcount_counts_of(const PopcountView& layer, const std::uint64_t* bits,
                                                std::size_t samples, std::int32_t* counts) {
  for (std::size_t sample = 0; sample < samples; ++sample, bits += layer.words, counts += layer.neurons) {
    for (std::size_t neuron = 0; neuron < layer.neurons; neuron += kOctet) {
      const __m512i totals = disagreeing<masked>(layer, neuron * layer.words, bits);
      std::int64_t lanes[kOctet];
      _mm512_storeu_si512(lanes, totals);
      for (std::size_t i = 0; i < kOctet && neuron + i < layer.neurons; ++i)
        counts[neuron + i] = static_cast<std::int32_t>(lanes[i]);
    }
  }
}

BNNPLAN_AVX512_POPCOUNT void popcount_counts(const PopcountView& layer, const std::uint64_t* bits,
                                             std::size_t samples, std::int32_t* counts) {
  const auto compute = layer.present == nullptr ? popcount_counts_of<false> : popcount_counts_of<true>;
  compute(layer, bits, samples, counts);
}

}  // namespace

const Kernels kAvx512Kernels = {"avx512",  128 << 10, 128 << 10,      select_rows,    narrow_layer,
                                add_group, sum_signs, popcount_layer, popcount_counts};

}  // namespace bnnplan
#endif
