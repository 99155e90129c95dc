// The benchmark suite: 45 problems of four domains over several horizons, as files for any solver, with what
// our own planner found beside them.
//
// The index is written anew, through a temporary file, after every problem, and a problem's file is there
// (written the same way) before its line. So whenever the run is interrupted, a line means a complete file,
// and resuming is reading the index. Fingerprints in each line notice models that have changed, and files
// that are no longer what was written. A problem has a line for each file it was written to, so that several
// formats go into one folder.
#include "suite/suite.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/fingerprint.hpp"
#include "base/input_error.hpp"
#include "base/output_folder.hpp"
#include "base/text_file.hpp"
#include "engines/checked_run.hpp"
#include "model/simplify.hpp"
#include "model/unroll.hpp"
#include "network/network_file.hpp"
#include "problem/fd_sat_plan.hpp"
#include "problem/problem_file.hpp"

namespace bnnplan {

namespace {

struct Family {
  const char *name, *shipped, *published;  // its instances
  int first_horizon, last_horizon;
};

constexpr Family families[] = {{"navigation", "3x3", "3x3", 4, 10}, {"navigation", "4x4", "4x4", 4, 10},
                               {"navigation", "5x5", "5x5", 4, 10}, {"inventory", "2", "1", 5, 8},
                               {"inventory", "4", "2", 5, 8},       {"sysadmin", "4", "4", 2, 4},
                               {"sysadmin", "5", "5", 2, 4},        {"cellda", "x", "x", 8, 12},
                               {"cellda", "y", "y", 8, 12}};

// Puts the line where the order of the suite has it, in place of an older one.
void put_in_order(const SuiteEntry& entry, SuiteSource source, std::vector<SuiteEntry>& entries) {
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [&](const SuiteEntry& known) {
                                 return known.name == entry.name && known.file == entry.file;
                               }),
                entries.end());
  entries.push_back(entry);
  std::vector<std::string> order;
  for (const SuiteProblem& problem : suite_problems(source)) order.push_back(problem.name());
  const auto place = [&](const SuiteEntry& of) {
    return std::find(order.begin(), order.end(), of.name) - order.begin();
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const SuiteEntry& a, const SuiteEntry& b) { return place(a) < place(b); });
}

class Maker {
 public:
  explicit Maker(const SuiteOptions& options)
      : options_(options), wanted_(wanted_problems(options)), index_file_(options.output / "index.csv") {}

  SuiteResult make() {
    const OutputFolder folder(options_.output);
    if (std::filesystem::exists(index_file_)) {
      result_.entries = parse_suite_index(read_text_file(index_file_), index_file_.string());
    }
    for (std::size_t i = 0; i < wanted_.size() && !result_.interrupted; ++i) {
      if (options_.limits.interrupt != nullptr && *options_.limits.interrupt) {
        result_.interrupted = true;
      } else {
        make_one(i);
      }
    }
    return std::move(result_);
  }

 private:
  void make_one(std::size_t number) {
    const Problem problem = read(wanted_[number]);
    SuiteEntry entry;
    entry.name = wanted_[number].name();
    entry.horizon = problem.horizon;
    entry.file =
        fmt::format("{}.{}{}", entry.name,
                    options_.format->name == "wcnf-classic" ? "classic.wcnf" : options_.format->extension,
                    options_.packing.empty() ? "" : "." + options_.packing);
    entry.problem =
        fingerprint(problem_text(problem) + (problem.network ? network_text(*problem.network) : ""));
    if (complete(entry)) {
      ++result_.kept;
      report(number, entry.name, "complete already", true);
      return;
    }
    entry.shape = problem.network ? shape_text(*problem.network) : "";
    report(number, entry.name, "writing", false);
    try {
      write(problem, entry);
    } catch (const LimitReached&) {
      result_.interrupted = true;
      return;
    }
    report(number, entry.name, "planning", false);
    const Outcome outcome = plan(problem, entry);
    if (outcome.stopped == StopReason::interrupted) {
      result_.interrupted = true;
      return;
    }
    store(entry);
    ++result_.made;
    const bool proved =
        entry.status == status_text(Status::optimal) || entry.status == status_text(Status::infeasible);
    if (!proved) ++result_.unproved;
    report(number, entry.name,
           entry.optimum.empty() ? entry.status : fmt::format("{} {}", entry.status, entry.optimum), true);
  }

  Problem read(const SuiteProblem& wanted) const {
    Problem problem =
        options_.source == SuiteSource::published
            ? read_fd_sat_plan(options_.folder, wanted.family, wanted.instance)
            : read_problem(options_.folder / fmt::format("{}_{}.toml", wanted.family, wanted.instance));
    set_horizon(problem, wanted.horizon);
    return problem;
  }

