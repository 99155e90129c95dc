// The whole comparison. settings.json in the folder records the rules, and the program, that the runs there
// were made with: results under other rules are not mixed with them.
#include "compare/comparison.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/count_text.hpp"
#include "base/fingerprint.hpp"
#include "base/input_error.hpp"
#include "base/output_folder.hpp"
#include "base/text_file.hpp"
#include "compare/measure.hpp"
#include "compare/plots.hpp"
#include "compare/refutation.hpp"
#include "compare/results.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

class Runs {
 public:
  explicit Runs(const ComparisonRequest& request) : request_(request) {}

  ComparisonResult run() {
    check_names();
    const OutputFolder folder(request_.folder);
    read_earlier_runs();
    run_all();
    result_.runs =
        with_refutations(relevant_runs(done_, request_.tasks, request_.entrants), done_, request_.tasks);
    result_.table =
        time_table(request_.tasks, request_.entrants, result_.runs, request_.settings, request_.measure);
    result_.disagreements = disagreements(result_.runs);
    result_.failures = failures(result_.runs);
    write_results();
    return std::move(result_);
  }

 private:
  void check_names() const {
    std::set<std::string> tasks, entrants;
    for (const Task& task : request_.tasks) {
      if (!tasks.insert(task.name).second)
        throw InputError(fmt::format("problem {} is given twice", printable(task.name)));
    }
    for (const Entrant& entrant : request_.entrants) {
      if (!entrants.insert(entrant.name).second)
        throw InputError(fmt::format("{} is given twice", printable(entrant.name)));
    }
    if (request_.tasks.empty()) throw InputError("nothing to run: no problems");
    if (request_.entrants.empty()) throw InputError("nothing to run: no engines or solvers");
    for (const std::string& name : request_.scatter) {
      if (!entrants.contains(name)) {
        throw InputError(fmt::format("'{}' is not among the entrants, expected two of: {}", printable(name),
                                     fmt::join(entrants, ", ")));
      }
    }
  }

  // Also starts runs.csv if there is none to continue.
  void read_earlier_runs() {
    Json settings;
    settings["seconds"] = request_.settings.seconds;
    settings["memory_mib"] = request_.settings.memory_mebibytes;
    settings["core"] = request_.settings.core ? Json(*request_.settings.core) : Json();
    settings["program"] = file_fingerprint(request_.settings.program);
    const std::filesystem::path file = request_.folder / "settings.json", runs = request_.folder / "runs.csv";
    const bool there = std::filesystem::exists(runs);
    if (there && !request_.fresh) {
      const Json old =
          std::filesystem::exists(file) ? Json::parse(read_text_file(file), nullptr, false) : Json();
      for (const auto& [key, value] : settings.items()) {
        const Json was = old.is_object() ? old.value(key, Json()) : Json();
        if (was == value) continue;
        throw InputError(
            runs.string(),
            key == "program"
                ? std::string("these runs were made by another build of bnnplan, expected a fresh start or "
                              "another folder")
                : fmt::format("these runs were made with {} = {}, not {}: expected a fresh start or another "
                              "folder",
                              key, was.dump(), value.dump()));
      }
      const std::string text = read_text_file(runs);
      done_ = parse_runs_csv(text, runs.string());
      if (text.back() != '\n') rewrite(runs);  // the last line is incomplete
      return;
    }
    write_text_file(file, settings.dump(1) + "\n");
    rewrite(runs);
  }

  void rewrite(const std::filesystem::path& file) const {
    std::string text = csv_header();
    for (const RunRecord& run : done_) text += csv_line(run);
    write_text_file(file, text);
  }

