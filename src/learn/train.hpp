#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

struct LatentLayer;  // latent_network.hpp
using LatentNetwork = std::vector<LatentLayer>;

// The state of the network after an epoch. An epoch is a pass over the distinct training rows, or as many
// passes as make `least_updates` updates.
struct EpochRecord {
  int restart = 1, epoch = 0;  // both from 1
  double loss = 0;             // squared hinge, mean over samples and outputs, as seen during training
  Errors train, test;          // of the folded network
  double density = 1;
  double seconds = 0;  // since training began
  bool best = false;   // so far
};

struct TrainOptions {
  std::vector<std::size_t> hidden;  // widths of the hidden layers
  int epochs = 200;                 // of each restart
  int restarts = 1;                 // runs with other first weights; the best network wins
  bool keep_latent = false;         // fill in TrainResult::latent
  bool stop_at_zero = false;        // stop when no training transition is wrong
  bool sparse = false;              // ternary weights, pruned as long as the errors do not grow
  double density = 0.1;             // of a sparse network at the start
  std::size_t batch = 256;          // distinct rows per update
  double rate = 0.03;               // of Adam at the start; it falls to a hundredth (when pruning: a tenth)
  // The initial weights of the first run; their shape must match `hidden`.
  std::shared_ptr<const LatentNetwork> start;
  Limits limits;  // stops after the current update, with the best network so far; memory is not checked
  std::function<void(const EpochRecord&)> progress;  // after every epoch
};

constexpr int least_updates = 50;

struct TrainResult {
  // The best: fewest wrong training transitions, then fewest weights, then fewest wrong bits.
  Network network;
  EpochRecord best;  // its record
  // What the network was folded from, to resume training; only if keep_latent.
  std::shared_ptr<const LatentNetwork> latent;
  std::vector<EpochRecord> history;
  double seconds = 0;
  bool interrupted = false;
};

// The memory that training needs for the weights, their optimiser and their gradients, in bytes.
double training_memory(const DataSet& data, const TrainOptions& options);

// Trains on the rows of `train`, weighted by their counts. The test part is only measured and decides
// nothing. The result does not depend on the number of threads. Requires a non-empty `train` and non-zero
// widths.
TrainResult train(const DataSet& data, const SampleSet& train, const SampleSet& test,
                  const TrainOptions& options);

}  // namespace bnnplan::learning
