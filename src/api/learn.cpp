// What is trained on and what is measured: the lines are dealt into a training and a test part before
// anything else, and the test part decides nothing. "Unseen" is what of the test part does not occur in
// training, since in data with repetitions a test line is often one that was trained on.
#include <filesystem>
#include <utility>

#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "bnnplan/base/limits.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_layers = 64;  // more cannot be trained: nothing of the errors reaches the first

void require_trainable(const DataSet& data, const TrainOptions& training) {
  const double needed = training_memory(data, training);
  const std::size_t machine = machine_memory();
  if (machine == 0 || needed <= static_cast<double>(machine)) return;
  throw InputError(fmt::format("training this network takes at least {:.0f} GiB, the machine has {:.0f}",
                               needed / (1 << 30), static_cast<double>(machine) / (1 << 30)));
}

// Everything that is left open is chosen.
TrainResult choose(const DataSet& data, const SampleSet& trained, const LearnOptions& options,
                   Learned& learned) {
  Chosen chosen = choose_network(data, trained, options);
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
        "to try: a column that distinguishes the contradicting lines; if the world itself is random, a model "
        "of its most likely outcomes (determinized)\n";
  }
  if (training.wrong > training.contradictory) {
    text += learned.training.interrupted ? "to try: more time\n"
                                         : "to try: no options at all (everything is chosen then); wider "
                                           "layers, sparse weights, restarts, more epochs\n";
  }
  if (world.wrong > world.contradictory && training.wrong <= training.contradictory) {
    text +=
        "to try: more transitions, above all of the kind above (simulate from anywhere, or exhaustively "
        "where all pairs can be listed), or discover, which asks for those that plans need\n";
  }
  return text;
}

}  // namespace

std::vector<Option> options_of(LearnOptions& options) {
  using namespace describing;
  const TrainOptions defaults;
  const IntegerRange counts = {1, 1'000'000};
  std::vector<Option> all = {
      {"hidden", field(options.hidden), "Widths of the hidden layers (chosen if not given)", "W,...",
       IntegerRange{1, 65536}},
      {"technique",
       words(options.technique, {{"auto", LearnTechnique::any},
                                 {"cover", LearnTechnique::cover},
                                 {"gradient", LearnTechnique::gradient}}),
       "cover: conditions that cover the data, never wrong on data without contradictions; gradient: "
       "straight-through training; auto: what does better on a validation part",
       "T"},
      {.name = "smallest",
       .field = field(options.smallest),
       .help = "The smallest network that makes no error on the training part: all ways are tried, and "
               "neurons, weights and layers that make no difference there are taken out",
       .excludes = {"hidden"}},
      {"epochs", field(options.epochs),
       fmt::format("Most epochs of a run (with given widths {}, else chosen)", defaults.epochs), "N", counts},
      {"restarts", field(options.restarts), "Runs from other first weights; the best network wins (1)", "N",
       counts},
      {"stop-at-zero", field(options.stop_at_zero), "End as soon as no training transition is wrong"},
      {"sparse", field(options.sparse), "Weights may be 0, and are pruned as long as the errors do not grow"},
      {"density",
       field(options.density),
       fmt::format("Share of the weights that are not 0 at the start, of sparse networks ({})",
                   defaults.density),
       "D",
       RealRange{0.001, 1},
       {"sparse"}},
      {"batch", field(options.batch), fmt::format("Distinct transitions per update ({})", options.batch), "N",
       counts},
      {"rate", field(options.rate), fmt::format("Learning rate at the start ({})", options.rate), "R",
       RealRange{1e-6, 1}},
      {"test-share", field(options.test_share), "Share of the lines kept out of training (0.1)", "SHARE",
       RealRange{0, 0.99}},
      {"validation-share", field(options.validation_share),
       "Share of the distinct training transitions that choices are made by (0.1)", "SHARE",
       RealRange{0, 0.9}},
      {"distinct", field(options.distinct),
       "Train on every distinct transition once, however often the data has it (chosen if no widths are "
       "given: yes, unless the data contradicts itself)"}};
  add(all, only(limit_options(options.limits), {"time-limit", "threads", "seed"}));
  option_named(all, "time-limit").help = "Seconds for everything; ends with the best network so far";
  option_named(all, "seed").help = "Seed of the split, the first weights and the order (0)";
  return all;
}

std::vector<Option> options_of(DataOptions& options) {
  using namespace describing;
  return {
      {"inputs", field(options.inputs), "Only these input columns (names, or x for all of x.0, x[...])",
       "NAME,..."},
      {"outputs", field(options.outputs), "Only these output columns", "NAME,..."},
      {.name = "bits",
       .field = parsed_texts(
           [&](const std::vector<std::string>& texts) { options.bits = parse_column_bits(texts); }),
       .help =
           "Bits of columns that hold integers: x=4 for 0 to 15, x=4s for -8 to 7; they become x.0 ... x.3",
       .unit = "NAME=N,..."}};
}

void validate(const LearnOptions& options) {
  check_options(options, options_of);
  if (options.hidden.size() > most_layers)
    throw OptionError(fmt::format("{} has {} layers, expected at most {}", option_name("hidden"),
                                  options.hidden.size(), most_layers));
  if (options.technique == LearnTechnique::cover && !options.hidden.empty())
    throw OptionError(fmt::format("{} chooses the number of neurons itself: expected no {}",
                                  option_name("technique=cover"), option_name("hidden")));
}

Learned learn(DataSet data, const LearnOptions& given_options) {
  validate(given_options);
  LearnOptions options = given_options;
  options.limits = on_this_machine(options.limits);
  TrainOptions training = training_of(options);
  if (options.progress) training.progress = [&](const EpochRecord& record) { options.progress("", record); };
  const bool given = !options.hidden.empty();
  Learned learned;
  TrainingReport& report = learned.report;
  report.data_file = data.name;
  report.seed = options.limits.seed;
  report.lines = data.sample_row.size();
  report.distinct_rows = data.distinct_rows();
  report.contradictions = data.contradictions;
  report.data_fingerprint = data_fingerprint(data);
  report.distinct = options.distinct.value_or(!given && data.contradictions == 0);

  const Split parts = split(data, options.test_share, options.limits.seed);
  SampleSet trained = parts.train, also, measured;
  if (options.also) {
    also = add_rows(data, *options.also, options.also->name);
    trained = merged(trained, also);
  }
  if (options.measure) measured = add_rows(data, *options.measure, options.measure->name);
  if (report.distinct) trained = each_once(trained);
  if (trained.rows.empty())
    throw InputError(data.name, "no transitions are left to train on: the test part takes them all");
  report.trained_rows = trained.rows.size();
  require_trainable(data, training);

  if (given) {
    learned.training = train(data, trained, parts.test, training);
    report.how =
        fmt::format("gradient, {}, epoch {} of run {}",
                    training.sparse ? fmt::format("density {:.2g} at the start", training.density) : "dense",
                    learned.training.best.epoch, learned.training.best.restart);
  } else {
    learned.training = choose(data, trained, options, learned);
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

Answer answer_of(const Learned& learned, const std::string& network_file) {
  Answer answer = learning::training_answer(learned.report, learned.training, network_file);
  answer.add("tried", json_array_of(learned.tried, tried_fields));
  answer.add("diagnosis", learned.diagnosis);
  answer.say(learned.diagnosis);
  return answer;
}

}  // namespace bnnplan
