#pragma once

// Counting in slices: a slice has one bit of each of many counters, its lanes, and counters are added up by
// full adders on slices. These are parts of loops that are compiled for each instruction set (Compiled in
// base/processor.hpp); a slice is a register of 2, 4 or 8 words.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bnnplan/base/processor.hpp"

namespace bnnplan {

template <std::size_t words>
using Slice = typename VectorOf<std::uint64_t, words>::Type;

template <class S>
[[gnu::always_inline]] inline void load_slice(const std::uint64_t* from, S& to) {
  std::memcpy(&to, from, sizeof to);
}

template <class S>
[[gnu::always_inline]] inline void store_slice(std::uint64_t* to, const S& from) {
  std::memcpy(to, &from, sizeof from);
}

#if defined(__x86_64__)
// One instruction, which GCC 12 does not find.
BNNPLAN_AVX512 inline void majority_avx512(const Slice<8>& a, const Slice<8>& b, const Slice<8>& c,
                                           Slice<8>& carry) {
  carry = Slice<8>(_mm512_ternarylogic_epi64(__m512i(a), __m512i(b), __m512i(c), 0xe8));
}
#endif

// a + b + c = (a ^ b ^ c) + 2 carry
template <class S>
[[gnu::always_inline]] inline void majority(const S& a, const S& b, const S& c, S& carry) {
#if defined(__x86_64__)
  if constexpr (sizeof(S) == 64) {
    const S copies[] = {a, b, c};  // so that the caller's variables stay in registers
    S result;
    majority_avx512(copies[0], copies[1], copies[2], result);
    carry = result;
    return;
  }
#endif
  carry = ((a ^ b) & (a ^ c)) ^ a;
}

// sum + x + y, of which the carry is returned in `carry`.
template <class S>
[[gnu::always_inline]] inline void add_two(S& sum, const S& x, const S& y, S& carry) {
  S next;
  majority(sum, x, y, next);
  sum = sum ^ x ^ y;
  carry = next;
}

// sum + x, of which the carry replaces x.
template <class S>
[[gnu::always_inline]] inline void add_one(S& sum, S& x) {
  const S carry = sum & x;
  sum ^= x;
  x = carry;
}

// Adds x, of weight 2^first, to counters of `end` bits.
template <class S>
[[gnu::always_inline]] inline void add_through(S* counters, std::size_t first, std::size_t end, S& x) {
  for (std::size_t i = first; i < end; ++i) add_one(counters[i], x);
}

}  // namespace bnnplan
