#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/exchange/sample_file.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// Runs a network on data, and counts how often it is right if the data has the right answers.

struct EvalOptions {
  std::string label_column;                     // the column of a CSV file with the right class
  std::optional<std::filesystem::path> labels;  // or a file of labels: idx, .npy, or .csv with one column
  std::optional<mpq_class> scale;               // the network gets scale * x for every number x of the data
  bool scores = false;                          // also compute the scores of a classifier
};

struct Evaluation {
  std::size_t samples = 0;
  std::vector<std::uint32_t> classes;  // for a classifier, one per sample
  std::size_t ties = 0;                // samples for which several classes have the best score
  // [sample][class], if EvalOptions::scores: the argument of score_at().
  std::vector<std::int32_t> agreeing;
  std::vector<std::uint8_t> outputs;  // for any other network: [sample][output], 0 or 1

  std::optional<std::size_t> right;        // correct samples, if the data has the right answers
  std::vector<std::size_t> output_errors;  // for output bits, how often each is wrong
};

// Reads the data: one .csv, .npy or idx file, or pictures (.png), one sample each. Throws InputError for data
// that is malformed, does not fit the network, or is out of the range of an input.
Evaluation evaluate_samples(const Network& network, const std::vector<std::filesystem::path>& files,
                            const EvalOptions& options = {});

// The same for data in memory, without labels.
Evaluation evaluate_samples(const Network& network, const Samples& samples, const EvalOptions& options = {},
                            const std::string& name = "");

// The score of a class with `agreeing` agreeing inputs.
mpq_class score_at(const Score& score, std::int32_t agreeing);

// A header and a line per sample: its class, and its scores if requested; or its output bits.
std::string evaluation_csv(const Network& network, const Evaluation& evaluation);

}  // namespace bnnplan::exchange
