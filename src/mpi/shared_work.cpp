// bnnplan-mpi suite, bench and verify: many pieces of work that know nothing of each other, each in a process
// of `bnnplan` that some rank starts. Every process writes into a folder of its own, OUTPUT/parts/NAME; rank
// 0 moves what is complete to where `bnnplan` itself would have put it, and then adds a line to
// OUTPUT/handed-out.csv, which is written whole each time. So whatever dies, a line means a result, and the
// same command continues with the rest.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "bnnplan/base/child_process.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/csv_line.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/output_folder.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/compare/matrix.hpp"
#include "bnnplan/compare/run_record.hpp"
#include "bnnplan/mpi/commands.hpp"
#include "bnnplan/mpi/hand_out.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/ranks/agreement.hpp"
#include "bnnplan/verify/verify_folder.hpp"

namespace bnnplan::mpi {

namespace {

namespace fs = std::filesystem;

struct SharedWork {
  std::string program, output;
  std::vector<std::string> rest;  // for the program

  fs::path part(const std::string& name) const { return fs::path(output) / "parts" / name; }
};

// The program beside this one, or in the tree it was built in, or wherever the path of commands says.
std::string program_of(const SharedWork& work) {
  if (!work.program.empty()) return work.program;
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {own / "bnnplan", own.parent_path() / "cli/bnnplan"}) {
    if (!error && fs::is_regular_file(candidate)) return candidate.string();
  }
  return "bnnplan";
}

void add_work_options(CLI::App& command, SharedWork& work) {
  command.add_option("-o,--output", work.output, "Folder to write to, which all ranks share")
      ->required()
      ->type_name("DIR");
  command.add_option("--program", work.program, "The program `bnnplan` (the one beside this)")
      ->type_name("FILE");
  command.allow_extras();
}

// Exit codes of processes that have done what they were asked, whatever the answer.
bool is_answer(int exit_code) {
  return exit_code == cli::exit_success || exit_code == cli::exit_plan || exit_code == cli::exit_unknown ||
         exit_code == cli::exit_infeasible || exit_code == cli::exit_not_robust;
}

// What was done by this run and earlier ones: a line for each item.
class DoneIndex {
 public:
  explicit DoneIndex(const fs::path& folder) : file_(folder / "handed-out.csv") {
    if (!fs::exists(file_)) return;
    const std::string text = read_text_file(file_);
    LineReader lines(text);
    std::size_t number = 0;
    for (std::string_view line; lines.next(line);) {
      if (++number == 1) continue;
      const std::vector<std::string> fields = csv_fields(line, file_.string(), number, "field");
      if (fields.size() != 5)
        throw InputError(fmt::format("{}:{}: {} fields, expected 5", file_.string(), number, fields.size()));
      int exit_code = 0;
      const char* end = fields[2].data() + fields[2].size();
      if (std::from_chars(fields[2].data(), end, exit_code).ptr != end || fields[2].empty())
        throw InputError(fmt::format("{}:{}: exit code '{}', expected a number", file_.string(), number,
                                     printable(fields[2])));
      lines_[fields[0]] = {fields[1], exit_code, std::string(line)};
    }
  }

  // With this very command.
  bool has(const WorkItem& item) const {
    const auto known = lines_.find(item.name);
    return known != lines_.end() && known->second.command == command_of(item);
  }

  // How its process ended. Requires has(item).
  int exit_code(const WorkItem& item) const { return lines_.at(item.name).exit_code; }

  void add(const WorkItem& item, const WorkResult& result) {
    lines_[item.name] = {command_of(item), result.exit_code,
                         fmt::format("{},{},{},{:.3f},{}", csv_field(item.name), command_of(item),
                                     result.exit_code, result.seconds, result.rank)};
    std::string text = "name,command,exit_code,seconds,rank\n";
    for (const auto& [name, line] : lines_) text += line.text + "\n";
    write_text_file(file_, text);
  }

 private:
  static std::string command_of(const WorkItem& item) {
    std::string text;
    for (std::size_t i = 1; i < item.command.size(); ++i) text += item.command[i] + '\n';
    return fingerprint(text);
  }

