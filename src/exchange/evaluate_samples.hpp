#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "exchange/sample_file.hpp"
#include "network/network.hpp"

namespace bnnplan {

// Running a network on data, and how often it is right where the data says what is right.

struct EvalOptions {
  std::string label_column;                     // of a CSV file: the right class
  std::optional<std::filesystem::path> labels;  // or a file of them: idx, .npy, or .csv with one column
  std::optional<mpq_class> scale;  // the network is given scale * x for every number x of the data
  bool scores = false;             // also the scores of a classifier
};

struct Evaluation {
  std::size_t samples = 0;
  std::vector<std::uint32_t> classes;  // of a classifier, one a sample
  std::size_t ties = 0;                // samples for which several classes have the best score
  std::vector<std::int32_t>
      agreeing;  // [sample][class], with EvalOptions::scores: what score_at() makes a score of
  std::vector<std::uint8_t> outputs;  // of any other network: [sample][output], 0 or 1

  std::optional<std::size_t> right;        // samples that are as the data has them, if it does
  std::vector<std::size_t> output_errors;  // and, of output bits, how often each is wrong
};

// Reads the data: one .csv, .npy or idx file, or pictures (.png), one sample each. Throws InputError for what is no such data,
// does not fit the network, or is out of the range of an input.
Evaluation evaluate_samples(const Network& network, const std::vector<std::filesystem::path>& files,
                            const EvalOptions& options = {});

// The same on data in memory, without labels.
Evaluation evaluate_samples(const Network& network, const Samples& samples, const EvalOptions& options = {},
                            const std::string& name = "");

// The score of a class with so many agreeing inputs.
mpq_class score_at(const Score& score, std::int32_t agreeing);

// A line per sample below a header: its class, and its scores if they were asked for; or its output bits.
std::string evaluation_csv(const Network& network, const Evaluation& evaluation);

}  // namespace bnnplan
