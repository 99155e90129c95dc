// bnnplan learn: a network from transitions.
#include <utility>

#include <bnnplan/learn.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct LearnCommand {
  std::string data, output, also, evaluate, report, curve;
  DataOptions columns;
  bool quiet = false, json = false;
  LearnOptions learn;
};

// Into a file or a pipe goes a line for each tenth of the epochs, not for each epoch.
bool ends_a_tenth(const EpochRecord& record, const TrainOptions& options) {
  constexpr std::int64_t lines = 10;
  const std::int64_t all = std::int64_t{options.restarts} * options.epochs;
  const std::int64_t done = (record.restart - std::int64_t{1}) * options.epochs + record.epoch;
  return done * lines / all > (done - 1) * lines / all;
}

// `how` says what is tried, if something is to be chosen.
void show_progress(const std::string& how, const EpochRecord& record, const LearnOptions& options,
                   LiveLine& line) {
  if (!how.empty()) {
    if (!line.on_terminal()) return;
    line.show(fmt::format("{}: epoch {}, wrong in training {}, in validation {}", how, record.epoch,
                          percent_text(record.train.transition_rate()),
                          percent_text(record.test.transition_rate())));
    return;
  }
  const TrainOptions training = training_of(options);
  if (line.on_terminal()) {
    line.show(live_text(record, training));
  } else if (ends_a_tenth(record, training)) {
    print_message(fmt::format("{}\n", epoch_text(record, training)));
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
  validate(command.learn);
  for (const std::string& path : {command.output, command.report, command.curve}) {
    if (!path.empty()) require_writable(path);
  }
  const auto read = [&](const std::string& file) {
    const InputText input = read_input(file);
    return read_as(FileKind::data, input,
                   [&] { return parse_data_set(input.text, input.name, command.columns); });
  };
  DataSet data = read(command.data);
  warn_of_contradictions(data);
  LearnOptions options = command.learn;
  if (!command.also.empty()) options.also = read(command.also);
  if (!command.evaluate.empty()) options.measure = read(command.evaluate);
  LiveLine line;
  if (!command.quiet) {
    options.progress = [&](const std::string& how, const EpochRecord& record) {
      show_progress(how, record, options, line);
    };
    options.tried = [&](const Tried& tried) {
      line.clear();
      print_message(tried_text(tried) + "\n");
    };
  }
  options.limits.interrupt = catch_signals();
  const Learned learned = learn(std::move(data), options);
  line.clear();
  write_network(command.output, learned.training.network);
  const Answer answer = answer_of(learned, command.output);
  if (!command.report.empty()) write_text_file(command.report, answer.json());
  if (!command.curve.empty())
    write_text_file(command.curve, training_curve_svg(learned.report, learned.training));
  if (command.output != "-") print(answer, command.json);
  return exit_success;
}

}  // namespace

void add_learn_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "learn", "Learn a binarized network from transitions", run_learn);
  add_argument(command, "DATA", options.data,
               "Data set (.csv): columns x are inputs, columns x' outputs; - for standard input");
  add_output_option(command, options.output, "Network file to write", "NET.bnn");
  add_options(command, options_of(options.learn));
  add_options(command, options_of(options.columns));
  add_file_option(command, "--also", options.also, "More transitions to train on, never used for the test",
                  "MORE.csv");
  add_file_option(command, "--evaluate", options.evaluate, "Report the errors on these transitions as well",
                  "OTHER.csv");
  add_file_option(command, "--report", options.report, "Write what was done as JSON", "R.json");
  add_file_option(command, "--curve", options.curve, "Write loss and errors over the epochs as a picture",
                  "C.svg");
  command.add_flag("--quiet", options.quiet, "No progress");
  add_json_option(command, options.json);
  command.footer(
      "Without --hidden everything is chosen: ways to learn are tried, small networks first, until one makes "
      "no error\n"
      "on a validation part that it is not trained on; every try is printed. If errors remain, it says "
      "where.\n"
      "The same data, options and seed give the same network for any number of threads. Ctrl-C writes the "
      "best\n"
      "network so far.\n"
      "Example: bnnplan learn data.csv -o net.bnn");
}

}  // namespace bnnplan::cli
