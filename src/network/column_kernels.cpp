// Counters of a whole layer as vectors, with AVX2 32 at a time: one register of bytes, or two of 16-bit
// numbers; and the lanes in which something happened as one mask. A layer of 128 neurons with 2 x 128
// bytes of counters takes 8 additions, 8 comparisons and 8 masks, regardless of the number of neurons that an
// input affects. No threshold is crossed unnoticed: only lanes that change can hit, and each change is
// checked. Measured: AVX2 makes the solver in cdcl three times as fast as loops over single counters.
#include "bnnplan/network/column_kernels.hpp"

#include <bit>
#include <cassert>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bnnplan {

namespace {

template <class Number, std::size_t bytes>
using Register = typename VectorOf<Number, bytes / sizeof(Number)>::Type;

// As many counters as a register has bytes: in one register, or in two.
template <class Number, std::size_t lanes>
struct ColumnBlock {
  Register<Number, lanes> parts[sizeof(Number)];
};

template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline void load(ColumnBlock<Number, lanes>& block, const Number* from) {
#pragma GCC unroll 2
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    std::memcpy(&block.parts[i], from + i * lanes / sizeof(Number), lanes);
}

template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline void store(Number* to, const ColumnBlock<Number, lanes>& block) {
#pragma GCC unroll 2
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    std::memcpy(to + i * lanes / sizeof(Number), &block.parts[i], lanes);
}

template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline void add(ColumnBlock<Number, lanes>& block, const Number* from) {
  ColumnBlock<Number, lanes> other;
  load(other, from);
#pragma GCC unroll 2
  for (std::size_t i = 0; i < sizeof(Number); ++i) block.parts[i] += other.parts[i];
}

template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline void subtract(ColumnBlock<Number, lanes>& block, const Number* from) {
  ColumnBlock<Number, lanes> other;
  load(other, from);
#pragma GCC unroll 2
  for (std::size_t i = 0; i < sizeof(Number); ++i) block.parts[i] -= other.parts[i];
}

#if defined(__x86_64__)
// The signs of the bytes, or of the words of two registers: packing keeps signs (and crosses the halves).
template <class Number>
inline std::uint32_t signs(const Register<Number, 16>& low, const Register<Number, 16>& high) {
  const __m128i bytes = sizeof(Number) == 1 ? __m128i(low) : _mm_packs_epi16(__m128i(low), __m128i(high));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(bytes));
}

template <class Number>
BNNPLAN_AVX2 inline std::uint32_t signs(const Register<Number, 32>& low, const Register<Number, 32>& high) {
  __m256i bytes = __m256i(low);
  if (sizeof(Number) == 2)
    bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(bytes, __m256i(high)), 0b11'01'10'00);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}
#endif

// The lanes that are below 0.
template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline std::uint32_t signs_of(const ColumnBlock<Number, lanes>& block) {
#if defined(__x86_64__)
  const auto low = block.parts[0],
             high = block.parts[sizeof(Number) - 1];  // so that `block` is not in memory
  return signs<Number>(low, high);
#else
  Number numbers[lanes];
  store(numbers, block);
  std::uint32_t signs = 0;
  for (std::size_t i = 0; i < lanes; ++i) signs |= std::uint32_t{numbers[i] < 0} << i;
  return signs;
#endif
}

// hit <=> delta > 0 and count + delta > limit
template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline bool add_and_compare(Number* counts, const Number* deltas, const Number* limits,
                                                   std::size_t size, std::uint64_t* hits) {
  assert(size % 64 == 0);
  std::uint64_t any = 0;
  for (std::size_t first = 0; first < size; first += 64) {
    std::uint64_t word = 0;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < 64; part += lanes) {
      ColumnBlock<Number, lanes> hit;
#pragma GCC unroll 2
      for (std::size_t i = 0; i < sizeof(Number); ++i) {
        const std::size_t at = first + part + i * lanes / sizeof(Number);
        Register<Number, lanes> sum, delta, limit;
        std::memcpy(&sum, counts + at, lanes);
        std::memcpy(&delta, deltas + at, lanes);
        std::memcpy(&limit, limits + at, lanes);
        sum += delta;
        std::memcpy(counts + at, &sum, lanes);
        hit.parts[i] = (delta > 0) & (sum > limit);
      }
      word |= std::uint64_t{signs_of(hit)} << part;
    }
    any |= hits[first / 64] = word;
  }
  return any != 0;
}

