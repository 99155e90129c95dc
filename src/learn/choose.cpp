// Learning without options: the technique, shape, sparsity and duration are decided on a validation part of
// distinct transitions that no attempt is trained on.
//
// Attempts are ordered by cost and size. Covering comes first: milliseconds, and small if outputs depend on
// few inputs. If it is right on everything it never saw, nothing that takes minutes will be better. Then
// gradients, in rounds: every shape with few updates, the best of them with four times as many, the best of
// those with sixteen times (successive halving, Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016).
// Budgets are updates, not seconds, so the choice does not depend on the machine's speed or on threads.
//
// At the end the chosen way learns from everything, including the validation part: covering from scratch,
// gradients from their current weights. If it is still wrong somewhere, the next best way gets its turn: the
// network must not be wrong on transitions it has seen.
#include "bnnplan/learn/choose.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/learn/cover.hpp"
#include "bnnplan/learn/shrink.hpp"

namespace bnnplan::learning {

namespace {

// of an attempt in the first round; four times as many in the next
constexpr std::size_t first_updates = 1500;
constexpr std::size_t kept_of_round[] = {3, 1};  // the best advance to the next round
constexpr std::size_t most_trained_again = 3;    // on all data, at the end
constexpr std::size_t rounds = std::size(kept_of_round) + 1;

struct Way {
  bool cover = false;
  bool few_inputs = false;
  TrainOptions training;
};

struct Result {
  Way way;
  TrainResult training;
  Errors train, validation;
  std::uint64_t weights = 0;
  std::size_t tried = 0;  // index into Chosen::tried

