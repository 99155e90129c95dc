// The inner loops of training. Not a header in the usual sense: train_kernels_*.cpp include it, each after
// defining its registers:
//
//   BNNPLAN_LANES             attributes of functions: the instruction set, and inlining of small ones
//   Lanes, width              a register of floats
//   load, store, spread       unaligned; spread(x) has x in all lanes
//   fused(a, b, c)            a * b + c where a * b is exact, so that rounding once or twice is the same
//   root, larger, smaller     sqrt, max, min
//   at_least(x, least, y)     y where x >= least, 0 elsewhere
//   within_one(x, y)          y where |x| <= 1, 0 elsewhere
//   plus_or_minus(x)          +1 where x >= 0, -1 elsewhere
//   sign_patterns(x, to)      the signs (x >= 0) as patterns of four, one byte each
//   Bytes, byte_width         a register of signed bytes: load_bytes, add_bytes, and store_floats, which adds
//                             it to wider sums
//
// Every sum goes through samples or neurons in order, one lane each, so that neither the width of a register
// nor the number of registers in use affects the result; the files are compiled without contracting products
// and sums (CMakeLists.txt). Hence the same network on every machine.
//
// Where the time goes: 2/3 of the multiplications of training are real numbers times signs, the two products
// of the backward pass. A tile of `tile_rows` rows and two registers stays in registers for the whole depth.
// The forward pass multiplies signs by signs, which takes bytes and no multiplication: 4 inputs have 16
// patterns, whose sums are in a table that is built once per update, so that one addition of a register does
// 128 to 256 products.

namespace bnnplan::learning {

namespace {

template <int rows, int registers>
BNNPLAN_LANES void multiply_tile(const float* a, std::size_t a_row, std::size_t a_step, const float* b,
                                 std::size_t b_stride, std::size_t depth, float* out,
                                 std::size_t out_stride) {
  Lanes sums[rows][registers];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < registers; ++j) sums[i][j] = spread(0.0f);
  }
  for (std::size_t t = 0; t < depth; ++t) {
    Lanes right[registers];
#pragma GCC unroll 4
    for (int j = 0; j < registers; ++j)
      right[j] = load(b + t * b_stride + static_cast<std::size_t>(j) * width);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const Lanes left = spread(a[static_cast<std::size_t>(i) * a_row + t * a_step]);
#pragma GCC unroll 4
      for (int j = 0; j < registers; ++j) sums[i][j] = fused(left, right[j], sums[i][j]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < registers; ++j)
      store(out + static_cast<std::size_t>(i) * out_stride + static_cast<std::size_t>(j) * width, sums[i][j]);
  }
}

// All rows of some columns, in tiles of the largest size that fits.
template <int registers, int rows>
BNNPLAN_LANES void multiply_columns(const float* a, std::size_t a_row, std::size_t a_step, const float* b,
                                    std::size_t b_stride, std::size_t depth, float* out,
                                    std::size_t out_stride, std::size_t left) {
  while (left >= rows) {
    multiply_tile<rows, registers>(a, a_row, a_step, b, b_stride, depth, out, out_stride);
    a += rows * a_row;
    out += rows * out_stride;
    left -= rows;
  }
  if constexpr (rows > 1) {
    if (left > 0)
      multiply_columns<registers, rows / 2>(a, a_row, a_step, b, b_stride, depth, out, out_stride, left);
  }
}

BNNPLAN_LANES void multiply(const float* a, std::size_t a_row, std::size_t a_step, const float* b,
                            std::size_t b_stride, std::size_t depth, float* out, std::size_t out_stride,
                            std::size_t rows, std::size_t lanes) {
  std::size_t j = 0;
  for (; j + 2 * width <= lanes; j += 2 * width)
    multiply_columns<2, tile_rows>(a, a_row, a_step, b + j, b_stride, depth, out + j, out_stride, rows);
  for (; j < lanes; j += width)
    multiply_columns<1, tile_rows>(a, a_row, a_step, b + j, b_stride, depth, out + j, out_stride, rows);
}

// A byte can hold the sums of 31 blocks; beyond that, they are added up in `out`.
constexpr std::size_t most_blocks_in_a_byte = 31;

