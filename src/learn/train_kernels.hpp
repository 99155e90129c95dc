#pragma once

#include <cstddef>
#include <cstdint>

#include "bnnplan/base/processor.hpp"

namespace bnnplan::learning {

// The inner loops of training, one set per instruction set. Their results are bit-identical: every sum has
// one order, which does not depend on the number of lanes of a register, and rounding is the same everywhere
// (train_loops.hpp).
//
// Matrices are rows of floats (lane_matrix.hpp): samples by neurons, or neurons by inputs. `lanes` is a
// multiple of 16.

// The sums of a layer by tables: a block is 4 inputs, a chunk 64 neurons. A row of a table has, for each
// neuron, the sum over its block for one pattern of the inputs.
inline constexpr std::size_t sum_block_inputs = 4, sum_chunk = 64;
inline constexpr std::size_t sum_block_bytes = (std::size_t{1} << sum_block_inputs) * sum_chunk;

// Added to the variance, in training and in folding.
inline constexpr float norm_epsilon = 1e-4f;

// Parameters of Adam (adam.cpp).
inline constexpr float adam_mean_decay = 0.9f, adam_square_decay = 0.999f, adam_epsilon = 1e-8f;

// The values of a layer for a group of samples.
struct NormalisedLayer {
  std::size_t samples, lanes, stride;
  float* values;        // [sample][neuron]: sums, then normalised
  const float* shares;  // [sample]: its part of the group
  const float* counts;  // [sample]
  const float *gamma, *beta;
  float* deviation;  // [neuron]
};

struct AdamRates {
  float step, square;  // the rate and the correction of the squares at this step
};

struct TrainKernels {
  const char* name;

  // out[i][j] = sum over t < depth, in this order, of a[i * a_row + t * a_step] * b[t][j], for j < lanes. One
  // of the factors is -1, 0 or +1, so products are exact.
  void (*multiply)(const float* a, std::size_t a_row, std::size_t a_step, const float* b,
                   std::size_t b_stride, std::size_t depth, float* out, std::size_t out_stride,
                   std::size_t rows, std::size_t lanes);

  // out[sample][neuron] = the sum over the layer's inputs. patterns[sample][block]: which inputs are +1. The
  // table is [chunk][block][pattern][64].
  void (*add_up)(const std::int8_t* table, std::size_t blocks, const std::uint8_t* patterns,
                 std::size_t pattern_stride, std::size_t samples, float* out, std::size_t out_stride,
                 std::size_t lanes);

  // Normalises and, unless it is the last layer (signs null), takes the signs, as numbers and as patterns.
  void (*normalise)(const NormalisedLayer& layer, float* signs, std::size_t signs_stride,
                    std::uint8_t* patterns, std::size_t pattern_stride);

  // The signs of sum * scale + offset as patterns.
  void (*take_signs)(const float* sums, std::size_t stride, std::size_t samples, std::size_t lanes,
                     const float* scale, const float* offset, std::uint8_t* patterns,
                     std::size_t pattern_stride);

  // From d loss / d outputs to d loss / d sums, in place, and the gradients of gamma and beta. For a hidden
  // layer the slope is that of its signs, and is 0 where |output| > 1. For the last layer (targets not null;
  // with the stride of the slope) it is computed from the squared hinge, whose sum for each neuron is
  // returned in `loss`.
  void (*go_back)(const NormalisedLayer& layer, const float* targets, float* slope, std::size_t slope_stride,
                  float* gamma_gradient, float* beta_gradient, float* loss);

  // One step of Adam over `size` values; the gradient is the sum of `parts`, in order.
  void (*step)(std::size_t size, float* values, float* mean, float* square, const float* const* parts,
               std::size_t part_count, const AdamRates& rates);

  // Clips latent weights to -1 .. 1 and takes their signs: 0 in the dead zone and where `kept` is 0.
  void (*clip)(std::size_t size, float* weights, const float* kept, float dead_zone, float* signs);

  // Adds count * value and count * value^2 over the samples, for each neuron.
  void (*moments)(const float* values, std::size_t stride, const float* counts, std::size_t samples,
                  std::size_t lanes, double* sums, double* squares);
};

extern const TrainKernels portable_train_kernels;
#if defined(__x86_64__)
extern const TrainKernels avx2_train_kernels;
extern const TrainKernels avx512_train_kernels;
#endif

inline const TrainKernels& train_kernels(InstructionSet set = best_instruction_set()) {
#if defined(__x86_64__)
  return select(set, portable_train_kernels, avx2_train_kernels, avx512_train_kernels);
#else
  return select(set, portable_train_kernels);
#endif
}

}  // namespace bnnplan::learning