  auto key() const { return std::tuple(validation.wrong_transitions, train.wrong_transitions, weights); }
  bool right = false;  // no errors in either part except those forced by contradictions in the data
};

Split deal(const SampleSet& part, double share, std::uint64_t seed) {
  std::vector<std::size_t> order(part.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Random random(seed ^ 0x56414c4944u);
  shuffle(order, random);
  const auto held = static_cast<std::size_t>(std::floor(share * static_cast<double>(order.size()) + 1e-9));
  std::vector<bool> out(order.size(), false);
  for (std::size_t i = 0; i < held; ++i) out[order[i]] = true;
  Split split;
  for (std::size_t i = 0; i < order.size(); ++i) {
    SampleSet& to = out[i] ? split.test : split.train;
    to.rows.push_back(part.rows[i]);
    to.counts.push_back(part.counts[i]);
    to.samples += part.counts[i];
  }
  return split;
}

std::string widths_text(const std::vector<std::size_t>& widths) {
  std::string text;
  for (const std::size_t width : widths) text += fmt::format("{}{}", text.empty() ? "" : ",", width);
  return text;
}

class Choosing {
 public:
  Choosing(const DataSet& data, const SampleSet& part, const LearnOptions& options)
      : data_(data),
        part_(part),
        options_(options),
        dealt_(deal(part, options.validation_share, options.limits.seed)) {
    if (dealt_.train.rows.empty()) dealt_ = {part, {}};
  }

  Chosen run() {
    chosen_.validation_rows = dealt_.test.rows.size();
    const bool gradients_only = options_.technique == LearnTechnique::gradient || !options_.hidden.empty() ||
                                options_.sparse || options_.density || options_.epochs || options_.restarts;
    if (options_.technique == LearnTechnique::cover || !gradients_only) {
      for (const bool few : {true, false}) {
        if (!done()) try_cover(few);
      }
    }
    if (options_.technique != LearnTechnique::cover || results_.empty()) try_gradients();
    finish();
    return std::move(chosen_);
  }

 private:
  bool stopped() const {
    return (options_.limits.interrupt != nullptr && *options_.limits.interrupt) ||
           (options_.limits.seconds && clock_.seconds() > *options_.limits.seconds);
  }

  bool done() const {
    if (options_.smallest) return stopped();
    return stopped() ||
           std::any_of(results_.begin(), results_.end(), [](const Result& r) { return r.right; });
  }

  CoverOptions cover_options(bool few_inputs) const {
    CoverOptions options;
    options.few_inputs = few_inputs;
    options.threads = options_.limits.threads;
    options.interrupt = options_.limits.interrupt;
    options.seconds = time_left(options_.limits.seconds, clock_.seconds());
    return options;
  }

  void try_cover(bool few_inputs) {
    const Stopwatch clock;
    Tried tried;
    tried.how = few_inputs ? "cover, few inputs" : "cover, all inputs";
    Result result;
    result.way.cover = true;
    result.way.few_inputs = few_inputs;
    std::optional<Network> network = cover(data_, dealt_.train, cover_options(few_inputs));
    if (network) result.training.network = std::move(*network);
    add(std::move(result), std::move(tried), network.has_value(), clock);
  }

  void try_gradient(TrainOptions training, const Tried& tried) {
    const Stopwatch clock;
    training.limits.seconds = time_left(options_.limits.seconds, clock_.seconds());
    if (options_.progress)
      training.progress = [&](const EpochRecord& record) { options_.progress(tried.how, record); };
    Result result;
    result.training = train(data_, dealt_.train, dealt_.test, training);
    training.progress = nullptr;
    result.way.training = std::move(training);
    add(std::move(result), tried, true, clock);
  }

  void add(Result result, Tried tried, bool has_network, const Stopwatch& clock) {
    tried.seconds = clock.seconds();
    if (has_network) {
      const Network& network = result.training.network;
      tried.shape = shape_text(network);
      tried.train = result.train = evaluate(network, data_, dealt_.train);
      tried.validation = result.validation = evaluate(network, data_, dealt_.test);
      tried.weights = result.weights = weight_count(network);
      // A covering makes as few training errors as possible.
      if (result.way.cover) unavoidable_ = result.train.wrong_transitions;
      result.right = result.train.wrong_transitions <= unavoidable_ &&
                     (result.validation.wrong_transitions == 0 ||
                      evaluate(network, data_, uncontested(dealt_.test)).wrong_transitions == 0);
      result.tried = chosen_.tried.size();
      results_.push_back(std::move(result));
    }
    if (options_.tried) options_.tried(tried);
    chosen_.tried.push_back(std::move(tried));
  }

  // The rows whose inputs have only one output in all the data to learn from.
  SampleSet uncontested(const SampleSet& rows) const {
    const auto inputs = [&](std::uint32_t row) {
      return std::string(reinterpret_cast<const char*>(data_.input(row)),
                         data_.input_words() * sizeof(std::uint64_t));
    };
    std::unordered_map<std::string, std::size_t> outputs;  // distinct rows differ in inputs or outputs
    for (const std::uint32_t row : part_.rows) ++outputs[inputs(row)];
    SampleSet result;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      if (outputs.at(inputs(rows.rows[i])) > 1) continue;
      result.rows.push_back(rows.rows[i]);
      result.counts.push_back(rows.counts[i]);
      result.samples += rows.counts[i];
    }
    return result;
  }

  std::vector<TrainOptions> ladder() const {
    std::vector<std::vector<std::size_t>> shapes{{32}, {64, 64}, {128, 128}, {256, 256}, {256, 256, 256}};
    if (options_.smallest) shapes = {{8}, {16}, {32}, {64}, {16, 16}, {32, 32}, {64, 64}, {128, 128}};
    if (!options_.hidden.empty()) shapes = {options_.hidden};
    std::vector<TrainOptions> result;
    for (const auto& hidden : shapes) {
      for (const bool sparse : {true, false}) {
        if (options_.sparse.value_or(sparse) != sparse || (options_.density && !sparse)) continue;
        TrainOptions training = training_of(options_);
        training.hidden = hidden;
        training.sparse = sparse;
        // A neuron starts with about four inputs; fewer than a twentieth of them has never been useful.
        training.density = options_.density.value_or(
            std::clamp(4.0 / static_cast<double>(data_.input_names.size()), 0.05, 0.25));
        training.stop_at_zero = true;
        training.keep_latent = true;
        result.push_back(std::move(training));
      }
    }
    return result;
  }

  int epochs_of(std::size_t updates) const {
    const std::size_t per_epoch = std::max<std::size_t>(
        least_updates, (dealt_.train.rows.size() + options_.batch - 1) / options_.batch);
    return static_cast<int>(std::max<std::size_t>(1, updates / per_epoch));
  }

  void try_gradients() {
    std::vector<TrainOptions> candidates = ladder();
    std::size_t updates = first_updates;
    for (std::size_t round = 0; round < rounds && !candidates.empty(); ++round, updates *= 4) {
      const std::size_t first = results_.size();
      for (TrainOptions& training : candidates) {
        // The very first attempt is needed: there is no other network to return.
        if (done() && !results_.empty()) return;
        training.epochs = options_.epochs.value_or(epochs_of(updates));
        training.limits.seed = options_.limits.seed + round;
        Tried tried;
        tried.how = fmt::format("gradient {}, {}, {} epochs{}", widths_text(training.hidden),
                                training.sparse ? fmt::format("density {:.2g}", training.density) : "dense",
                                training.epochs,
                                training.restarts > 1 ? fmt::format(", {} runs", training.restarts) : "");
        try_gradient(training, tried);
      }
      if (options_.smallest || (options_.epochs && candidates.size() == 1)) return;
      std::vector<const Result*> best;
      for (std::size_t i = first; i < results_.size(); ++i) best.push_back(&results_[i]);
      std::stable_sort(best.begin(), best.end(),
                       [](const Result* a, const Result* b) { return a->key() < b->key(); });
      candidates.clear();
      if (round + 1 < rounds) {
        for (std::size_t i = 0; i < std::min(kept_of_round[round], best.size()); ++i)
          candidates.push_back(best[i]->way.training);
      }
    }
  }

  void finish() {
    std::size_t best = smallest_of_the_best();
    TrainResult network;
    if (options_.smallest) best = smallest(network).value_or(best);
    const bool made_smaller = !network.network.layers.empty();
    if (!made_smaller) best = right_on_everything(best, network);
    chosen_.chosen = results_[best].tried;
    chosen_.how = chosen_.tried[chosen_.chosen].how + (made_smaller ? ", made smaller" : "");
    TrainResult& result = chosen_.training;
    result = std::move(network);
    result.interrupted = stopped();
    result.best.train = evaluate(result.network, data_, part_);
    result.best.density = density(result.network);
    result.seconds = clock_.seconds();
  }

  // The result with the fewest validation errors, or a smaller one that is no worse in training and within
  // one standard error of it (Breiman and others, Classification and regression trees, 1984): with few
  // samples, one error more or less is chance.
  std::size_t smallest_of_the_best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < results_.size(); ++i) {
      if (results_[i].key() < results_[best].key()) best = i;
    }
    const Result& fewest = results_[best];
    const double rate = fewest.validation.transition_rate(),
                 samples = static_cast<double>(fewest.validation.samples);
    if (rate == 0) return best;
    const double limit = rate + std::sqrt(rate * (1 - rate) / samples);
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const Result& other = results_[i];
      if (other.validation.transition_rate() <= limit &&
          other.train.wrong_transitions <= fewest.train.wrong_transitions &&
          other.weights < results_[best].weights)
        best = i;
    }
    return best;
  }

  // The best way whose network, learned again from everything, makes no error there: it must not be wrong on
  // seen transitions, whatever validation says. If none is right, the one with the fewest errors. Returns its
  // index.
  std::size_t right_on_everything(std::size_t best, TrainResult& network) const {
    std::vector<std::size_t> order{best};
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (i != best) order.push_back(i);
    }
    std::stable_sort(order.begin() + 1, order.end(),
                     [&](std::size_t a, std::size_t b) { return results_[a].key() < results_[b].key(); });
    std::optional<std::size_t> found;
    std::uint64_t fewest = 0;
    std::size_t trained = 0;
    for (const std::size_t i : order) {
      if (!results_[i].way.cover && trained++ >= most_trained_again) continue;
      TrainResult again = learned_from_all(results_[i]);
      const std::uint64_t wrong = evaluate(again.network, data_, part_).wrong_transitions;
      if (found && wrong >= fewest) continue;
      found = i;
      fewest = wrong;
      network = std::move(again);
      if (wrong == 0) break;
    }
    return *found;
  }

  // Repeats the same way with all the data.
  TrainResult learned_from_all(const Result& result) const {
    const bool interrupted = options_.limits.interrupt != nullptr && *options_.limits.interrupt;
    if (dealt_.test.rows.empty() || interrupted || (stopped() && !result.way.cover)) return result.training;
    const Errors before = evaluate(result.training.network, data_, part_);
    std::optional<TrainResult> again;
    if (result.way.cover) {
      // Even if the time is up: it takes about as long as before.
      CoverOptions cover_again = cover_options(result.way.few_inputs);
      if (cover_again.seconds)
        cover_again.seconds = *cover_again.seconds + 1 + 2 * chosen_.tried[result.tried].seconds;
      if (std::optional<Network> network = cover(data_, part_, cover_again)) {
        again.emplace();
        again->network = std::move(*network);
      }
    } else if (before.wrong_transitions > 0) {
      TrainOptions training = result.way.training;
      training.start = result.training.latent;
      training.rate /= 3;  // it is close to the optimum
      training.restarts = 1;
      training.limits.seconds = time_left(options_.limits.seconds, clock_.seconds());
      again = train(data_, part_, {}, training);
    }
    if (again && evaluate(again->network, data_, part_).wrong_transitions <= before.wrong_transitions)
      return std::move(*again);
    return result.training;
  }

  static std::uint64_t size_of(const Network& network) {
    std::uint64_t size = weight_count(network);
    for (const Layer& layer : network.layers) size += layer.neurons.size();
    return size;
  }

  // The index of the smallest result that is right on everything; empty if none is.
  std::optional<std::size_t> smallest(TrainResult& network) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      TrainResult again = learned_from_all(results_[i]);
      if (evaluate(again.network, data_, part_).wrong_transitions > 0) continue;
      const Stopwatch clock;
      again.network = shrink(std::move(again.network), data_, part_, [&] { return stopped(); });
      again.latent.reset();  // it no longer matches the network
      Tried tried;
      tried.how = "made smaller: " + chosen_.tried[results_[i].tried].how;
      tried.shape = shape_text(again.network);
      tried.weights = weight_count(again.network);
      tried.train = evaluate(again.network, data_, part_);
      tried.seconds = clock.seconds();
      if (options_.tried) options_.tried(tried);
      chosen_.tried.push_back(std::move(tried));
      if (best && size_of(again.network) >= size_of(network.network)) continue;
      best = i;
      network = std::move(again);
    }
    return best;
  }

  const DataSet& data_;
  const SampleSet& part_;
  const LearnOptions& options_;
  Split dealt_;                    // test: the validation part
  std::uint64_t unavoidable_ = 0;  // errors in training
  Stopwatch clock_;
  std::vector<Result> results_;
  Chosen chosen_;
};

}  // namespace

TrainOptions training_of(const LearnOptions& options) {
  TrainOptions training;
  training.hidden = options.hidden;
  training.epochs = options.epochs.value_or(training.epochs);
  training.restarts = options.restarts.value_or(training.restarts);
  training.stop_at_zero = options.stop_at_zero;
  training.sparse = options.sparse.value_or(training.sparse);
  training.density = options.density.value_or(training.density);
  training.batch = options.batch;
  training.rate = options.rate;
  training.limits = options.limits;
  return training;
}

Chosen choose_network(const DataSet& data, const SampleSet& part, const LearnOptions& options) {
  return Choosing(data, part, options).run();
}

}  // namespace bnnplan::learning
