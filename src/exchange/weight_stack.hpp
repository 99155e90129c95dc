#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/exchange/tensor.hpp"

namespace bnnplan::exchange {

// Layers as stored in NumPy and PyTorch files: arrays in the order of the network, without stating what is
// computed with them. They are interpreted as
//
//   numbers -> [normalisation -> sign] -> (weights, bias, normalisation, sign) ... -> weights, bias -> scores
struct NormArrays {
  std::string place;  // for messages: its name in the file
  Tensor mean, variance;
  std::optional<Tensor> gamma, beta;
  std::optional<mpq_class> epsilon;  // if the file has it
};

struct LinearArrays {
  std::string place;
  Tensor weight;  // outputs x inputs
  std::optional<Tensor> bias;
  std::optional<NormArrays> norm;
  // Instead of bias and norm: the number of inputs that have to agree with their weights.
  std::optional<Tensor> threshold;
  // For scores, instead of a norm: score = scale * D + bias.
  std::optional<Tensor> scale;
};

struct WeightStack {
  std::string file;
  std::optional<NormArrays> input_norm;
  std::optional<Tensor> input_threshold;  // the bit of an input is (input >= threshold)
  std::optional<Tensor> low, high, step;  // of the inputs: one number for all, or one each
  std::vector<LinearArrays> layers;
  std::optional<bool> scores;  // if the file says what the last layer is
  std::optional<ClassTie> class_tie;
  std::vector<std::string> input_names, output_names;  // empty: x0, x1, ... and 0, 1, ...
  std::vector<std::string> record;                     // Network::record, if the file has it
};

// Throws InputError if shapes do not fit, weights are not -1, 0, +1 (and not latent), numbers are not finite,
// or a fact is missing that an option has to supply.
ImportedNetwork imported_network(const WeightStack& stack, const ImportOptions& options);

}  // namespace bnnplan::exchange
