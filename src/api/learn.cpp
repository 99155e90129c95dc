// What is trained on and what is measured: the lines are dealt into a training and a test part before anything else, and the
// test part decides nothing. "Unseen" is what of the test part does not occur in training, since in data with repetitions a
// test line is often one that was trained on.
#include <algorithm>
#include <filesystem>
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

// Everything that is left open is chosen.
TrainResult choose(const DataSet& data, const SampleSet& trained, const LearnOptions& options,
                   const TrainOptions& training, Learned& learned) {
  ChooseOptions choose = options.choose;
  choose.hidden = training.hidden;
  choose.seed = training.seed;
  choose.batch = training.batch;
  choose.rate = training.rate;
  choose.threads = training.threads;
  choose.interrupt = training.interrupt;
  choose.seconds = options.seconds;
  Chosen chosen = choose_network(data, trained, choose);
  learned.tried = std::move(chosen.tried);
  learned.chosen = chosen.chosen;
  learned.report.how =
      fmt::format("{}{}", chosen.how, learned.report.distinct ? "" : ", weighted by frequency");
  learned.report.tries = learned.tried.size();
  return std::move(chosen.training);
}

void write_record(Learned& learned, const DataSet& data) {
  const TrainingReport& report = learned.report;
  ModelRecord record;
  record.data_file = std::filesystem::path(report.data_file).filename().string();
  record.data_fingerprint = report.data_fingerprint;
  record.transitions = report.lines;
  record.distinct = report.distinct_rows;
  record.contradictory = report.contradictions;
  record.learned_by = fmt::format("{}, seed {}{}", report.how, report.seed,
                                  learned.training.interrupted ? ", interrupted" : "");
  for (std::size_t i = 0; i < report.errors.size(); ++i) {
    const auto& [name, errors] = report.errors[i];
    if (errors.samples == 0) continue;
    ModelRecord::Part part{name, errors.wrong_transitions, errors.samples, errors.wrong_bits, errors.bits,
                           {}};
    const std::vector<std::uint64_t>& wrong = report.wrong_outputs[i].second;
    for (std::size_t output = 0; output < wrong.size(); ++output) {
      if (wrong[output] > 0) part.outputs.emplace_back(data.output_names[output], wrong[output]);
    }
    record.parts.push_back(std::move(part));
  }
  set_model_record(learned.training.network, std::move(record));
}

// What is wrong, where, and what to do about it.
std::string diagnosis_of(const Network& network, const DataSet& data, const SampleSet& trained,
                         const SampleSet& unseen, const Learned& learned) {
  const Diagnosis training = diagnose(network, data, trained), world = diagnose(network, data, unseen);
  std::string text = diagnosis_text(training, "training") + diagnosis_text(world, "unseen");
  if (text.empty()) return text;
  if (training.contradictory > 0) {
    text +=
        "to try: a column that tells the contradicting lines apart; if the world itself draws lots, a model "
        "of its "
        "likeliest course (simulate and compile with --determinize)\n";
  }
  if (training.wrong > training.contradictory) {
    text += learned.training.interrupted ? "to try: more time (--time-limit)\n"
                                         : "to try: no option at all (everything is chosen then); wider "
                                           "layers (--hidden), --sparse, --restarts, "
                                           "more --epochs\n";
  }
  if (world.wrong > world.contradictory && training.wrong <= training.contradictory) {
    text +=
        "to try: more transitions, above all of the kind above (simulate --start anywhere, or --exhaustive "
        "where all "
        "pairs can be listed), or bnnplan discover, which asks for those that plans need\n";
  }
  return text;
}

}  // namespace

Learned learn(DataSet data, const LearnOptions& options) {
  TrainOptions training = options.training;
  if (training.hidden.size() > most_layers)
    throw InputError(
        fmt::format("--hidden has {} layers, expected at most {}", training.hidden.size(), most_layers));
  if (training.threads == 0) training.threads = std::max(1u, std::thread::hardware_concurrency());
  const bool given = !training.hidden.empty();
  if (options.choose.technique == LearnTechnique::cover && !training.hidden.empty())
    throw InputError("covering chooses the number of neurons itself: expected no --hidden");
  Learned learned;
  TrainingReport& report = learned.report;
  report.data_file = data.name;
  report.seed = training.seed;
  report.lines = data.sample_row.size();
  report.distinct_rows = data.distinct_rows();
  report.contradictions = data.contradictions;
  report.data_fingerprint = data_fingerprint(data);
  report.distinct = options.distinct.value_or(!given && data.contradictions == 0);

  const Split parts = split(data, options.test_share, training.seed);
  SampleSet trained = parts.train, also, measured;
  if (options.also) {
    also = add_rows(data, *options.also, options.also->name);
    trained = merged(trained, also);
  }
  if (options.measure) measured = add_rows(data, *options.measure, options.measure->name);
  if (report.distinct) trained = each_once(trained);
  if (trained.rows.empty())
    throw InputError(data.name, "no transitions are left to train on: --test-share is too large");
  report.trained_rows = trained.rows.size();
  require_trainable(data, training);

  const Cancellation cancellation(options.cancelled, training.interrupt);
  training.interrupt = cancellation.flag();
  if (given) {
    training.seconds = options.seconds;
    learned.training = train(data, trained, parts.test, training);
    report.how =
        fmt::format("gradient, {}, epoch {} of run {}",
                    training.sparse ? fmt::format("density {:.2g} at the start", training.density) : "dense",
                    learned.training.best.epoch, learned.training.best.restart);
  } else {
    learned.training = choose(data, trained, options, training, learned);
  }
  const Network& network = learned.training.network;
  report.shape = shape_text(network);
  const SampleSet unseen = without(parts.test, trained);
  const auto add = [&](const std::string& name, const SampleSet& part) {
    report.errors.emplace_back(name, evaluate(network, data, part));
    report.wrong_outputs.emplace_back(name, wrong_by_output(network, data, part));
  };
  add("train", parts.train);
  add("test", parts.test);
  add("unseen", unseen);
  if (options.also) add("also", also);
  if (options.measure) add("evaluate", measured);
  write_record(learned, data);
  learned.diagnosis = diagnosis_of(network, data, trained, unseen, learned);
  return learned;
}

}  // namespace bnnplan