  // Whether an earlier run has proved this problem and its file is there, whole.
  bool complete(const SuiteEntry& entry) const {
    for (const SuiteEntry& known : result_.entries) {
      if (known.name != entry.name || known.problem != entry.problem || known.file != entry.file) continue;
      if (known.status != status_text(Status::optimal) && known.status != status_text(Status::infeasible))
        continue;
      std::error_code error;
      const auto bytes = std::filesystem::file_size(options_.output / entry.file, error);
      return !error && static_cast<std::int64_t>(bytes) == known.bytes &&
             file_fingerprint(options_.output / entry.file) == known.content;
    }
    return false;
  }

  // Only an interrupt ends it: the time limit is for planning.
  void write(const Problem& problem, SuiteEntry& entry) const {
    Limits limits;
    limits.interrupt = options_.limits.interrupt;
    LimitWatch watch(limits);
    ZeroOneModel model = unroll(problem, &watch);
    entry.variables = model.layout.variable_count();
    entry.constraints = static_cast<std::int64_t>(model.rows.size());
    entry.neurons = static_cast<std::int64_t>(model.neurons.size());
    if (options_.format->clauses) model = simplify(std::move(model), &watch).model;
    const std::filesystem::path path = options_.output / entry.file;
    OutputFile file(path);
    file.set_watch(&watch);
    LoweringOptions lowering;
    lowering.watch = &watch;
    options_.format->write(model, lowering, file);
    file.commit();
    entry.bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    entry.content = file_fingerprint(path);
  }

  Outcome plan(const Problem& problem, SuiteEntry& entry) const {
    EngineRequest request;
    request.limits = options_.limits;
    Outcome outcome = run_checked(engines().front(), problem, request);
    entry.status = status_text(outcome.status);
    if (outcome.status == Status::optimal) entry.optimum = to_string(cost_in_units(problem, *outcome.cost));
    entry.engine = outcome.engine;
    entry.seconds = fmt::format("{:.3f}", outcome.seconds);
    return outcome;
  }

  void store(const SuiteEntry& entry) {
    put_in_order(entry, options_.source, result_.entries);
    write_text_file(index_file_, suite_index_text(result_.entries));
  }

  void report(std::size_t number, const std::string& name, const std::string& activity, bool finished) const {
    if (options_.progress)
      options_.progress({number + (finished ? 1 : 0), wanted_.size(), name, activity, finished});
  }

  const SuiteOptions& options_;
  std::vector<SuiteProblem> wanted_;
  std::filesystem::path index_file_;
  SuiteResult result_;
};

}  // namespace

std::string SuiteProblem::name() const { return fmt::format("{}_{}_{}", family, instance, horizon); }

std::vector<SuiteProblem> suite_problems(SuiteSource source) {
  std::vector<SuiteProblem> problems;
  for (const Family& family : families) {
    for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
      problems.push_back(
          {family.name, source == SuiteSource::published ? family.published : family.shipped, horizon});
    }
  }
  return problems;
}

SuiteResult make_suite(const SuiteOptions& options) { return Maker(options).make(); }

std::vector<SuiteProblem> wanted_problems(const SuiteOptions& options) {
  const std::vector<SuiteProblem> all = suite_problems(options.source);
  std::vector<std::string> names, family_names;
  for (const SuiteProblem& problem : all) names.push_back(problem.name());
  for (const Family& family : families) family_names.emplace_back(family.name);
  const auto check = [](const std::string& name, const std::vector<std::string>& known, const char* what) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string nearest = nearest_name(name, known);
    throw InputError(fmt::format("no {} '{}' in the suite{}", what, printable(name),
                                 nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest)));
  };
  if (!options.family.empty()) check(options.family, family_names, "family");
  for (const std::string& name : options.only) check(name, names, "problem");
  std::vector<SuiteProblem> wanted;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!options.family.empty() && all[i].family != options.family) continue;
    if (!options.only.empty() &&
        std::find(options.only.begin(), options.only.end(), names[i]) == options.only.end()) {
      continue;
    }
    wanted.push_back(all[i]);
  }
  if (wanted.empty())
    throw InputError("no problem of the suite is of that family and has one of those names");
  return wanted;
}

void take_suite_part(const std::filesystem::path& part, const std::filesystem::path& folder,
                     SuiteSource source) {
  const std::filesystem::path from = part / "index.csv", to = folder / "index.csv";
  const std::vector<SuiteEntry> added = parse_suite_index(read_text_file(from), from.string());
  std::vector<SuiteEntry> entries;
  if (std::filesystem::exists(to)) entries = parse_suite_index(read_text_file(to), to.string());
  move_suite_files(part, folder);
  for (const SuiteEntry& entry : added) put_in_order(entry, source, entries);
  write_text_file(to, suite_index_text(entries));
}

void move_suite_files(const std::filesystem::path& part, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(part)) {
    // What a process that was killed has left is no file of a suite.
    const bool unfinished = file.path().extension() == ".tmp" || file.path().filename().string()[0] == '.';
    if (file.path().filename() != "index.csv" && !unfinished) files.push_back(file.path());
  }
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    std::filesystem::rename(file, folder / file.filename(), error);
    if (error) throw InputError(file.string(), "cannot be moved: " + error.message());
  }
}

}  // namespace bnnplan
