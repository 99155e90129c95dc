// Bit-sliced inference on plain words, 64 lanes at a time, for any processor.
#include "bnnplan/network/sliced_layer.hpp"

namespace bnnplan {

namespace {

#define SLICES
using Slice = std::uint64_t;
constexpr std::size_t kSliceWords = 1;

inline Slice load(const std::uint64_t* from) { return *from; }
inline void store(std::uint64_t* to, Slice value) { *to = value; }
inline Slice flipped(Slice a) { return ~a; }
inline Slice both(Slice a, Slice b) { return a & b; }
inline Slice differ(Slice a, Slice b) { return a ^ b; }
inline Slice sum_of_three(Slice a, Slice b, Slice c) { return a ^ b ^ c; }
inline Slice majority(Slice a, Slice b, Slice c) { return ((a ^ b) & (a ^ c)) ^ a; }
inline bool any(Slice a) { return a != 0; }

#include "bnnplan/network/sliced_sums.hpp"

}  // namespace

const SlicedKernels kPortableSlices{"portable", add_triples, neurons, match};

}  // namespace bnnplan
