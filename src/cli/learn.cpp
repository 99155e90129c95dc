// bnnplan learn: a network from transitions.
#include <cstdio>
#include <memory>
#include <utility>

#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace bnnplan {

namespace {

struct LearnCommand {
  std::string data, output, also, evaluate, report, curve;
  std::vector<std::string> inputs, outputs, bits;
  bool quiet = false;
  bool distinct = false;
  std::string technique = "auto";
  std::optional<double> density;
  std::optional<int> epochs, restarts;
  LearnOptions learn;

  // What was not given on the command line is chosen, unless the widths are given.
  LearnOptions options() const {
    LearnOptions result = learn;
    if (distinct) result.distinct = true;
    if (epochs) result.training.epochs = *epochs;
    if (restarts) result.training.restarts = *restarts;
    if (density) result.training.density = *density;
    result.choose.epochs = epochs;
    result.choose.restarts = restarts;
    result.choose.density = density;
    if (result.training.sparse) result.choose.sparse = true;
    if (technique == "cover") result.choose.technique = LearnTechnique::cover;
    if (technique == "gradient") result.choose.technique = LearnTechnique::gradient;
    return result;
  }
};

// Into a file or a pipe goes a line for each tenth of the epochs, not for each epoch.
bool ends_a_tenth(const EpochRecord& record, const TrainOptions& options) {
  constexpr std::int64_t lines = 10;
  const std::int64_t all = std::int64_t{options.restarts} * options.epochs;
  const std::int64_t done = (record.restart - std::int64_t{1}) * options.epochs + record.epoch;
  return done * lines / all > (done - 1) * lines / all;
}

void show_progress(const EpochRecord& record, const TrainOptions& options, LiveLine& line) {
  if (line.on_terminal()) {
    line.show(live_text(record, options));
  } else if (ends_a_tenth(record, options)) {
    print_message(fmt::format("{}\n", epoch_text(record, options)));
  }
}

void warn_of_contradictions(const DataSet& data) {
  if (data.contradictions == 0) return;
  print_message(fmt::format(
      "{}: warning: {} of {} {} more frequent ones with the same inputs; no network "
      "can learn {}\n",
      printable(data.name), data.contradictions, count_text(data.sample_row.size(), "transition"),
      data.contradictions == 1 ? "contradicts" : "contradict", data.contradictions == 1 ? "it" : "them"));
}

int run_learn(const LearnCommand& command) {
  for (const std::string& path : {command.output, command.report, command.curve}) {
    if (!path.empty()) require_writable(path);
  }
  const DataOptions columns{command.inputs, command.outputs, parse_column_bits(command.bits)};
  const auto read = [&](const std::string& file) {
    const InputText input = read_input(file);
    return read_as(FileKind::data, input, [&] { return parse_data_set(input.text, input.name, columns); });
  };
  DataSet data = read(command.data);
  warn_of_contradictions(data);
  LearnOptions options = command.options();
  if (!command.also.empty()) options.also = read(command.also);
  if (!command.evaluate.empty()) options.measure = read(command.evaluate);
  LiveLine line;
  if (!command.quiet) {
    options.training.progress = [&](const EpochRecord& record) {
      show_progress(record, options.training, line);
    };
    options.choose.progress = [&](const Tried& tried, const EpochRecord& record) {
      if (line.on_terminal()) {
        line.show(fmt::format("{}: epoch {}, wrong in training {}, in validation {}", tried.how, record.epoch,
                              percent_text(record.train.transition_rate()),
                              percent_text(record.test.transition_rate())));
      }
    };
    options.choose.tried = [&](const Tried& tried) {
      line.clear();
      print_message(tried_text(tried) + "\n");
    };
  }
  options.training.interrupt = catch_signals();
  const Learned learned = learn(std::move(data), options);
  const TrainResult& result = learned.training;
  const TrainingReport& report = learned.report;
  line.clear();

  write_network(command.output, result.network);
  if (!command.report.empty()) write_text_file(command.report, training_report_json(report, result));
  if (!command.curve.empty()) write_text_file(command.curve, training_curve_svg(report, result));
  if (command.output != "-") print(training_summary(report, result, command.output) + learned.diagnosis);
  return exit_success;
}

}  // namespace

