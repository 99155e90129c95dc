#pragma once

#include <cstdint>

#include <gmpxx.h>

#include "bnnplan/network/batch_norm.hpp"

namespace bnnplan {

// The map applied to a number D before it is compared with zero or becomes a score:
//
//   value = (scale * D + shift) / sqrt(variance) + beta                       variance > 0
//
// Any chain of affine maps and batch normalisations has this form, as long as no two different roots meet.
struct Normalisation {
  mpq_class scale = 1;
  mpq_class shift = 0;
  mpq_class variance = 1;
  mpq_class beta = 0;

  friend bool operator==(const Normalisation&, const Normalisation&) = default;
};

// The same map without the root, if the root is rational: variance is then 1 and beta 0.
Normalisation without_rational_root(Normalisation norm);

// -1, 0 or +1: the sign of the value at D, exactly.
int sign_at(const Normalisation& norm, const mpq_class& d);

// The output of a neuron whose value is exactly 0: 1 (value >= 0), 0 (value > 0), or neither (Sign, which is
// 0 at 0): folding then proves that no input reaches 0, or refuses.
enum class ZeroGives { one, zero, neither };

// A neuron with `fan_in` inputs, D = agreeing - disagreeing, as one integer comparison. Requires variance >
// 0, fan_in >= 0 and at_zero != neither.
FoldedThreshold fold(const Normalisation& norm, std::int32_t fan_in, ZeroGives at_zero);

}  // namespace bnnplan
