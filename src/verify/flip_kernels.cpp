// Counters of a layer as vectors of 16-bit numbers: a changed input adds its column. With AVX2 a block of 32
// counters is two registers, an addition for each changed input, and the changed signs are one mask.
#include "bnnplan/verify/flip_kernels.hpp"

#include <bit>
#include <cassert>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bnnplan::verification {

namespace {

std::size_t add_columns_portable(const std::int16_t* from, std::span<const std::int16_t* const> columns,
                                 std::int16_t* to, std::size_t width, std::uint32_t* changed) {
  std::uint32_t* end = changed;
  for (std::size_t block = 0; block < width; block += flip_block) {
    std::int16_t sums[flip_block];
    for (std::size_t i = 0; i < flip_block; ++i) sums[i] = from[block + i];
    for (const std::int16_t* column : columns) {
      for (std::size_t i = 0; i < flip_block; ++i)
        sums[i] = static_cast<std::int16_t>(sums[i] + column[block + i]);
    }
    for (std::size_t i = 0; i < flip_block; ++i) {
      if ((sums[i] ^ from[block + i]) < 0)
        *end++ = static_cast<std::uint32_t>(2 * (block + i) + (sums[i] >= 0 ? 1 : 0));
    }
    for (std::size_t i = 0; i < flip_block; ++i) to[block + i] = sums[i];
  }
  return static_cast<std::size_t>(end - changed);
}

std::size_t widen_counters_portable(const std::int16_t* counters, std::span<const std::int16_t* const> up,
                                    std::span<const std::int16_t* const> down, std::size_t width,
                                    std::uint32_t* uncertain) {
  std::uint32_t* end = uncertain;
  for (std::size_t lane = 0; lane < width; ++lane) {
    int most = counters[lane], least = counters[lane];
    for (const std::int16_t* column : up) most += column[lane];
    for (const std::int16_t* column : down) least -= column[lane];
    if (most >= 0 && least < 0) *end++ = static_cast<std::uint32_t>(2 * lane + (counters[lane] < 0 ? 1 : 0));
  }
  return static_cast<std::size_t>(end - uncertain);
}

#if defined(__x86_64__)
#define BNNPLAN_FLIP_AVX2 __attribute__((target("avx2,bmi,bmi2")))

// The signs of 32 16-bit numbers, in order: packing keeps signs and leaves the halves crossed.
BNNPLAN_FLIP_AVX2 inline std::uint32_t signs(__m256i low, __m256i high) {
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0b11'01'10'00);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

BNNPLAN_FLIP_AVX2 std::size_t add_columns_avx2(const std::int16_t* from,
                                               std::span<const std::int16_t* const> columns, std::int16_t* to,
                                               std::size_t width, std::uint32_t* changed) {
  std::uint32_t* end = changed;
  for (std::size_t block = 0; block < width; block += flip_block) {
    const auto at = [block](auto* numbers, std::size_t half) {
      return reinterpret_cast<const __m256i*>(numbers + block + half);
    };
    const __m256i low = _mm256_loadu_si256(at(from, 0)), high = _mm256_loadu_si256(at(from, 16));
    __m256i new_low = low, new_high = high;
    for (const std::int16_t* column : columns) {
      new_low = _mm256_add_epi16(new_low, _mm256_loadu_si256(at(column, 0)));
      new_high = _mm256_add_epi16(new_high, _mm256_loadu_si256(at(column, 16)));
    }
    std::uint32_t mask = signs(_mm256_xor_si256(low, new_low), _mm256_xor_si256(high, new_high));
    if (mask != 0) {
      const std::uint32_t negative = signs(new_low, new_high);
      do {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        *end++ = static_cast<std::uint32_t>(2 * block) + 2 * lane + (~negative >> lane & 1);
        mask &= mask - 1;
      } while (mask != 0);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + block), new_low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + block + 16), new_high);
  }
  return static_cast<std::size_t>(end - changed);
}

BNNPLAN_FLIP_AVX2 std::size_t widen_counters_avx2(const std::int16_t* counters,
                                                  std::span<const std::int16_t* const> up,
                                                  std::span<const std::int16_t* const> down,
                                                  std::size_t width, std::uint32_t* uncertain) {
  std::uint32_t* end = uncertain;
  for (std::size_t block = 0; block < width; block += flip_block) {
    const auto at = [block](auto* numbers, std::size_t half) {
      return reinterpret_cast<const __m256i*>(numbers + block + half);
    };
    const __m256i low = _mm256_loadu_si256(at(counters, 0)), high = _mm256_loadu_si256(at(counters, 16));
    __m256i most_low = low, most_high = high, least_low = low, least_high = high;
    for (std::size_t i = 0; i < up.size(); ++i) {
      most_low = _mm256_add_epi16(most_low, _mm256_loadu_si256(at(up[i], 0)));
      most_high = _mm256_add_epi16(most_high, _mm256_loadu_si256(at(up[i], 16)));
      least_low = _mm256_sub_epi16(least_low, _mm256_loadu_si256(at(down[i], 0)));
      least_high = _mm256_sub_epi16(least_high, _mm256_loadu_si256(at(down[i], 16)));
    }
    std::uint32_t mask = signs(least_low, least_high) & ~signs(most_low, most_high);
    const std::uint32_t negative = signs(low, high);
    for (; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
      *end++ = static_cast<std::uint32_t>(2 * block) + 2 * lane + (negative >> lane & 1);
    }
  }
  return static_cast<std::size_t>(end - uncertain);
}
#endif

}  // namespace

const AddColumns portable_add_columns = add_columns_portable;

AddColumns best_add_columns() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return add_columns_avx2;
#endif
  return add_columns_portable;
}

const WidenCounters portable_widen_counters = widen_counters_portable;

WidenCounters best_widen_counters() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return widen_counters_avx2;
#endif
  return widen_counters_portable;
}

}  // namespace bnnplan::verification
