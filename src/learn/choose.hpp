#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/learn/train.hpp"

namespace bnnplan::learning {

// How a network is learned from data.
enum class LearnTechnique {
  any,       // the one that does better on the validation part
  cover,     // conditions that cover the data (cover.hpp)
  gradient,  // straight-through training (train.hpp)
};

struct Tried;

// How to learn. What is not given is chosen.
struct LearnOptions {
  std::vector<std::size_t> hidden;  // widths of the hidden layers; given ones are trained by gradients
  LearnTechnique technique = LearnTechnique::any;
  // Try all ways of the first round, shrink those that are right on everything (shrink.hpp), and take the one
  // with the fewest neurons and weights.
  bool smallest = false;
  std::optional<int> epochs;  // of each training, and of every run of it
  std::optional<int> restarts;
  std::optional<bool> sparse;     // given: gradients
  std::optional<double> density;  // of sparse networks at the start
  bool stop_at_zero = false;      // with given widths: end when no training transition is wrong
  std::size_t batch = 256;        // distinct rows per update
  double rate = 0.03;             // of Adam at the start
  double test_share = 0.1;        // of the lines, kept out of training
  double validation_share = 0.1;  // of the distinct training transitions, by which choices are made
  // Train on every distinct transition once. If not given: yes, unless widths are given or the data
  // contradicts itself.
  std::optional<bool> distinct;
  std::optional<DataSet> also;              // more to train on, never used for the test
  std::optional<DataSet> measure;           // more to report the errors on
  Limits limits = whole_machine();          // for everything; a limit ends it with the best network so far
  std::function<void(const Tried&)> tried;  // after every try
  std::function<void(const std::string& how, const EpochRecord&)> progress;  // after every epoch
};

// One training, as far as the options say how.
TrainOptions training_of(const LearnOptions& options);

// One attempt.
struct Tried {
  std::string how;    // "cover, few inputs", "gradient 64,64, density 0.1, 30 epochs"
  std::string shape;  // of its network; "" if it produced none
  Errors train, validation;
  std::uint64_t weights = 0;  // non-zero
  double seconds = 0;
};

struct Chosen {
  TrainResult training;      // the network; its history is that of the last training, empty without gradients
  std::string how;           // what was chosen
  std::vector<Tried> tried;  // in order
  std::size_t chosen = 0;    // index into tried
  std::size_t validation_rows = 0;
};

// Splits a validation part off `part` and tries one way after the other, small networks first, until one
// makes no error on either part; otherwise the best is the smallest of those with the fewest validation
// errors, up to one standard error. The best learns again from all of `part`; if it still makes errors there,
// the next best does, until one makes none. The result does not depend on the number of threads, unless
// stopped. Requires a non-empty part and limits.threads > 0.
Chosen choose_network(const DataSet& data, const SampleSet& part, const LearnOptions& options);

}  // namespace bnnplan::learning
