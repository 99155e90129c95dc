// Counters of a whole layer as vectors. A layer of 128 neurons has 2 x 128 bytes of counters: with AVX2 an
// assigned input takes 8 additions, 8 comparisons and 8 masks, regardless of the number of neurons that it
// affects. No threshold is crossed unnoticed: only lanes that change can hit, and each change is checked.
// Measured: AVX2 makes the whole solver three times as fast as the portable loops.
//
//   hit <=> delta != 0 and counts + delta >= threshold     (unsigned; max(a, b) == a is a >= b)
#include "bnnplan/cdcl/count_kernels.hpp"

#include <cassert>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bnnplan::cdcl {

namespace {

template <class Count>
bool add_portable(Count* counts, const Count* deltas, const Count* thresholds, std::size_t size,
                  std::uint64_t* hits) {
  assert(size % count_block == 0);
  std::uint64_t any = 0;
  for (std::size_t block = 0; block < size; block += count_block) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count_block; ++i) {
      const auto sum = static_cast<Count>(counts[block + i] + deltas[block + i]);
      counts[block + i] = sum;
      const bool hit = (deltas[block + i] != 0) & (sum >= thresholds[block + i]);
      word |= std::uint64_t{hit} << i;
    }
    hits[block / count_block] = word;
    any |= word;
  }
  return any != 0;
}

template <class Count>
void subtract_portable(Count* counts, const Count* deltas, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) counts[i] = static_cast<Count>(counts[i] - deltas[i]);
}

constexpr CountKernels portable{"portable", add_portable<std::uint8_t>, add_portable<std::uint16_t>,
                                subtract_portable<std::uint8_t>, subtract_portable<std::uint16_t>};

#if defined(__x86_64__)
#define BNNPLAN_AVX2 __attribute__((target("avx2")))

BNNPLAN_AVX2 inline __m256i load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

BNNPLAN_AVX2 inline void store(void* to, __m256i value) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), value);
}

BNNPLAN_AVX2 inline std::uint32_t add_32_bytes(std::uint8_t* counts, const std::uint8_t* deltas,
                                               const std::uint8_t* thresholds) {
  const __m256i delta = load(deltas);
  const __m256i sum = _mm256_add_epi8(load(counts), delta);
  store(counts, sum);
  const __m256i reached = _mm256_cmpeq_epi8(_mm256_max_epu8(sum, load(thresholds)), sum);
  const __m256i unchanged = _mm256_cmpeq_epi8(delta, _mm256_setzero_si256());
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_andnot_si256(unchanged, reached)));
}

BNNPLAN_AVX2 bool add8_avx2(std::uint8_t* counts, const std::uint8_t* deltas, const std::uint8_t* thresholds,
                            std::size_t size, std::uint64_t* hits) {
  assert(size % count_block == 0);
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < size; i += count_block) {
    const std::uint64_t low = add_32_bytes(counts + i, deltas + i, thresholds + i);
    const std::uint64_t high = add_32_bytes(counts + i + 32, deltas + i + 32, thresholds + i + 32);
    any |= hits[i / count_block] = low | high << 32;
  }
  return any != 0;
}

BNNPLAN_AVX2 inline __m256i add_16_words(std::uint16_t* counts, const std::uint16_t* deltas,
                                         const std::uint16_t* thresholds) {
  const __m256i delta = load(deltas);
  const __m256i sum = _mm256_add_epi16(load(counts), delta);
  store(counts, sum);
  const __m256i reached = _mm256_cmpeq_epi16(_mm256_max_epu16(sum, load(thresholds)), sum);
  return _mm256_andnot_si256(_mm256_cmpeq_epi16(delta, _mm256_setzero_si256()), reached);
}

BNNPLAN_AVX2 bool add16_avx2(std::uint16_t* counts, const std::uint16_t* deltas,
                             const std::uint16_t* thresholds, std::size_t size, std::uint64_t* hits) {
  assert(size % count_block == 0);
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < size; i += count_block) {
    std::uint64_t word = 0;
    for (std::size_t part = 0; part < count_block; part += 32) {
      const std::size_t at = i + part;
      const __m256i low = add_16_words(counts + at, deltas + at, thresholds + at);
      const __m256i high = add_16_words(counts + at + 16, deltas + at + 16, thresholds + at + 16);
      // Packing works within 128-bit halves, so swap the middle quarters.
      const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0b11011000);
      word |= std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(packed))} << part;
    }
    any |= hits[i / count_block] = word;
  }
  return any != 0;
}

BNNPLAN_AVX2 void subtract8_avx2(std::uint8_t* counts, const std::uint8_t* deltas, std::size_t size) {
  assert(size % count_block == 0);
  for (std::size_t i = 0; i < size; i += 32)
    store(counts + i, _mm256_sub_epi8(load(counts + i), load(deltas + i)));
}

BNNPLAN_AVX2 void subtract16_avx2(std::uint16_t* counts, const std::uint16_t* deltas, std::size_t size) {
  assert(size % count_block == 0);
  for (std::size_t i = 0; i < size; i += 16)
    store(counts + i, _mm256_sub_epi16(load(counts + i), load(deltas + i)));
}

constexpr CountKernels avx2{"AVX2", add8_avx2, add16_avx2, subtract8_avx2, subtract16_avx2};
#endif

}  // namespace

const CountKernels& portable_count_kernels() { return portable; }

const CountKernels& best_count_kernels() {
#if defined(__x86_64__)
  static const bool have_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (have_avx2) return avx2;
#endif
  return portable;
}

}  // namespace bnnplan::cdcl
