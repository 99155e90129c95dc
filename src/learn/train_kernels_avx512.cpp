// The inner loops of training for AVX-512 (F, and BW for bytes): 16 floats, or 64 bytes.
#include "bnnplan/learn/train_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define BNNPLAN_LANES BNNPLAN_AVX512

namespace bnnplan::learning {

namespace {

using Lanes = __m512;
using Bytes = __m512i;
constexpr std::size_t width = 16, byte_width = 64;
// 24 sums, two columns and one factor leave five of 32 registers.
constexpr int tile_rows = 12;
// GCC 12 warns about its own header if an instruction has no mask.
constexpr __mmask16 all = 0xffff;

BNNPLAN_LANES inline Lanes load(const float* from) { return _mm512_loadu_ps(from); }
BNNPLAN_LANES inline void store(float* to, Lanes values) { _mm512_storeu_ps(to, values); }
BNNPLAN_LANES inline Lanes spread(float value) { return _mm512_set1_ps(value); }
BNNPLAN_LANES inline Lanes fused(Lanes a, Lanes b, Lanes c) { return _mm512_fmadd_ps(a, b, c); }
BNNPLAN_LANES inline Lanes root(Lanes x) { return _mm512_maskz_sqrt_ps(all, x); }
BNNPLAN_LANES inline Lanes larger(Lanes x, Lanes y) { return _mm512_maskz_max_ps(all, x, y); }
BNNPLAN_LANES inline Lanes smaller(Lanes x, Lanes y) { return _mm512_maskz_min_ps(all, x, y); }

BNNPLAN_LANES inline Lanes at_least(Lanes x, Lanes least, Lanes y) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, least, _CMP_GE_OQ), y);
}

BNNPLAN_LANES inline Lanes within_one(Lanes x, Lanes y) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(_mm512_abs_ps(x), _mm512_set1_ps(1.0f), _CMP_LE_OQ), y);
}

BNNPLAN_LANES inline Lanes plus_or_minus(Lanes x) {
  const __mmask16 below = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
  return _mm512_mask_mov_ps(_mm512_set1_ps(1.0f), below, _mm512_set1_ps(-1.0f));
}

BNNPLAN_LANES inline void sign_patterns(Lanes x, std::uint8_t* to) {
  const unsigned signs = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GE_OQ);
  for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>((signs >> (4 * i)) & 15u);
}

BNNPLAN_LANES inline Bytes no_bytes() { return _mm512_setzero_si512(); }
BNNPLAN_LANES inline Bytes add_bytes(Bytes a, Bytes b) { return _mm512_add_epi8(a, b); }
BNNPLAN_LANES inline Bytes load_bytes(const std::int8_t* from) { return _mm512_loadu_si512(from); }

BNNPLAN_LANES inline void store_floats(float* to, Bytes sums, bool add) {
  alignas(64) std::int8_t bytes[byte_width];
  _mm512_store_si512(bytes, sums);
  for (std::size_t i = 0; i < byte_width; i += width) {
    const __m128i part = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const Lanes values = _mm512_maskz_cvtepi32_ps(all, _mm512_maskz_cvtepi8_epi32(all, part));
    store(to + i, add ? load(to + i) + values : values);
  }
}

}  // namespace

}  // namespace bnnplan::learning

#include "bnnplan/learn/train_loops.hpp"

namespace bnnplan::learning {

const TrainKernels avx512_train_kernels = kernels_named("avx512");

}  // namespace bnnplan::learning

#endif
