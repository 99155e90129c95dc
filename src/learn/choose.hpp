#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "learn/data_set.hpp"
#include "learn/evaluate.hpp"
#include "learn/train.hpp"

namespace bnnplan {

// How a network is made of data.
enum class LearnTechnique {
  any,       // whatever does better on the validation part
  cover,     // conditions that cover the data (cover.hpp)
  gradient,  // straight-through training (train.hpp)
};

// What shall not be chosen is given.
struct ChooseOptions {
  LearnTechnique technique = LearnTechnique::any;
  // Try all ways, those of a first round, make what is right on everything smaller (shrink.hpp) and take the one with the fewest
  // neurons and weights.
  bool smallest = false;
  double validation_share = 0.1;    // of the distinct transitions of the part
  std::vector<std::size_t> hidden;  // widths; empty: chosen. Given ones mean gradients
  std::optional<bool> sparse;       // given: gradients
  std::optional<double> density;    // of sparse networks at the start
  std::optional<int> epochs;        // of each try, and of every run of it
  std::optional<int> restarts;
  std::uint64_t seed = 0;
  std::size_t batch = 256;
  double rate = 0.03;
  unsigned threads = 1;
  std::optional<double> seconds;                   // for everything; the best so far is the result then
  const std::atomic<bool>* interrupt = nullptr;    // likewise
  std::function<void(const struct Tried&)> tried;  // after every try
  std::function<void(const struct Tried&, const EpochRecord&)>
      progress;  // of a try that is trained by gradients
};

// One way that was tried.
struct Tried {
  std::string how;    // "cover, few inputs", "gradient 64,64, density 0.1, 30 epochs"
  std::string shape;  // of its network; "" if it gave none
  Errors train, validation;
  std::uint64_t weights = 0;  // that are not 0
  double seconds = 0;
};

struct Chosen {
  TrainResult training;      // the network; its history is that of the last training, empty without gradients
  std::string how;           // what was chosen
  std::vector<Tried> tried;  // in order
  std::size_t chosen = 0;    // which of them
  std::size_t validation_rows = 0;
};

// Deals a validation part out of `part`, tries one way after the other, small networks first, until one makes no error on either
// part, takes the smallest of those that have the fewest errors in validation, up to a standard error, and learns it again on the whole
// of `part`. The same for any number of threads, unless stopped. Requires that the part is not empty.
Chosen choose_network(const DataSet& data, const SampleSet& part, const ChooseOptions& options);

}  // namespace bnnplan
