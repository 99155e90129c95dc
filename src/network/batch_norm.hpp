#pragma once

#include <cstdint>

namespace bnnplan {

// Batch normalisation as trained:  x = (D - mean) * gamma / sqrt(variance + epsilon) + beta,  output 1 iff
// x >= 0.
struct BatchNorm {
  double mean = 0;
  double variance = 1;
  double epsilon = 0;
  double gamma = 1;
  double beta = 0;

  friend bool operator==(const BatchNorm&, const BatchNorm&) = default;
};

// What a neuron with `fan_in` inputs of weight -1 or +1 computes, as one integer comparison:
// 1 iff (agreeing inputs) >= threshold, or, if `negated`, iff (disagreeing inputs) >= threshold.
// The threshold is in 0 .. fan_in + 1; 0 means constant 1, fan_in + 1 means constant 0.
struct FoldedThreshold {
  bool negated = false;
  std::int32_t threshold = 0;

  friend bool operator==(const FoldedThreshold&, const FoldedThreshold&) = default;
};

// Why these parameters are invalid (a NaN, an infinity, variance + epsilon <= 0); null if they are valid.
const char* batch_norm_fault(const BatchNorm& norm);

// Exact for all finite double-precision parameters. Requires batch_norm_fault(norm) == nullptr, fan_in >= 0.
FoldedThreshold fold(const BatchNorm& norm, std::int32_t fan_in);

}  // namespace bnnplan
