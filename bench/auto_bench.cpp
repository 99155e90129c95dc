// `auto` against its own parts, in one table: every problem of the folder `frontier` in BNNPLAN_SHARED and
// the 45 published ones. Each engine alone on one thread in processor seconds, `auto` on one thread in
// processor seconds and on two in wall-clock seconds, one run after the other.
//
//   auto_bench [--cap S] [--only TEXT] [--without TEXT]
//
// The targets for `auto`: on one thread at most 3 times the best engine + 0.2 s, on two threads at most 1.3
// times the best (in wall-clock seconds) + 0.1 s. A line that misses a target ends with its name. Only the
// best engine matters, so the others are stopped soon after the best time so far (written with >); no run
// takes longer than --cap seconds (20). `auto` has 60.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "processor_seconds.hpp"
#include "published_families.hpp"
#include "support/frontier.hpp"
#include "support/published.hpp"

namespace {

using namespace bnnplan;
using bench::processor_seconds;

constexpr double auto_cap = 60, patience = 1.2, least_cap = 0.1;
constexpr std::size_t most_memory = std::size_t{4} << 30;

double cap_seconds = 20;
std::string only, leave_out;

// The README of the larger problems gives one of them a different horizon.
constexpr const char* longer = "sys_6";
constexpr int longer_horizon = 16;

struct Run {
  bool proved = false;
  double processor = 0, clock = 0;
  engines::Outcome outcome;
};

Run run(const char* engine, const Problem& problem, unsigned threads, double seconds) {
  engines::EngineRequest request;
  request.limits.seconds = seconds;
  request.limits.threads = threads;
  request.limits.memory_bytes = most_memory;
  Run run;
  const double before = processor_seconds();
  const Stopwatch stopwatch;
  run.outcome = engines::find_engine(engine)->run(problem, request);
  run.clock = stopwatch.seconds();
  run.processor = processor_seconds() - before;
  run.proved = run.outcome.status == Status::optimal || run.outcome.status == Status::infeasible;
  return run;
}

struct Totals {
  int problems = 0, proved_by_one = 0, proved_by_auto = 0, missed = 0;
} totals;

void line(const std::string& name, const Problem& problem) {
  if (name.find(only) == std::string::npos) return;
  if (!leave_out.empty() && name.find(leave_out) != std::string::npos) return;
  constexpr double never = std::numeric_limits<double>::infinity();
  double best = never, best_clock = never;
  std::string columns;
  for (const char* engine : {"search", "neuron", "maxsat"}) {
    const double cap = std::clamp(best_clock * patience, least_cap, cap_seconds);
    const Run alone = run(engine, problem, 1, cap);
    columns += fmt::format(" {:>9}", fmt::format("{}{:.3f}", alone.proved ? "" : ">", alone.processor));
    if (!alone.proved) continue;
    best = std::min(best, alone.processor);
    best_clock = std::min(best_clock, alone.clock);
  }
  const Run one = run("auto", problem, 1, auto_cap), two = run("auto", problem, 2, auto_cap);
  std::string verdict;
  const bool known = best < never;
  if (known && (!one.proved || one.processor > 3 * best + 0.2)) verdict += " one-thread";
  if (known && (!two.proved || two.clock > 1.3 * best_clock + 0.1)) verdict += " two-threads";
  ++totals.problems;
  totals.proved_by_one += one.proved ? 1 : 0;
  totals.proved_by_auto += two.proved ? 1 : 0;
  totals.missed += verdict.empty() ? 0 : 1;
  const auto text = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "-";
  };
  const std::string optimum =
      two.proved ? text(two.outcome.cost)
                 : fmt::format("[{},{}]", text(two.outcome.lower_bound), text(two.outcome.cost));
  fmt::print("{:<22} {:>3} {:>9}{} {:>9} {:>9}{}\n", name, problem.horizon, optimum, columns,
             fmt::format("{}{:.3f}", one.proved ? "" : ">", one.processor),
             fmt::format("{}{:.3f}", two.proved ? "" : ">", two.clock),
             verdict.empty() ? "" : "  missed:" + verdict);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--cap") cap_seconds = std::atof(argv[i + 1]);
    if (option == "--only") only = argv[i + 1];
    if (option == "--without") leave_out = argv[i + 1];
  }
  fmt::print("{:<22} {:>3} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "problem", "H", "optimum", "search",
             "neuron", "maxsat", "auto 1", "auto 2");
  if (std::filesystem::is_directory(testing::frontier_folder())) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(testing::frontier_folder())) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      Problem problem = read_problem(file);
      if (file.stem() == longer) set_horizon(problem, longer_horizon);
      line(file.stem().string(), problem);
    }
  } else {
    fmt::print("no larger problems at {} (set BNNPLAN_SHARED)\n", testing::frontier_folder().string());
  }
  if (testing::published_present()) {
    for (const bench::PublishedFamily& family : bench::published_families) {
      Problem problem = read_fd_sat_plan(testing::published_folder(), family.domain, family.instance);
      for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
        set_horizon(problem, horizon);
        line(fmt::format("{}_{}", family.domain, family.instance), problem);
      }
    }
  } else {
    fmt::print("no published files at {} (set BNNPLAN_PUBLISHED)\n", testing::published_folder().string());
  }
  fmt::print("{} problems; auto proves {} on one thread, {} on two; {} missed\n", totals.problems,
             totals.proved_by_one, totals.proved_by_auto, totals.missed);
}
