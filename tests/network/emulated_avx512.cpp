// The AVX-512 kernels without AVX-512: their own source, compiled against instructions that are written out
// here by their definition. So what they compute is tested on every machine; that the compiler's instructions
// are these is left to machines that have them.
#if defined(__x86_64__)
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include <immintrin.h>

#include "bnnplan/base/processor.hpp"

namespace {

struct Emulated512 {
  std::array<std::uint64_t, 8> words{};
};

template <class Lane>
constexpr std::size_t lanes = 64 / sizeof(Lane);

template <class Lane>
std::array<Lane, lanes<Lane>> lanes_of(const Emulated512& value) {
  return std::bit_cast<std::array<Lane, lanes<Lane>>>(value.words);
}

template <class Lane, class Function>
Emulated512 each(const Emulated512& a, const Emulated512& b, Function function) {
  const auto left = lanes_of<Lane>(a), right = lanes_of<Lane>(b);
  std::array<Lane, lanes<Lane>> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<Lane>(function(left[i], right[i]));
  return {std::bit_cast<std::array<std::uint64_t, 8>>(result)};
}

template <class Lane>
Emulated512 all(Lane value) {
  std::array<Lane, lanes<Lane>> result{};
  result.fill(value);
  return {std::bit_cast<std::array<std::uint64_t, 8>>(result)};
}

Emulated512 loadu(const void* from) {
  Emulated512 result;
  std::memcpy(result.words.data(), from, sizeof result.words);
  return result;
}

Emulated512 load_aligned(const void* from) {
  if (reinterpret_cast<std::uintptr_t>(from) % 64 != 0) throw std::logic_error("an aligned load that is not");
  return loadu(from);
}

void storeu(void* to, const Emulated512& value) { std::memcpy(to, value.words.data(), sizeof value.words); }

template <class Lane>
Emulated512 sum(const Emulated512& a, const Emulated512& b) {
  return each<Lane>(a, b, [](Lane x, Lane y) { return x + y; });
}

Emulated512 conjunction(const Emulated512& a, const Emulated512& b) {
  return each<std::uint64_t>(a, b, [](std::uint64_t x, std::uint64_t y) { return x & y; });
}

Emulated512 disjunction(const Emulated512& a, const Emulated512& b) {
  return each<std::uint64_t>(a, b, [](std::uint64_t x, std::uint64_t y) { return x | y; });
}

Emulated512 difference(const Emulated512& a, const Emulated512& b) {
  return each<std::uint64_t>(a, b, [](std::uint64_t x, std::uint64_t y) { return x ^ y; });
}

Emulated512 shifted_right(const Emulated512& a, unsigned int bits) {
  return each<std::uint16_t>(a, a, [=](std::uint16_t x, std::uint16_t) { return x >> bits; });
}

Emulated512 bit_counts(const Emulated512& a) {
  return each<std::uint64_t>(a, a, [](std::uint64_t x, std::uint64_t) { return std::popcount(x); });
}

std::uint64_t byte_signs(const Emulated512& a) {
  std::uint64_t mask = 0;
  const auto bytes = lanes_of<std::uint8_t>(a);
  for (std::size_t i = 0; i < bytes.size(); ++i) mask |= std::uint64_t{bytes[i] >= 128} << i;
  return mask;
}

std::uint8_t greater(const Emulated512& a, const Emulated512& b) {
  unsigned int mask = 0;
  const auto left = lanes_of<std::int64_t>(a), right = lanes_of<std::int64_t>(b);
  for (std::size_t i = 0; i < left.size(); ++i) mask |= (left[i] > right[i] ? 1u : 0u) << i;
  return static_cast<std::uint8_t>(mask);
}

}  // namespace

// Without optimisation some of them are macros.
#undef _mm512_loadu_si512
#undef _mm512_load_si512
#undef _mm512_storeu_si512
#undef _mm512_setzero_si512
#undef _mm512_set1_epi16
#undef _mm512_set1_epi64
#undef _mm512_add_epi8
#undef _mm512_add_epi16
#undef _mm512_add_epi64
#undef _mm512_and_si512
#undef _mm512_or_si512
#undef _mm512_xor_si512
#undef _mm512_srli_epi16
#undef _mm512_popcnt_epi64
#undef _mm512_movepi8_mask
#undef _mm512_cmpgt_epi64_mask
#define __m512i Emulated512
#define _mm512_loadu_si512 loadu
#define _mm512_load_si512 load_aligned
#define _mm512_storeu_si512 storeu
#define _mm512_setzero_si512() (Emulated512{})
#define _mm512_set1_epi16(value) all<std::uint16_t>(static_cast<std::uint16_t>(value))
#define _mm512_set1_epi64(value) all<std::uint64_t>(static_cast<std::uint64_t>(value))
#define _mm512_add_epi8 sum<std::uint8_t>
#define _mm512_add_epi16 sum<std::uint16_t>
#define _mm512_add_epi64 sum<std::uint64_t>
#define _mm512_and_si512 conjunction
#define _mm512_or_si512 disjunction
#define _mm512_xor_si512 difference
#define _mm512_srli_epi16 shifted_right
#define _mm512_popcnt_epi64 bit_counts
#define _mm512_movepi8_mask byte_signs
#define _mm512_cmpgt_epi64_mask greater

// The kernels of the program, under another name and for an older processor.
#undef BNNPLAN_AVX512_POPCOUNT
#define BNNPLAN_AVX512_POPCOUNT __attribute__((target("sse4.1")))
#define kAvx512Kernels kEmulatedAvx512Kernels
#include "bnnplan/network/kernels_avx512.cpp"
#endif
