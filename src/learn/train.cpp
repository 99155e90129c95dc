// The training loop: shuffle, minibatches, groups to threads, Adam, and after every epoch the folded network
// is measured by packed inference.
//
// The rate falls exponentially to a hundredth, as in the literature: early on many weights flip with every
// update, towards the end single ones.
//
// With `sparse`, weights are ternary: a latent weight in the dead zone around 0 counts as 0. It may leave
// the zone again, which makes learning easier, not harder: a neuron need not balance inputs it does not want
// to see. Latent weights start uniformly in [-1, 1], so the width of the zone determines how many inputs a
// neuron starts with. On sysadmin 8, with three relevant inputs of 32, a share of 0.2 ended with 1 % of
// unseen transitions wrong, 0.1 with 0.1 %, 0.05 with none. Unless training stops at zero, two phases
// alternate on top of that. When the folded network is no worse than the best one before it, a few percent of
// the weights are pruned permanently; then training repairs the damage. The best network is the sparsest of
// those with the fewest errors. The rate falls to a tenth only, since repair needs weights that change.
#include "bnnplan/learn/train.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "bnnplan/base/random.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/learn/adam.hpp"
#include "bnnplan/learn/prune.hpp"
#include "bnnplan/learn/straight_through.hpp"

namespace bnnplan::learning {

namespace {

constexpr std::size_t group_size = 128;
constexpr double last_pruning_rate = 0.1;
constexpr double last_rate = 0.01;    // of the first
constexpr double prune_share = 0.05;  // of the remaining weights, at a time

// Cuts `total` into the fewest parts of at most `most`, as even as possible. Returns where they end.
std::vector<std::size_t> even_parts(std::size_t total, std::size_t most) {
  const std::size_t parts = (total + most - 1) / most;
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= parts; ++i) ends.push_back(total * i / parts);
  return ends;
}

// One restart.
class Run {
 public:
  Run(const DataSet& data, const SampleSet& train, const TrainOptions& options, std::uint64_t seed,
      WorkerPool& pool, const LatentNetwork* start, const Stopwatch& clock)
      : train_(train),
        options_(options),
        pool_(pool),
        clock_(clock),
        random_(seed),
        order_(train.rows.size()) {
    std::vector<std::size_t> widths{data.input_names.size()};
    widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
    widths.push_back(data.output_names.size());
    network_ = make_latent_network(widths, options.sparse ? static_cast<float>(1 - options.density) : 0,
                                   random_.next());
    if (start != nullptr) network_ = *start;
    adam_ = std::make_unique<Adam>(network_);
    for (unsigned worker = 0; worker < options.limits.threads; ++worker) {
      workers_.push_back(std::make_unique<StraightThrough>(network_, data, train));
    }
    std::iota(order_.begin(), order_.end(), 0);
  }

  LatentNetwork& network() { return network_; }

  bool interrupted() const {
    return (options_.limits.interrupt != nullptr && *options_.limits.interrupt) ||
           (options_.limits.seconds && clock_.seconds() > *options_.limits.seconds);
  }

  // The mean loss per output. Ends early if interrupted.
  double epoch(float rate) {
    const std::size_t updates = even_parts(order_.size(), options_.batch).size();
    const std::size_t passes = (least_updates + updates - 1) / updates;
    double loss = 0;
    for (std::size_t pass = 0; pass < passes && !interrupted(); ++pass) loss += one_pass(rate);
    const auto outputs = static_cast<double>(network_.back().neurons());
    return loss / static_cast<double>(passes) / static_cast<double>(train_.samples) / outputs;
  }

 private:
  double one_pass(float rate) {
    shuffle(order_, random_);
    double loss = 0;
    std::size_t first = 0;
    for (const std::size_t end : even_parts(order_.size(), options_.batch)) {
      if (interrupted()) break;
      loss += update(Group(order_).subspan(first, end - first), rate);
      first = end;
    }
    return loss;
  }

  double update(Group batch, float rate) {
    const std::vector<std::size_t> ends = even_parts(batch.size(), group_size);
    while (gradients_.size() < ends.size()) gradients_.push_back(make_gradient(network_));
    losses_.resize(ends.size());
    pool_.run(ends.size(), [&](unsigned worker, std::size_t group) {
      const std::size_t first = group == 0 ? 0 : ends[group - 1];
      losses_[group] =
          workers_[worker]->compute(batch.subspan(first, ends[group] - first), gradients_[group]);
    });
    adam_->step(network_, std::span(gradients_).first(ends.size()), rate, pool_);
    return std::accumulate(losses_.begin(), losses_.end(), 0.0);
  }

