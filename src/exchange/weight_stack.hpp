#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exchange/import_options.hpp"
#include "exchange/tensor.hpp"

namespace bnnplan {

// Layers as NumPy and PyTorch files have them: arrays in the order of the network, without what is computed with them
// being said. It is understood as
//
//   numbers -> [normalisation -> sign] -> (weights, bias, normalisation, sign) ... -> weights, bias -> scores
struct NormArrays {
  std::string place;  // for messages: what the file calls it
  Tensor mean, variance;
  std::optional<Tensor> gamma, beta;
  std::optional<mpq_class> epsilon;  // where the file has it
};

struct LinearArrays {
  std::string place;
  Tensor weight;  // outputs x inputs
  std::optional<Tensor> bias;
  std::optional<NormArrays> norm;
  // Instead of bias and norm: how many inputs have to agree with their weights.
  std::optional<Tensor> threshold;
  // Of scores, instead of a norm: score = scale * D + bias.
  std::optional<Tensor> scale;
};

struct WeightStack {
  std::string file;
  std::optional<NormArrays> input_norm;
  std::optional<Tensor> input_threshold;  // the bit of an input is (input >= threshold)
  std::optional<Tensor> low, high, step;  // of the inputs: one number for all, or one each
  std::vector<LinearArrays> layers;
  std::optional<bool> scores;  // where the file says what the last layer is
  std::optional<ClassTie> class_tie;
  std::vector<std::string> input_names, output_names;  // empty: x0, x1, ... and 0, 1, ...
  std::vector<std::string> record;                     // Network::record, where the file has it
};

// Throws InputError where shapes do not fit, weights are no -1, 0, +1 (and not latent), numbers are none, or a fact is
// missing that an option has to give.
ImportedNetwork imported_network(const WeightStack& stack, const ImportOptions& options);

}  // namespace bnnplan
