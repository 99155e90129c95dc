// Bit-sliced inference for AVX2, 256 lanes at a time.
#include "bnnplan/network/sliced_layer.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace bnnplan {

namespace {

#define SLICES __attribute__((target("avx2")))
using Slice = __m256i;
constexpr std::size_t kSliceWords = 4;

SLICES inline Slice load(const std::uint64_t* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}
SLICES inline void store(std::uint64_t* to, Slice value) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(to), value);
}
SLICES inline Slice flipped(Slice a) { return _mm256_xor_si256(a, _mm256_set1_epi64x(-1)); }
SLICES inline Slice both(Slice a, Slice b) { return _mm256_and_si256(a, b); }
SLICES inline Slice differ(Slice a, Slice b) { return _mm256_xor_si256(a, b); }
SLICES inline Slice sum_of_three(Slice a, Slice b, Slice c) { return differ(differ(a, b), c); }
SLICES inline Slice majority(Slice a, Slice b, Slice c) {
  return differ(both(differ(a, b), differ(a, c)), a);
}
SLICES inline bool any(Slice a) { return _mm256_testz_si256(a, a) == 0; }

#include "bnnplan/network/sliced_sums.hpp"

}  // namespace

const SlicedKernels kAvx2Slices{"AVX2", add_triples, neurons, match};

}  // namespace bnnplan
#endif