template <class Number, std::size_t lanes>
[[gnu::always_inline]] inline void subtract_all(Number* counts, const Number* deltas, std::size_t size) {
  assert(size % column_block == 0);
  for (std::size_t at = 0; at < size; at += lanes) {
    ColumnBlock<Number, lanes> block;
    load(block, counts + at);
    subtract(block, deltas + at);
    store(counts + at, block);
  }
}

template <std::size_t lanes>
[[gnu::always_inline]] inline void row_signs(const std::int8_t* counters, const std::int8_t* rows,
                                             std::size_t count, std::uint64_t* to) {
  for (std::size_t r = 0; r < count; ++r, rows += 64) {
    to[r] = 0;
#pragma GCC unroll 4
    for (std::size_t part = 0; part < 64; part += lanes) {
      ColumnBlock<std::int8_t, lanes> block;
      load(block, counters + part);
      subtract(block, rows + part);
      to[r] |= std::uint64_t{signs_of(block)} << part;
    }
  }
}

// Writes 2 * lane + (its bit) for the lanes of the mask, and returns the end of what is written.
[[gnu::always_inline]] inline std::uint32_t* list_lanes(std::uint32_t mask, std::uint32_t bits,
                                                        std::size_t first, std::uint32_t* to) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    *to++ = static_cast<std::uint32_t>(2 * first) + 2 * lane + (bits >> lane & 1);
  }
  return to;
}

template <std::size_t lanes>
[[gnu::always_inline]] inline std::size_t add_columns(const std::int16_t* from,
                                                      std::span<const std::int16_t* const> columns,
                                                      std::int16_t* to, std::size_t size,
                                                      std::uint32_t* changed) {
  std::uint32_t* end = changed;
  for (std::size_t at = 0; at < size; at += lanes) {
    ColumnBlock<std::int16_t, lanes> before, sum;
    load(before, from + at);
    sum = before;
    for (const std::int16_t* column : columns) add(sum, column + at);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < 2; ++i) before.parts[i] ^= sum.parts[i];
    if (const std::uint32_t mask = signs_of(before); mask != 0)
      end = list_lanes(mask, ~signs_of(sum), at, end);
    store(to + at, sum);
  }
  return static_cast<std::size_t>(end - changed);
}

template <std::size_t lanes>
[[gnu::always_inline]] inline std::size_t widen(const std::int16_t* counters,
                                                std::span<const std::int16_t* const> up,
                                                std::span<const std::int16_t* const> down, std::size_t size,
                                                std::uint32_t* uncertain) {
  std::uint32_t* end = uncertain;
  for (std::size_t at = 0; at < size; at += lanes) {
    ColumnBlock<std::int16_t, lanes> now, most, least;
    load(now, counters + at);
    most = least = now;
    for (std::size_t i = 0; i < up.size(); ++i) {
      add(most, up[i] + at);
      subtract(least, down[i] + at);
    }
    end = list_lanes(signs_of(least) & ~signs_of(most), signs_of(now), at, end);
  }
  return static_cast<std::size_t>(end - uncertain);
}

}  // namespace

const ColumnKernels& column_kernels(InstructionSet set) {
  static constexpr ColumnKernels portable = {
      Compiled<add_and_compare<std::int8_t, 16>>::portable,
      Compiled<add_and_compare<std::int16_t, 16>>::portable,
      Compiled<subtract_all<std::int8_t, 16>>::portable,
      Compiled<subtract_all<std::int16_t, 16>>::portable,
      Compiled<row_signs<16>>::portable,
      Compiled<add_columns<16>>::portable,
      Compiled<widen<16>>::portable,
  };
  static constexpr ColumnKernels avx2 = {
      Compiled<add_and_compare<std::int8_t, 32>>::avx2,
      Compiled<add_and_compare<std::int16_t, 32>>::avx2,
      Compiled<subtract_all<std::int8_t, 32>>::avx2,
      Compiled<subtract_all<std::int16_t, 32>>::avx2,
      Compiled<row_signs<32>>::avx2,
      Compiled<add_columns<32>>::avx2,
      Compiled<widen<32>>::avx2,
  };
  return select(set, portable, avx2);
}

}  // namespace bnnplan