  void run_all() {
    const std::vector<PlannedRun> planned =
        plan_runs(request_.tasks, request_.entrants, request_.settings.repetitions, done_);
    const std::filesystem::path file = request_.folder / "runs.csv";
    std::ofstream out(file, std::ios::app);
    std::set<std::pair<std::size_t, std::size_t>> warm, given_up;
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const PlannedRun& next = planned[i];
      const std::pair pair(next.task, next.entrant);
      if (given_up.contains(pair) || hopeless(next.task, next.entrant)) continue;
      const Task& task = request_.tasks[next.task];
      const Entrant& entrant = request_.entrants[next.entrant];
      if (request_.progress) {
        const double left = seconds_left(planned, i, request_.entrants, done_, request_.settings);
        request_.progress(fmt::format("{} of {}, about {} left: {} on {}", i,
                                      count_text(planned.size(), "run"), duration_text(left), entrant.name,
                                      task.name));
      }
      if (request_.settings.warm_up && warm.insert(pair).second) {
        BenchSettings brief = request_.settings;
        brief.seconds = std::min(brief.seconds, 1.0);
        measure(entrant, task, brief, request_.interrupt);
      }
      RunRecord run = measure(entrant, task, request_.settings, request_.interrupt);
      if (run.status == "interrupted") {
        result_.interrupted = true;
        return;
      }
      run.repetition = next.repetition;
      if (!run.solved()) given_up.insert(pair);
      out << csv_line(run) << std::flush;
      if (!out) throw InputError(file.string(), "cannot write");
      done_.push_back(std::move(run));
    }
  }

  // Whether the entrant has failed on `give_up_after` problems of the family in a row, right before this one.
  bool hopeless(std::size_t task, std::size_t entrant) const {
    if (request_.settings.give_up_after == 0) return false;
    int failed = 0;
    for (std::size_t before = task; before-- > 0 && failed < request_.settings.give_up_after;) {
      const Task& earlier = request_.tasks[before];
      if (earlier.family != request_.tasks[task].family) continue;
      const bool solved = std::any_of(done_.begin(), done_.end(), [&](const RunRecord& run) {
        return run.task == earlier.name && run.digest == earlier.digest &&
               run.entrant == request_.entrants[entrant].name && run.solved();
      });
      if (solved) return false;
      ++failed;
    }
    return failed == request_.settings.give_up_after;
  }

  void write_results() const {
    const auto write = [&](const char* name, const std::string& text) {
      write_text_file(request_.folder / name, text);
    };
    std::string csv = csv_header();
    for (const RunRecord& run : result_.runs) csv += csv_line(run);
    write("results.csv", csv);
    write("results.json", results_json(result_.table, result_.runs, request_.settings, request_.measure));
    std::vector<std::string> pictures = {"cactus.svg"};
    write("cactus.svg", cactus_plot(result_.table));
    if (const auto [x, y] = scatter_pair(); x != y) {
      write("scatter.svg", scatter_plot(result_.table, x, y));
      pictures.emplace_back("scatter.svg");
    }
    if (const std::string picture = horizon_plot(result_.table); !picture.empty()) {
      write("horizon.svg", picture);
      pictures.emplace_back("horizon.svg");
    }
    write("RESULTS.md", results_markdown(result_.table, result_.runs, request_.settings, request_.measure,
                                         request_.notes, pictures));
  }

  // Our best and the best other one, or the best two; the same one twice if there is only one.
  std::pair<std::size_t, std::size_t> scatter_pair() const {
    if (request_.scatter.size() == 2) {
      const auto number = [&](const std::string& name) {
        const auto found = std::find_if(request_.entrants.begin(), request_.entrants.end(),
                                        [&](const Entrant& entrant) { return entrant.name == name; });
        return static_cast<std::size_t>(found - request_.entrants.begin());
      };
      return {number(request_.scatter[0]), number(request_.scatter[1])};
    }
    const std::vector<EntrantScore> list = scores(result_.table);
    if (list.size() < 2) return {0, 0};
    const bool first_is_ours = request_.entrants[list[0].entrant].ours;
    for (const EntrantScore& score : list) {
      if (request_.entrants[score.entrant].ours != first_is_ours) return {list[0].entrant, score.entrant};
    }
    return {list[0].entrant, list[1].entrant};
  }

  const ComparisonRequest& request_;
  std::vector<RunRecord> done_;
  ComparisonResult result_;
};

}  // namespace

ComparisonResult compare(const ComparisonRequest& request) { return Runs(request).run(); }

}  // namespace bnnplan
