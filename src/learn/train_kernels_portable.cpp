// The inner loops of training for any processor: four floats, or 16 bytes, compiled as the compiler sees fit.
#include <cmath>
#include <cstring>

#include "bnnplan/learn/train_kernels.hpp"

#define BNNPLAN_LANES

namespace bnnplan::learning {

namespace {

constexpr std::size_t width = 4, byte_width = 16;
constexpr int tile_rows = 4;
// Not aliases: GCC ignores the attribute there. NOLINTBEGIN(modernize-use-using)
typedef float Lanes __attribute__((vector_size(4 * width)));
typedef std::int32_t Whole __attribute__((vector_size(4 * width)));
typedef std::int8_t Bytes __attribute__((vector_size(byte_width)));
// NOLINTEND(modernize-use-using)

inline Lanes load(const float* from) {
  Lanes values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
inline void store(float* to, Lanes values) { std::memcpy(to, &values, sizeof values); }
inline Lanes spread(float value) { return Lanes{value, value, value, value}; }
inline Lanes fused(Lanes a, Lanes b, Lanes c) { return a * b + c; }
inline Lanes root(Lanes x) {
  for (std::size_t i = 0; i < width; ++i) x[i] = std::sqrt(x[i]);
  return x;
}
inline Lanes larger(Lanes x, Lanes y) { return x > y ? x : y; }
inline Lanes smaller(Lanes x, Lanes y) { return x < y ? x : y; }
inline Lanes at_least(Lanes x, Lanes least, Lanes y) { return x >= least ? y : spread(0.0f); }
inline Lanes within_one(Lanes x, Lanes y) {
  return larger(x, spread(0.0f) - x) <= spread(1.0f) ? y : spread(0.0f);
}
inline Lanes plus_or_minus(Lanes x) { return x < spread(0.0f) ? spread(-1.0f) : spread(1.0f); }
inline void sign_patterns(Lanes x, std::uint8_t* to) {
  const Whole signs = x >= spread(0.0f);
  *to = static_cast<std::uint8_t>((signs[0] & 1) | (signs[1] & 2) | (signs[2] & 4) | (signs[3] & 8));
}

inline Bytes no_bytes() { return Bytes{}; }
inline Bytes add_bytes(Bytes a, Bytes b) { return a + b; }
inline Bytes load_bytes(const std::int8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
inline void store_floats(float* to, Bytes sums, bool add) {
  for (std::size_t i = 0; i < byte_width; ++i) to[i] = (add ? to[i] : 0.0f) + static_cast<float>(sums[i]);
}

}  // namespace

}  // namespace bnnplan::learning

#include "bnnplan/learn/train_loops.hpp"

namespace bnnplan::learning {

const TrainKernels portable_train_kernels = kernels_named("portable");

}  // namespace bnnplan::learning
