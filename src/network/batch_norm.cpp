// Batch normalisation with double-precision parameters, each treated as the rational number it is.
#include "bnnplan/network/batch_norm.hpp"

#include <cmath>

#include "bnnplan/network/normalisation.hpp"

namespace bnnplan {

const char* batch_norm_fault(const BatchNorm& norm) {
  for (const double parameter : {norm.mean, norm.variance, norm.epsilon, norm.gamma, norm.beta}) {
    if (std::isnan(parameter)) return "batch normalisation parameter is not a number";
    if (std::isinf(parameter)) return "batch normalisation parameter is infinite";
  }
  if (mpq_class(norm.variance) + mpq_class(norm.epsilon) <= 0) return "variance + epsilon is not positive";
  return nullptr;
}

FoldedThreshold fold(const BatchNorm& norm, std::int32_t fan_in) {
  const mpq_class gamma(norm.gamma);
  const Normalisation exact{gamma, -gamma * mpq_class(norm.mean),
                            mpq_class(norm.variance) + mpq_class(norm.epsilon), mpq_class(norm.beta)};
  return fold(exact, fan_in, ZeroGives::one);
}

}  // namespace bnnplan