  const SampleSet& train_;
  const TrainOptions& options_;
  WorkerPool& pool_;
  const Stopwatch& clock_;
  Random random_;
  LatentNetwork network_;
  std::unique_ptr<Adam> adam_;
  std::vector<std::unique_ptr<StraightThrough>> workers_;  // one per thread
  std::vector<std::uint32_t> order_;
  std::vector<Gradient> gradients_;  // one per group
  std::vector<double> losses_;
};

bool better(const EpochRecord& a, const EpochRecord& b) {
  if (a.train.wrong_transitions != b.train.wrong_transitions) {
    return a.train.wrong_transitions < b.train.wrong_transitions;
  }
  if (a.density != b.density) return a.density < b.density;
  return a.train.wrong_bits < b.train.wrong_bits;
}

class Training {
 public:
  Training(const DataSet& data, const SampleSet& train, const SampleSet& test, const TrainOptions& options)
      : data_(data), train_(train), test_(test), options_(options), pool_(options.limits.threads, true) {}

  TrainResult run() {
    Random seeds(options_.limits.seed);
    for (int restart = 1; restart <= options_.restarts && !done_; ++restart) run_once(restart, seeds.next());
    result_.seconds = stopwatch_.seconds();
    return std::move(result_);
  }

 private:
  void run_once(int restart, std::uint64_t seed) {
    Run run(data_, train_, options_, seed, pool_, restart == 1 ? options_.start.get() : nullptr, stopwatch_);
    std::optional<std::uint64_t> fewest_wrong;  // of this run
    for (int epoch = 1; epoch <= options_.epochs && !done_; ++epoch) {
      EpochRecord record;
      record.restart = restart;
      record.epoch = epoch;
      record.loss = run.epoch(rate(epoch));
      if (run.interrupted()) {
        done_ = result_.interrupted = true;
        if (!result_.history.empty()) return;  // part of an epoch does not improve the network
      }
      measure(run.network(), record);
      if (options_.stop_at_zero && record.train.wrong_transitions == 0) done_ = true;
      if (done_ || !pruning()) continue;
      const bool recovered = !fewest_wrong || record.train.wrong_transitions <= *fewest_wrong;
      if (!recovered) continue;
      fewest_wrong = record.train.wrong_transitions;
      if (*fewest_wrong == 0 || epoch > options_.epochs / 2) prune(run.network(), prune_share);
    }
  }

  // A caller that stops at zero does not want to wait for a sparser network.
  bool pruning() const { return options_.sparse && !options_.stop_at_zero; }

  float rate(int epoch) const {
    const double progress = options_.epochs == 1 ? 0 : (epoch - 1.0) / (options_.epochs - 1.0);
    return static_cast<float>(options_.rate * std::pow(pruning() ? last_pruning_rate : last_rate, progress));
  }

  void measure(const LatentNetwork& latent, EpochRecord& record) {
    Network network =
        fold(trained_network(latent, population_statistics(latent, data_, train_, pool_), data_));
    record.train = evaluate(network, data_, train_);
    record.test = evaluate(network, data_, test_);
    record.density = density(network);
    record.seconds = stopwatch_.seconds();
    record.best = result_.history.empty() || better(record, result_.best);
    if (record.best) {
      result_.best = record;
      result_.network = std::move(network);
      if (options_.keep_latent) result_.latent = std::make_shared<LatentNetwork>(latent);
    }
    result_.history.push_back(record);
    if (options_.progress) options_.progress(record);
  }

  const DataSet& data_;
  const SampleSet& train_;
  const SampleSet& test_;
  const TrainOptions& options_;
  Stopwatch stopwatch_;
  WorkerPool pool_;
  TrainResult result_;
  bool done_ = false;
};

}  // namespace

double training_memory(const DataSet& data, const TrainOptions& options) {
  double weights = 0;
  auto below = static_cast<double>(data.input_names.size());
  for (const std::size_t width : options.hidden) {
    weights += below * static_cast<double>(width);
    below = static_cast<double>(width);
  }
  weights += below * static_cast<double>(data.output_names.size());
  // Latent weights, their signs, as numbers and as a table, the mask of kept ones; two means of Adam; a
  // gradient for each group of a batch.
  const std::size_t groups = (options.batch + group_size - 1) / group_size;
  return weights * static_cast<double>(sizeof(float)) * static_cast<double>(6 + groups);
}

TrainResult train(const DataSet& data, const SampleSet& train, const SampleSet& test,
                  const TrainOptions& options) {
  return Training(data, train, test, options).run();
}

}  // namespace bnnplan::learning