// Several samples at a time: their additions are independent.
template <int samples>
BNNPLAN_LANES void add_up_chunk(const std::int8_t* table, std::size_t blocks, const std::uint8_t* patterns,
                                std::size_t pattern_stride, float* out, std::size_t out_stride) {
  constexpr int registers = static_cast<int>(sum_chunk / byte_width);
  for (std::size_t first = 0; first < blocks; first += most_blocks_in_a_byte) {
    const std::size_t end = first + most_blocks_in_a_byte < blocks ? first + most_blocks_in_a_byte : blocks;
    Bytes sums[samples][registers];
#pragma GCC unroll 4
    for (int i = 0; i < samples; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < registers; ++j) sums[i][j] = no_bytes();
    }
    for (std::size_t block = first; block < end; ++block) {
#pragma GCC unroll 4
      for (int i = 0; i < samples; ++i) {
        const std::int8_t* row = table + block * sum_block_bytes +
                                 sum_chunk * patterns[static_cast<std::size_t>(i) * pattern_stride + block];
#pragma GCC unroll 4
        for (int j = 0; j < registers; ++j)
          sums[i][j] = add_bytes(sums[i][j], load_bytes(row + static_cast<std::size_t>(j) * byte_width));
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < samples; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < registers; ++j)
        store_floats(
            out + static_cast<std::size_t>(i) * out_stride + static_cast<std::size_t>(j) * byte_width,
            sums[i][j], first > 0);
    }
  }
}

BNNPLAN_LANES void add_up(const std::int8_t* table, std::size_t blocks, const std::uint8_t* patterns,
                          std::size_t pattern_stride, std::size_t samples, float* out, std::size_t out_stride,
                          std::size_t lanes) {
  constexpr int together = 2;
  for (std::size_t j = 0; j < lanes; j += sum_chunk, table += blocks * sum_block_bytes) {
    const bool whole = lanes - j >= sum_chunk;
    std::size_t i = 0;
    for (; whole && i + together <= samples; i += together)
      add_up_chunk<together>(table, blocks, patterns + i * pattern_stride, pattern_stride,
                             out + i * out_stride + j, out_stride);
    for (; i < samples; ++i) {
      float* to = out + i * out_stride + j;
      if (whole) {
        add_up_chunk<1>(table, blocks, patterns + i * pattern_stride, pattern_stride, to, out_stride);
        continue;
      }
      // Part of a chunk: the memory beyond it is not ours.
      float sums[sum_chunk];
      add_up_chunk<1>(table, blocks, patterns + i * pattern_stride, pattern_stride, sums, sum_chunk);
      for (std::size_t n = 0; n < lanes - j; n += width) store(to + n, load(sums + n));
    }
  }
}

BNNPLAN_LANES void normalise(const NormalisedLayer& layer, float* signs, std::size_t signs_stride,
                             std::uint8_t* patterns, std::size_t pattern_stride) {
  constexpr std::size_t registers = 16 / width > 4 ? 4 : 16 / width;
  for (std::size_t j = 0; j < layer.lanes; j += registers * width) {
    Lanes mean[registers], variance[registers], factor[registers], gamma[registers], beta[registers];
    for (std::size_t r = 0; r < registers; ++r) mean[r] = variance[r] = spread(0.0f);
    float* column = layer.values + j;
    for (std::size_t i = 0; i < layer.samples; ++i) {
      const Lanes share = spread(layer.shares[i]);
      for (std::size_t r = 0; r < registers; ++r)
        mean[r] = mean[r] + share * load(column + i * layer.stride + r * width);
    }
    for (std::size_t i = 0; i < layer.samples; ++i) {
      const Lanes share = spread(layer.shares[i]);
      for (std::size_t r = 0; r < registers; ++r) {
        const Lanes away = load(column + i * layer.stride + r * width) - mean[r];
        variance[r] = variance[r] + share * (away * away);
      }
    }
    for (std::size_t r = 0; r < registers; ++r) {
      const Lanes deviation = root(variance[r] + spread(norm_epsilon));
      store(layer.deviation + j + r * width, deviation);
      factor[r] = spread(1.0f) / deviation;
      gamma[r] = load(layer.gamma + j + r * width);
      beta[r] = load(layer.beta + j + r * width);
    }
    for (std::size_t i = 0; i < layer.samples; ++i) {
      for (std::size_t r = 0; r < registers; ++r) {
        float* at = column + i * layer.stride + r * width;
        const Lanes value = (load(at) - mean[r]) * factor[r];
        store(at, value);
        if (signs == nullptr) continue;
        const Lanes output = value * gamma[r] + beta[r];
        store(signs + i * signs_stride + j + r * width, plus_or_minus(output));
        sign_patterns(output, patterns + i * pattern_stride + (j + r * width) / sum_block_inputs);
      }
    }
  }
}

BNNPLAN_LANES void take_signs(const float* sums, std::size_t stride, std::size_t samples, std::size_t lanes,
                              const float* scale, const float* offset, std::uint8_t* patterns,
                              std::size_t pattern_stride) {
  for (std::size_t i = 0; i < samples; ++i) {
    for (std::size_t j = 0; j < lanes; j += width)
      sign_patterns(load(sums + i * stride + j) * load(scale + j) + load(offset + j),
                    patterns + i * pattern_stride + j / sum_block_inputs);
  }
}