  fs::path file_;
  struct Line {
    std::string command;
    int exit_code;
    std::string text;
  };
  std::map<std::string, Line> lines_;  // by name
};

using ExitCodes = std::map<int, std::size_t>;  // how many processes ended with it

// Unless there is something to say of them: some answers are not proved, or all are.
int worst_of(const ExitCodes& codes) {
  return codes.contains(cli::exit_unknown) || codes.contains(cli::exit_plan) ? cli::exit_unknown
                                                                             : cli::exit_success;
}

// Hands out what is not done. `list` and `take` are called on rank 0; `take` puts the result where it
// belongs, `conclude` hears how the processes of all items ended, also in earlier runs. Returns the exit
// code.
int share_work(const SharedWork& work, MpiRanks& ranks, const std::function<std::vector<WorkItem>()>& list,
               const std::function<void(const WorkItem&, const WorkResult&)>& take,
               const std::function<int(const ExitCodes&)>& conclude) {
  const bool leads = ranks.rank() == 0;
  const std::atomic<bool>* interrupt = cli::catch_signals();
  std::optional<OutputFolder> lock;
  std::optional<DoneIndex> index;
  std::vector<WorkItem> all, items;
  std::vector<std::string> failures;
  ranks::act_alone(ranks, [&] {
    if (!leads) return;
    std::error_code ignored;
    fs::create_directories(fs::path(work.output) / "parts", ignored);
    lock.emplace(work.output);
    index.emplace(work.output);
    all = items = list();
    std::erase_if(items, [&](const WorkItem& item) { return index->has(item); });
  });
  std::size_t done = 0;
  const bool complete = hand_out(ranks, items, interrupt, [&](const WorkResult& result) {
    const WorkItem& item = items[result.item];
    ++done;
    cli::print_message(fmt::format(
        "{} of {} {} by rank {} in {:.1f} s{}\n", done, items.size(), item.name, result.rank, result.seconds,
        is_answer(result.exit_code) ? "" : fmt::format(": failed ({})", result.exit_code)));
    if (!is_answer(result.exit_code)) {
      failures.push_back(fmt::format("{}: {}", item.name, printable(result.errors, 500)));
      return;
    }
    try {
      take(item, result);
      index->add(item, result);
    } catch (const InputError& wrong) {
      failures.push_back(wrong.what());
    }
  });
  int exit_code = cli::exit_success;
  ranks::act_alone(ranks, [&] {
    if (!leads) return;
    for (const std::string& failure : failures) cli::print_message("failed: " + failure + "\n");
    cli::print(fmt::format("{} done, {} before; {} failed\n", count_text(done - failures.size(), "item"),
                           all.size() - items.size(), failures.size()));
    if (!complete) cli::print("interrupted; the same command continues from here\n");
    if (!failures.empty() || !complete) {
      exit_code = failures.empty() ? cli::exit_unknown : cli::exit_internal_error;
      return;
    }
    std::error_code ignored;
    fs::remove_all(fs::path(work.output) / "parts", ignored);
    lock.reset();  // what follows may be a process that writes there
    ExitCodes codes;
    for (const WorkItem& item : all) ++codes[index->exit_code(item)];
    exit_code = conclude(codes);
  });
  auto least = -static_cast<std::int64_t>(exit_code);
  ranks.minimum({&least, 1});
  return static_cast<int>(-least);
}

// The program itself over what is there now: nothing is left to run, and it writes its tables.
int run_once_more(const std::vector<std::string>& command) {
  ChildRequest request;
  request.command = command;
  const ChildResult child = run_child(request);
  cli::print(child.output);
  if (child.end != ChildEnd::exited || !is_answer(child.code)) cli::print_message(child.errors);
  return child.end == ChildEnd::exited ? child.code : cli::exit_internal_error;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

void add_suite_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code) {
  CLI::App* command = app.add_subcommand("suite", "`bnnplan suite`, one problem at a time on each free rank");
  struct Options : SharedWork {
    std::vector<std::string> from;
    bool extended = false;
    SuiteOptions suite;
  };
  auto options = std::make_shared<Options>();
  add_work_options(*command, *options);
  command->add_option("--from", options->from, "As for `bnnplan suite`")
      ->expected(2)
      ->type_name("fd-sat-plan DIR");
  CLI::Option* extended =
      command->add_flag("--extended", options->extended, "The ladder of new problems instead");
  options->suite.limits.threads = 1;
  std::vector<Option> shared =
      describing::only(options_of(options->suite), {"family", "only", "seed", "threads"});
  describing::option_named(shared, "threads").help = "Threads of each process (1)";
  cli::add_options(*command, shared);
  command->get_option("--seed")->needs(extended);
  command->footer(
      "All other options are those of `bnnplan suite`, but for --list.\n"
      "Example: mpirun -n 8 bnnplan-mpi suite -o suite --to opb");
  command->callback([=, &ranks, &exit_code] {
    options->suite.source = options->extended       ? SuiteSource::ladder
                            : options->from.empty() ? SuiteSource::shipped
                                                    : SuiteSource::published;
    options->suite.output = options->output;
    std::vector<std::string> rest = command->remaining();
    for (const std::string& word : rest) {
      if (word == "--list") throw CLI::ValidationError(word + " is for `bnnplan suite` alone");
    }
    if (!options->from.empty()) rest = joined({"--from", options->from[0], options->from[1]}, rest);
    if (options->extended) rest.insert(rest.begin(), "--extended");
    const auto list = [&] {
      std::vector<WorkItem> items;
      for (const WantedProblem& problem : wanted_problems(options->suite)) {
        const std::string& name = problem.name;
        items.push_back(
            {name, joined({program_of(*options), "suite", "-o", options->part(name).string(), "--only", name,
                           "--threads", std::to_string(options->suite.limits.threads)},
                          rest)});
      }
      return items;
    };
    const auto take = [&](const WorkItem& item, const WorkResult&) {
      take_suite_part(options->part(item.name), options->suite);
    };
    exit_code = share_work(*options, ranks, list, take, worst_of);
  });
}

void add_bench_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code) {
  CLI::App* command = app.add_subcommand("bench", "`bnnplan bench`, one problem at a time on each free rank");
  struct Options : SharedWork {
    std::vector<std::string> problems;
  };
  auto options = std::make_shared<Options>();
  add_work_options(*command, *options);
  command->add_option("--problem", options->problems, "Problem files, as `bnnplan bench` takes them")
      ->required()
      ->delimiter(',')
      ->type_name("FILE[@H],...");
  command->footer(
      "All other options are those of `bnnplan bench`. Runs of one machine share its processors: give as "
      "many ranks\n"
      "as it can run side by side without disturbing each other.\n"
      "Example: mpirun -n 8 bnnplan-mpi bench --problem models/navigation_3x3.toml@4-10 --engine "
      "search,neuron -o results");
  command->callback([=, &ranks, &exit_code] {
    const std::vector<std::string> rest = joined(command->remaining(), {"--any-core"});
    const auto list = [&] {
      std::vector<WorkItem> items;
      for (const std::string& problem : options->problems) {
        for (const comparison::Task& task : comparison::tasks_of(problem)) {
          items.push_back({task.name, joined({program_of(*options), "bench",
                                              fmt::format("{}@{}", task.file, task.horizon), "-o",
                                              options->part(task.name).string()},
                                             rest)});
        }
      }
      return items;
    };
    const fs::path runs = fs::path(options->output) / "runs.csv",
                   settings = fs::path(options->output) / "settings.json";
    const auto take = [&](const WorkItem& item, const WorkResult&) {
      const fs::path part = options->part(item.name);
      std::string text = comparison::csv_header();
      std::set<std::string> known;  // a run that died in between may have added some of them
      const auto add = [&](const fs::path& file) {
        if (!fs::exists(file)) return;
        for (const comparison::RunRecord& run :
             comparison::parse_runs_csv(read_text_file(file), file.string())) {
          const std::string line = comparison::csv_line(run);
          if (known.insert(line).second) text += line;
        }
      };
      add(runs);
      add(part / "runs.csv");
      if (!fs::exists(settings)) write_text_file(settings, read_text_file(part / "settings.json"));
      write_text_file(runs, text);
    };
    const auto conclude = [&](const ExitCodes&) {
      std::vector<std::string> all = {program_of(*options), "bench"};
      all = joined(all, options->problems);
      return run_once_more(joined(joined(all, {"-o", options->output}), rest));
    };
    exit_code = share_work(*options, ranks, list, take, conclude);
  });
}

