// The whole comparison. settings.json in the folder records the rules, and the program, that the runs there
// were made with: results under other rules are not mixed with them. It also says what the tables need to
// know of problems and entrants beyond their names.
#include "bnnplan/compare/bench.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sched.h>
#include <sys/utsname.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/output_folder.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/compare/measure.hpp"
#include "bnnplan/compare/refutation.hpp"
#include "bnnplan/engines/engine.hpp"

namespace bnnplan::comparison {

namespace {

using Json = nlohmann::ordered_json;

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// The last core this process may use: the first ones are the busiest.
std::optional<int> last_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return std::nullopt;
  for (int core = CPU_SETSIZE; core-- > 0;) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &cores)) return core;
  }
  return std::nullopt;
}

// The machine in a few words: processor, cores, memory, system.
std::string machine_text() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) processor = line.substr(colon + 2);
    break;
  }
  utsname system{};
  ::uname(&system);
  return fmt::format("{}, {}, {:.0f} GiB of memory, {} {}", processor,
                     count_text(std::thread::hardware_concurrency(), "core"),
                     static_cast<double>(machine_memory()) / (1 << 30), system.sysname, system.release);
}

class Runs {
 public:
  explicit Runs(const BenchOptions& options) : options_(options) {
    for (const std::string& problem : options.problems) {
      std::vector<Task> tasks = tasks_of(problem, options.references);
      std::move(tasks.begin(), tasks.end(), std::back_inserter(tasks_));
    }
    if (!options.family_end.empty()) cut_families(tasks_, options.family_end);
    for (const std::string& engine : options.engines) entrants_.push_back(engine_entrant(engine));
    if (options.engines.empty() && options.solvers.empty()) {
      for (const engines::Engine& engine : engines::all_engines()) {
        if (engine.name != "external") entrants_.push_back(engine_entrant(std::string(engine.name)));
      }
    }
    for (const std::string& solver : options.solvers) entrants_.push_back(solver_entrant(solver));
    if (!options.core && !options.any_core) options_.core = last_core();
    check_names();
  }

  BenchResult run() {
    const OutputFolder folder(options_.folder);
    read_earlier_runs();
    BenchResult result;
    result.interrupted = !run_all();
    result.runs = with_refutations(relevant_runs(done_, tasks_, entrants_), done_, tasks_);
    result.scores = scores(tasks_, entrants_, result.runs, options_.seconds);
    result.table = score_table(tasks_, entrants_, result.runs, options_.seconds);
    result.disagreements = disagreements(result.runs);
    result.failures = failures(result.runs);
    return result;
  }

 private:
  void check_names() const {
    std::set<std::string> tasks, entrants;
    for (const Task& task : tasks_) {
      if (!tasks.insert(task.name).second)
        throw InputError(fmt::format("problem {} is given twice", printable(task.name)));
    }
    for (const Entrant& entrant : entrants_) {
      if (!entrants.insert(entrant.name).second)
        throw InputError(fmt::format("{} is given twice", printable(entrant.name)));
    }
    if (tasks_.empty()) throw InputError("nothing to run: no problems");
  }

  // Also writes settings.json, and starts runs.csv if there is none to continue.
  void read_earlier_runs() {
    Json settings;
    settings["seconds"] = options_.seconds;
    settings["memory_mib"] = options_.memory_mebibytes;
    settings["core"] = options_.core ? Json(*options_.core) : Json();
    settings["program"] = file_fingerprint(options_.program);
    const std::filesystem::path file = options_.folder / "settings.json", runs = options_.folder / "runs.csv";
    const bool continues = std::filesystem::exists(runs) && !options_.fresh;
    if (continues) {
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
    }
    settings["machine"] = machine_text();
    settings["repetitions"] = options_.repetitions;
    settings["warm_up"] = !options_.cold;
    settings["give_up"] = options_.give_up_after.value_or(0);
    for (const Task& task : tasks_) {
      settings["problems"].push_back({{"name", task.name},
                                      {"family", task.family},
                                      {"horizon", task.horizon},
                                      {"digest", task.digest},
                                      {"reward", task.maximize}});
    }
    for (const Entrant& entrant : entrants_)
      settings["entrants"].push_back({{"name", entrant.name}, {"ours", entrant.ours}});
    write_text_file(file, settings.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    if (!continues) rewrite(runs);
  }

  void rewrite(const std::filesystem::path& file) const {
    std::string text = csv_header();
    for (const RunRecord& run : done_) text += csv_line(run);
    write_text_file(file, text);
  }

  // False if it was interrupted.
  bool run_all() {
    const std::vector<PlannedRun> planned = plan_runs(tasks_, entrants_, options_.repetitions, done_);
    const std::filesystem::path file = options_.folder / "runs.csv";
    std::set<std::pair<std::size_t, std::size_t>> warm, given_up;
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const PlannedRun& next = planned[i];
      const std::pair pair(next.task, next.entrant);
      if (given_up.contains(pair) || hopeless(next.task, next.entrant)) continue;
      const Task& task = tasks_[next.task];
      const Entrant& entrant = entrants_[next.entrant];
      if (options_.progress) {
        const double left = seconds_left(planned, i, entrants_, done_, options_);
        options_.progress(fmt::format("{} of {}, about {} left: {} on {}", i,
                                      count_text(planned.size(), "run"), duration_text(left), entrant.name,
                                      task.name));
      }
      if (!options_.cold && warm.insert(pair).second) {
        BenchOptions brief = options_;
        brief.seconds = std::min(brief.seconds, 1.0);
        measure(entrant, task, brief);
      }
      RunRecord run = measure(entrant, task, options_);
      if (run.status == "interrupted") return false;
      run.repetition = next.repetition;
      if (!run.solved()) given_up.insert(pair);
      std::ofstream out(file, std::ios::app);
      out << csv_line(run) << std::flush;
      if (!out) throw InputError(file.string(), fmt::format("cannot write: {}", std::strerror(errno)));
      done_.push_back(std::move(run));
    }
    return true;
  }

  // Whether the entrant has failed on `give_up_after` problems of the family in a row, right before this one.
  bool hopeless(std::size_t task, std::size_t entrant) const {
    if (!options_.give_up_after) return false;
    int failed = 0;
    for (std::size_t before = task; before-- > 0 && failed < *options_.give_up_after;) {
      const Task& earlier = tasks_[before];
      if (earlier.family != tasks_[task].family) continue;
      const bool solved = std::any_of(done_.begin(), done_.end(), [&](const RunRecord& run) {
        return run.task == earlier.name && run.digest == earlier.digest &&
               run.entrant == entrants_[entrant].name && run.solved();
      });
      if (solved) return false;
      ++failed;
    }
    return failed == options_.give_up_after;
  }

  BenchOptions options_;
  std::vector<Task> tasks_;
  std::vector<Entrant> entrants_;
  std::vector<RunRecord> done_;
};

}  // namespace

BenchResult compare(const BenchOptions& options) { return Runs(options).run(); }

}  // namespace bnnplan::comparison