BNNPLAN_LANES void go_back(const NormalisedLayer& layer, const float* targets, float* slope,
                           std::size_t slope_stride, float* gamma_gradient, float* beta_gradient,
                           float* loss) {
  constexpr std::size_t registers = 16 / width > 4 ? 4 : 16 / width;
  const Lanes one = spread(1.0f), none = spread(0.0f), minus_two = spread(-2.0f);
  for (std::size_t j = 0; j < layer.lanes; j += registers * width) {
    Lanes gamma[registers], beta[registers], to_gamma[registers], to_beta[registers], losses[registers];
    for (std::size_t r = 0; r < registers; ++r) {
      gamma[r] = load(layer.gamma + j + r * width);
      beta[r] = load(layer.beta + j + r * width);
      to_gamma[r] = to_beta[r] = losses[r] = none;
    }
    for (std::size_t i = 0; i < layer.samples; ++i) {
      const Lanes count = spread(layer.counts[i]);
      for (std::size_t r = 0; r < registers; ++r) {
        const std::size_t at = j + r * width;
        const Lanes value = load(layer.values + i * layer.stride + at);
        const Lanes output = value * gamma[r] + beta[r];
        Lanes here;
        if (targets != nullptr) {
          const Lanes target = load(targets + i * slope_stride + at);
          const Lanes margin = larger(one - target * output, none);
          losses[r] = losses[r] + count * (margin * margin);
          here = margin * (minus_two * target) * count;
        } else {
          here = within_one(output, load(slope + i * slope_stride + at));
        }
        to_gamma[r] = to_gamma[r] + here * value;
        to_beta[r] = to_beta[r] + here;
        store(slope + i * slope_stride + at, here);
      }
    }
    Lanes factor[registers];
    for (std::size_t r = 0; r < registers; ++r) {
      const std::size_t at = j + r * width;
      store(gamma_gradient + at, to_gamma[r]);
      store(beta_gradient + at, to_beta[r]);
      if (targets != nullptr) store(loss + at, losses[r]);
      factor[r] = gamma[r] / load(layer.deviation + at);
    }
    // Through the normalisation, where every sample contributes to mean and variance: d sum = gamma /
    // deviation * (d output - share * (sum of d output) - share * value * (sum of d output * value)).
    for (std::size_t i = 0; i < layer.samples; ++i) {
      const Lanes share = spread(layer.shares[i]);
      for (std::size_t r = 0; r < registers; ++r) {
        float* at = slope + i * slope_stride + j + r * width;
        const Lanes value = load(layer.values + i * layer.stride + j + r * width);
        store(at, (load(at) - share * (to_beta[r] + value * to_gamma[r])) * factor[r]);
      }
    }
  }
}

BNNPLAN_LANES void step(std::size_t size, float* values, float* mean, float* square,
                        const float* const* parts, std::size_t part_count, const AdamRates& rates) {
  const Lanes keep_mean = spread(adam_mean_decay), keep_square = spread(adam_square_decay),
              new_mean = spread(1 - adam_mean_decay), new_square = spread(1 - adam_square_decay),
              rate = spread(rates.step), correction = spread(rates.square), epsilon = spread(adam_epsilon);
  for (std::size_t i = 0; i < size; i += width) {
    Lanes gradient = load(parts[0] + i);
    for (std::size_t part = 1; part < part_count; ++part) gradient = gradient + load(parts[part] + i);
    const Lanes m = keep_mean * load(mean + i) + new_mean * gradient;
    const Lanes s = keep_square * load(square + i) + new_square * (gradient * gradient);
    store(mean + i, m);
    store(square + i, s);
    store(values + i, load(values + i) - rate * m / (root(s * correction) + epsilon));
  }
}

BNNPLAN_LANES void clip(std::size_t size, float* weights, const float* kept, float dead_zone, float* signs) {
  const Lanes one = spread(1.0f), minus_one = spread(-1.0f), zone = spread(dead_zone);
  for (std::size_t i = 0; i < size; i += width) {
    const Lanes weight = smaller(larger(load(weights + i), minus_one), one);
    store(weights + i, weight);
    store(signs + i,
          at_least(larger(weight, spread(0.0f) - weight), zone, plus_or_minus(weight) * load(kept + i)));
  }
}

BNNPLAN_LANES void moments(const float* values, std::size_t stride, const float* counts, std::size_t samples,
                           std::size_t lanes, double* sums, double* squares) {
  for (std::size_t i = 0; i < samples; ++i) {
    const double count = static_cast<double>(counts[i]);
    const float* row = values + i * stride;
    for (std::size_t j = 0; j < lanes; ++j) {
      const double value = static_cast<double>(row[j]);
      sums[j] += count * value;
      squares[j] += count * (value * value);
    }
  }
}

constexpr TrainKernels kernels_named(const char* name) {
  return {name, multiply, add_up, normalise, take_signs, go_back, step, clip, moments};
}

}  // namespace

}  // namespace bnnplan::learning
