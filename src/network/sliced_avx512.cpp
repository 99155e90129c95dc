// Bit-sliced inference for AVX-512, a plane at a time. A full adder is two instructions.
#include "bnnplan/network/sliced_layer.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace bnnplan {

namespace {

#define SLICES __attribute__((target("avx512f")))
using Slice = __m512i;
constexpr std::size_t kSliceWords = 8;

SLICES inline Slice load(const std::uint64_t* from) { return _mm512_load_si512(from); }
SLICES inline void store(std::uint64_t* to, Slice value) { _mm512_store_si512(to, value); }
SLICES inline Slice flipped(Slice a) { return _mm512_xor_si512(a, _mm512_set1_epi64(-1)); }
SLICES inline Slice both(Slice a, Slice b) { return _mm512_and_si512(a, b); }
SLICES inline Slice differ(Slice a, Slice b) { return _mm512_xor_si512(a, b); }
SLICES inline Slice sum_of_three(Slice a, Slice b, Slice c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}
SLICES inline Slice majority(Slice a, Slice b, Slice c) { return _mm512_ternarylogic_epi64(a, b, c, 0xe8); }
SLICES inline bool any(Slice a) { return _mm512_test_epi64_mask(a, a) != 0; }

#include "bnnplan/network/sliced_sums.hpp"

}  // namespace

const SlicedKernels kAvx512Slices{"AVX-512", add_triples, neurons, match};

}  // namespace bnnplan
#endif