void add_verify_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("verify", "`bnnplan verify --all`, one input at a time on each free rank");
  struct Options : SharedWork {
    std::string network, folder;
  };
  auto options = std::make_shared<Options>();
  add_work_options(*command, *options);
  command->add_option("--network", options->network, "A classifier (.bnn)")->required()->type_name("NETWORK");
  command->add_option("--all", options->folder, "The inputs, as `bnnplan verify --all` takes them")
      ->required()
      ->type_name("FOLDER");
  command->footer(
      "All other options are the question, as `bnnplan verify` takes it. Answers are OUTPUT/NAME.json.\n"
      "Example: mpirun -n 8 bnnplan-mpi verify --network digits.bnn --all images --epsilon 8 --norm linf -o "
      "answers");
  command->callback([=, &ranks, &exit_code] {
    const auto list = [&] {
      const Network network = read_network(options->network);
      std::vector<WorkItem> items;
      for (const verification::LabelledFile& input : verification::labelled_files(options->folder, network)) {
        std::string name = fs::relative(input.file, options->folder).string();
        std::replace(name.begin(), name.end(), '/', '_');
        items.push_back(
            {name, joined({program_of(*options), "verify", options->network, "--image", input.file.string(),
                           "--label", network.outputs[input.label], "--json"},
                          command->remaining())});
      }
      return items;
    };
    const auto take = [&](const WorkItem& item, const WorkResult& result) {
      write_text_file(fs::path(options->output) / (item.name + ".json"), result.output);
    };
    const auto conclude = [&](const ExitCodes& codes) {
      for (const auto& [code, count] : codes)
        cli::print(fmt::format("{}: {}\n",
                               code == cli::exit_success      ? "robust, or the nearest is proved"
                               : code == cli::exit_infeasible ? "never classified otherwise"
                               : code == cli::exit_not_robust ? "not robust"
                                                              : "not proved",
                               count_text(count, "input")));
      return worst_of(codes);
    };
    exit_code = share_work(*options, ranks, list, take, conclude);
  });
}

}  // namespace bnnplan::mpi
