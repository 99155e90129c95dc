// The inner loops of training for AVX2 with FMA: eight floats, or 32 bytes.
#include "bnnplan/learn/train_kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#define BNNPLAN_LANES BNNPLAN_AVX2

namespace bnnplan::learning {

namespace {

using Lanes = __m256;
using Bytes = __m256i;
constexpr std::size_t width = 8, byte_width = 32;
// Twelve sums, two columns and one factor leave one of 16 registers.
constexpr int tile_rows = 6;

BNNPLAN_LANES inline Lanes load(const float* from) { return _mm256_loadu_ps(from); }
BNNPLAN_LANES inline void store(float* to, Lanes values) { _mm256_storeu_ps(to, values); }
BNNPLAN_LANES inline Lanes spread(float value) { return _mm256_set1_ps(value); }
BNNPLAN_LANES inline Lanes fused(Lanes a, Lanes b, Lanes c) { return _mm256_fmadd_ps(a, b, c); }
BNNPLAN_LANES inline Lanes root(Lanes x) { return _mm256_sqrt_ps(x); }
BNNPLAN_LANES inline Lanes larger(Lanes x, Lanes y) { return _mm256_max_ps(x, y); }
BNNPLAN_LANES inline Lanes smaller(Lanes x, Lanes y) { return _mm256_min_ps(x, y); }

BNNPLAN_LANES inline Lanes at_least(Lanes x, Lanes least, Lanes y) {
  return _mm256_and_ps(_mm256_cmp_ps(x, least, _CMP_GE_OQ), y);
}

BNNPLAN_LANES inline Lanes within_one(Lanes x, Lanes y) {
  const Lanes size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  return _mm256_and_ps(_mm256_cmp_ps(size, _mm256_set1_ps(1.0f), _CMP_LE_OQ), y);
}

BNNPLAN_LANES inline Lanes plus_or_minus(Lanes x) {
  const Lanes below = _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ);
  return _mm256_blendv_ps(_mm256_set1_ps(1.0f), _mm256_set1_ps(-1.0f), below);
}

BNNPLAN_LANES inline void sign_patterns(Lanes x, std::uint8_t* to) {
  const int signs = _mm256_movemask_ps(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GE_OQ));
  to[0] = static_cast<std::uint8_t>(signs & 15);
  to[1] = static_cast<std::uint8_t>(signs >> 4);
}

BNNPLAN_LANES inline Bytes no_bytes() { return _mm256_setzero_si256(); }
BNNPLAN_LANES inline Bytes add_bytes(Bytes a, Bytes b) { return _mm256_add_epi8(a, b); }
BNNPLAN_LANES inline Bytes load_bytes(const std::int8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

BNNPLAN_LANES inline void store_eight(float* to, __m128i bytes, bool add) {
  const Lanes values = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
  store(to, add ? load(to) + values : values);
}

BNNPLAN_LANES inline void store_floats(float* to, Bytes sums, bool add) {
  const __m128i low = _mm256_castsi256_si128(sums), high = _mm256_extracti128_si256(sums, 1);
  store_eight(to, low, add);
  store_eight(to + 8, _mm_srli_si128(low, 8), add);
  store_eight(to + 16, high, add);
  store_eight(to + 24, _mm_srli_si128(high, 8), add);
}

}  // namespace

}  // namespace bnnplan::learning

#include "bnnplan/learn/train_loops.hpp"

namespace bnnplan::learning {

const TrainKernels avx2_train_kernels = kernels_named("avx2");

}  // namespace bnnplan::learning

#endif
