// The AVX-512 loops of training without AVX-512: their own source, compiled against instructions that are
// written out here by their definition, as tests/network/emulated_avx512.cpp does for inference.
#if defined(__x86_64__)
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "bnnplan/base/processor.hpp"

namespace {

struct Floats {
  std::array<float, 16> lanes{};
};

struct Bits512 {
  std::array<std::int8_t, 64> bytes{};
};

template <class Function>
Floats each(const Floats& a, const Floats& b, Function function) {
  Floats result;
  for (std::size_t i = 0; i < 16; ++i) result.lanes[i] = function(a.lanes[i], b.lanes[i]);
  return result;
}

Floats operator+(const Floats& a, const Floats& b) {
  return each(a, b, [](float x, float y) { return x + y; });
}
Floats operator-(const Floats& a, const Floats& b) {
  return each(a, b, [](float x, float y) { return x - y; });
}
Floats operator*(const Floats& a, const Floats& b) {
  return each(a, b, [](float x, float y) { return x * y; });
}
Floats operator/(const Floats& a, const Floats& b) {
  return each(a, b, [](float x, float y) { return x / y; });
}

using Mask = std::uint16_t;

Floats load_floats(const float* from) {
  Floats result;
  std::memcpy(result.lanes.data(), from, sizeof result.lanes);
  return result;
}
void store_lanes(float* to, const Floats& value) { std::memcpy(to, value.lanes.data(), sizeof value.lanes); }
Floats all_of(float value) {
  Floats result;
  result.lanes.fill(value);
  return result;
}
Floats multiply_add(const Floats& a, const Floats& b, const Floats& c) {
  Floats result;
  for (std::size_t i = 0; i < 16; ++i) result.lanes[i] = std::fma(a.lanes[i], b.lanes[i], c.lanes[i]);
  return result;
}
Floats where(Mask mask, const Floats& yes, const Floats& no) {
  Floats result;
  for (std::size_t i = 0; i < 16; ++i) result.lanes[i] = ((mask >> i) & 1) != 0 ? yes.lanes[i] : no.lanes[i];
  return result;
}
Floats roots(Mask mask, const Floats& x) {
  return where(mask, each(x, x, [](float a, float) { return std::sqrt(a); }), Floats{});
}
Floats maxima(Mask mask, const Floats& x, const Floats& y) {
  return where(mask, each(x, y, [](float a, float b) { return a > b ? a : b; }), Floats{});
}
Floats minima(Mask mask, const Floats& x, const Floats& y) {
  return where(mask, each(x, y, [](float a, float b) { return a < b ? a : b; }), Floats{});
}
Floats sizes(const Floats& x) {
  return each(x, x, [](float a, float) { return std::fabs(a); });
}
Mask compared(const Floats& x, const Floats& y, int how) {
  Mask mask = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    const float a = x.lanes[i], b = y.lanes[i];
    const bool holds = how == _CMP_GE_OQ ? a >= b : how == _CMP_LE_OQ ? a <= b : how == _CMP_LT_OQ && a < b;
    if (holds) mask = static_cast<Mask>(mask | (1u << i));
  }
  return mask;
}

Bits512 byte_sums(const Bits512& a, const Bits512& b) {
  Bits512 result;
  for (std::size_t i = 0; i < 64; ++i) result.bytes[i] = static_cast<std::int8_t>(a.bytes[i] + b.bytes[i]);
  return result;
}
Bits512 load_bits(const void* from) {
  Bits512 result;
  std::memcpy(result.bytes.data(), from, sizeof result.bytes);
  return result;
}
void store_bits(void* to, const Bits512& value) { std::memcpy(to, value.bytes.data(), sizeof value.bytes); }

struct Integers {
  std::array<std::int32_t, 16> lanes{};
};
Integers widened(Mask, __m128i bytes) {
  std::array<std::int8_t, 16> narrow{};
  std::memcpy(narrow.data(), &bytes, sizeof narrow);
  Integers result;
  for (std::size_t i = 0; i < 16; ++i) result.lanes[i] = narrow[i];
  return result;
}
Floats converted(Mask, const Integers& values) {
  Floats result;
  for (std::size_t i = 0; i < 16; ++i) result.lanes[i] = static_cast<float>(values.lanes[i]);
  return result;
}

}  // namespace

#define __m512 Floats
#define __m512i Bits512
#define _mm512_loadu_ps load_floats
#define _mm512_storeu_ps store_lanes
#define _mm512_set1_ps all_of
#define _mm512_setzero_ps Floats
#define _mm512_fmadd_ps multiply_add
#define _mm512_maskz_sqrt_ps roots
#define _mm512_maskz_max_ps maxima
#define _mm512_maskz_min_ps minima
#define _mm512_abs_ps sizes
#undef _mm512_cmp_ps_mask
#define _mm512_cmp_ps_mask compared
#define _mm512_maskz_mov_ps(mask, x) where(mask, x, Floats{})
#define _mm512_mask_mov_ps(no, mask, yes) where(mask, yes, no)
#define _mm512_setzero_si512 Bits512
#define _mm512_add_epi8 byte_sums
#define _mm512_loadu_si512 load_bits
#define _mm512_store_si512 store_bits
#define _mm512_maskz_cvtepi8_epi32 widened
#define _mm512_maskz_cvtepi32_ps converted

// The loops of the program, under another name and for any processor.
#undef BNNPLAN_AVX512
#define BNNPLAN_AVX512
#define avx512_train_kernels emulated_avx512_train_kernels
#include "bnnplan/learn/train_kernels_avx512.cpp"
#endif