void add_learn_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("learn", "Learn a binarized network from transitions");
  auto options = std::make_shared<LearnCommand>();
  TrainOptions& train = options->learn.training;
  train.threads = 0;
  const auto positive = whole_number(1, 1'000'000);
  command
      ->add_option("DATA", options->data,
                   "Data set (.csv): columns x are inputs, columns x' outputs; - for standard input")
      ->required();
  command->add_option("-o,--output", options->output, "Network file to write")
      ->required()
      ->type_name("NET.bnn");
  command->add_option("--hidden", train.hidden, "Widths of the hidden layers (chosen if not given)")
      ->delimiter(',')
      ->check(whole_number(1, 65536))
      ->type_name("W,...");
  command
      ->add_option("--inputs", options->inputs,
                   "Only these input columns (names, or x for all of x.0, x[...])")
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_option("--outputs", options->outputs, "Only these output columns")
      ->delimiter(',')
      ->type_name("NAME,...");
  command
      ->add_option(
          "--bits", options->bits,
          "Bits of columns that hold integers: x=4 for 0 to 15, x=4s for -8 to 7; they become x.0 ... x.3")
      ->delimiter(',')
      ->type_name("NAME=N,...");
  command
      ->add_option("--test-share", options->learn.test_share, "Share of the lines kept out of training (0.1)")
      ->check(number_from(0, 0.99))
      ->type_name("SHARE");
  command
      ->add_option("--epochs", options->epochs,
                   fmt::format("Most epochs of a run (with --hidden {}, else chosen)", train.epochs))
      ->check(positive)
      ->type_name("N");
  command
      ->add_option("--restarts", options->restarts,
                   "Runs from other first weights; the best network wins (1)")
      ->check(positive)
      ->type_name("N");
  command
      ->add_option(
          "--technique", options->technique,
          "cover: conditions that cover the data, never wrong on data without contradictions; gradient: "
          "straight-through training; auto: what does better on a validation part")
      ->check(CLI::IsMember({"auto", "cover", "gradient"}))
      ->type_name("T");
  command
      ->add_option("--validation-share", options->learn.choose.validation_share,
                   "Share of the distinct training transitions that choices are made by (0.1)")
      ->check(number_from(0, 0.9))
      ->type_name("SHARE");
  command
      ->add_flag(
          "--smallest", options->learn.choose.smallest,
          "The smallest network that makes no error on the training part: all ways are tried, and neurons, "
          "weights and layers that make no difference there are taken out")
      ->excludes("--hidden");
  command
      ->add_option("--time-limit", options->learn.seconds,
                   "Seconds for everything; ends with the best network so far")
      ->check(number_from(0.001, 1e9))
      ->type_name("S");
  command->add_option("--seed", train.seed, "Seed of the split, the first weights and the order (0)")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
  command->add_flag("--stop-at-zero", train.stop_at_zero, "End as soon as no training transition is wrong");
  CLI::Option* sparse = command->add_flag(
      "--sparse", train.sparse, "Weights may be 0, and are pruned as long as the errors do not grow");
  command
      ->add_option(
          "--density", options->density,
          fmt::format("With --sparse: share of the weights that are not 0 at the start ({})", train.density))
      ->check(number_from(0.001, 1))
      ->needs(sparse)
      ->type_name("D");
  command->add_flag(
      "--distinct", options->distinct,
      "Train on every distinct transition once, however often the data has it (chosen if --hidden is not "
      "given: yes, unless the data contradicts itself)");
  command->add_option("--also", options->also, "More transitions to train on, never used for the test")
      ->type_name("MORE.csv");
  command->add_option("--evaluate", options->evaluate, "Report the errors on these transitions as well")
      ->type_name("OTHER.csv");
  command
      ->add_option("--batch", train.batch, fmt::format("Distinct transitions per update ({})", train.batch))
      ->check(positive)
      ->type_name("N");
  command->add_option("--rate", train.rate, fmt::format("Learning rate at the start ({})", train.rate))
      ->check(number_from(1e-6, 1))
      ->type_name("R");
  command->add_option("--threads", train.threads, "Threads to use (all of the machine if not given)")
      ->check(whole_number(1, most_threads))
      ->type_name("N");
  command->add_option("--report", options->report, "Write what was done as JSON")->type_name("R.json");
  command->add_option("--curve", options->curve, "Write loss and errors over the epochs as a picture")
      ->type_name("C.svg");
  command->add_flag("--quiet", options->quiet, "No progress");
  command->footer(
      "Without --hidden everything is chosen: ways to learn are tried, small networks first, until one makes "
      "no error\n"
      "on a validation part that it is not trained on; every try is printed. If errors remain, it says "
      "where.\n"
      "The same data, options and seed give the same network for any number of threads. Ctrl-C writes the "
      "best\n"
      "network so far.\n"
      "Example: bnnplan learn data.csv -o net.bnn");
  command->callback([options, &exit_code] { exit_code = run_learn(*options); });
}

}  // namespace bnnplan
