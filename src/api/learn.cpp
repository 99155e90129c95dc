// What is trained on and what is measured: the lines are dealt into a training and a test part before anything else, and the
// test part decides nothing. "Unseen" is what of the test part does not occur in training, since in data with repetitions a
// test line is often one that was trained on.
#include <algorithm>
#include <thread>
#include <utility>

#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "api/cancellation.hpp"
#include "base/limits.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_layers = 64;  // more cannot be trained: nothing of the errors reaches the first

void require_trainable(const DataSet& data, const TrainOptions& training) {
  const double needed = training_memory(data, training);
  const std::size_t machine = machine_memory();
  if (machine == 0 || needed <= static_cast<double>(machine)) return;
  throw InputError(
      fmt::format("--hidden: training this network takes at least {:.0f} GiB, the machine has {:.0f}",
                  needed / (1 << 30), static_cast<double>(machine) / (1 << 30)));
}

}  // namespace

Learned learn(DataSet data, const LearnOptions& options) {
  TrainOptions training = options.training;
  if (training.hidden.size() > most_layers)
    throw InputError(
        fmt::format("--hidden has {} layers, expected at most {}", training.hidden.size(), most_layers));
  if (training.threads == 0) training.threads = std::max(1u, std::thread::hardware_concurrency());
  Learned learned;
  TrainingReport& report = learned.report;
  report.data_file = data.name;
  report.seed = training.seed;
  report.lines = data.sample_row.size();
  report.distinct_rows = data.distinct_rows();
  report.contradictions = data.contradictions;

  const Split parts = split(data, options.test_share, training.seed);
  SampleSet trained = parts.train, also, measured;
  if (options.also) {
    also = add_rows(data, *options.also, options.also->name);
    trained = merged(trained, also);
  }
  if (options.measure) measured = add_rows(data, *options.measure, options.measure->name);
  if (options.distinct) trained = each_once(trained);
  if (trained.rows.empty())
    throw InputError(data.name, "no transitions are left to train on: --test-share is too large");
  report.trained_rows = trained.rows.size();
  require_trainable(data, training);

  const Cancellation cancellation(options.cancelled, training.interrupt);
  training.interrupt = cancellation.flag();
  learned.training = train(data, trained, parts.test, training);
  const Network& network = learned.training.network;
  report.shape = shape_text(network);
  report.errors = {{"train", evaluate(network, data, parts.train)},
                   {"test", evaluate(network, data, parts.test)},
                   {"unseen", evaluate(network, data, without(parts.test, trained))}};
  if (options.also) report.errors.emplace_back("also", evaluate(network, data, also));
  if (options.measure) report.errors.emplace_back("evaluate", evaluate(network, data, measured));
  return learned;
}

}  // namespace bnnplan
