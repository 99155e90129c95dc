// Measuring: a process for each run, on one core, under limits. Our engines are charged for the whole
// process, including reading the problem and printing the plan; external solvers only for their own process,
// not for the writing of their input. That is to their advantage, and leaves no doubt about who is ahead.
#include "bnnplan/compare/measure.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bnnplan/base/child_process.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/engines/result_file.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::comparison {

namespace {

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t newline = text.rfind('\n');
  return printable(newline == text.npos ? text : text.substr(newline + 1), 300);
}

double real(const engines::ResultClaims& claims, std::string_view name, double otherwise) {
  for (const auto& [key, value] : claims.statistics) {
    if (key == name) return std::strtod(value.c_str(), nullptr);
  }
  return otherwise;
}

void read_outcome(const engines::ResultClaims& claims, bool ours, RunRecord& run) {
  run.status = claims.status.empty() ? "error" : claims.status;
  run.cost = claims.cost;
  run.lower_bound = claims.lower_bound;
  run.message = claims.stopped;
  if (ours) return;
  run.seconds = real(claims, "solver_seconds", run.seconds);
  run.cpu_seconds = real(claims, "solver_cpu_seconds", run.cpu_seconds);
  run.peak_mebibytes = real(claims, "solver_bytes", 0) / (1 << 20);
}

// What the run printed; null if that is not JSON.
JsonValue printed_json(const std::string& output) {
  try {
    return parse_json(output, "the output of a run");
  } catch (const InputError&) {
    return {nullptr};
  }
}

}  // namespace

RunRecord measure(const Entrant& entrant, const Task& task, const BenchOptions& options) {
  RunRecord run;
  run.task = task.name;
  run.entrant = entrant.name;
  run.digest = task.digest;
  ChildRequest child;
  child.command = {options.program.string(),
                   "plan",
                   task.file,
                   "-H",
                   fmt::format("{}", task.horizon),
                   "--json",
                   "--threads",
                   "1",
                   "--time-limit",
                   fmt::format("{}", options.seconds),
                   "--memory-limit",
                   fmt::format("{}", options.memory_mebibytes)};
  if (task.references == References::anywhere) child.command.emplace_back("--allow-outside");
  child.command.insert(child.command.end(), entrant.arguments.begin(), entrant.arguments.end());
  // The run enforces the limits itself; these are a safeguard.
  child.limits.seconds = options.seconds * 1.25 + 5;
  child.limits.memory_bytes = (options.memory_mebibytes * 5 / 4 + 64) << 20;
  child.limits.interrupt = options.interrupt;
  child.core = options.core;
  const ChildResult result = run_child(child);
  run.seconds = result.seconds;
  run.cpu_seconds = result.cpu_seconds;
  run.peak_mebibytes = static_cast<double>(result.peak_bytes) / (1 << 20);
  if (options.interrupt != nullptr && *options.interrupt) {
    run.status = "interrupted";
    return run;
  }
  const JsonValue root = printed_json(result.output);
  if (result.end == ChildEnd::exited && root.object() != nullptr) {
    read_outcome(engines::result_claims(root), entrant.ours, run);
    return run;
  }
  const std::string errors = last_line(result.errors);
  if (result.end == ChildEnd::stopped) {
    run.status = "unknown";
    run.message = fmt::format("{}, had to be killed", stop_reason_text(result.reason));
    run.seconds = run.cpu_seconds = options.seconds;
    return run;
  }
  run.status = "error";
  run.message = result.end == ChildEnd::exited
                    ? fmt::format("exit code {}{}{}", result.code, errors.empty() ? "" : ": ", errors)
                : result.end == ChildEnd::killed ? fmt::format("killed by signal {}", result.code)
                                                 : "could not be run";
  return run;
}

std::vector<RunRecord> relevant_runs(const std::vector<RunRecord>& done, const std::vector<Task>& tasks,
                                     const std::vector<Entrant>& entrants) {
  std::map<std::string, std::string> digests;
  for (const Task& task : tasks) digests[task.name] = task.digest;
  std::set<std::string> names;
  for (const Entrant& entrant : entrants) names.insert(entrant.name);
  std::vector<RunRecord> kept;
  for (const RunRecord& run : done) {
    const auto digest = digests.find(run.task);
    if (digest != digests.end() && digest->second == run.digest && names.contains(run.entrant))
      kept.push_back(run);
  }
  return kept;
}

std::vector<PlannedRun> plan_runs(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                                  int repetitions, const std::vector<RunRecord>& done) {
  std::set<std::tuple<std::string, std::string, int>> have;
  std::set<std::pair<std::string, std::string>> given_up;
  for (const RunRecord& run : relevant_runs(done, tasks, entrants)) {
    have.emplace(run.task, run.entrant, run.repetition);
    if (!run.solved()) given_up.emplace(run.task, run.entrant);
  }
  std::vector<PlannedRun> planned;
  for (int repetition = 1; repetition <= repetitions; ++repetition) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      for (std::size_t e = 0; e < entrants.size(); ++e) {
        const std::size_t who = (e + t + static_cast<std::size_t>(repetition - 1)) % entrants.size();
        const std::string& name = entrants[who].name;
        if (have.contains({tasks[t].name, name, repetition}) || given_up.contains({tasks[t].name, name}))
          continue;
        planned.push_back({t, who, repetition});
      }
    }
  }
  return planned;
}

double seconds_left(const std::vector<PlannedRun>& planned, std::size_t next,
                    const std::vector<Entrant>& entrants, const std::vector<RunRecord>& done,
                    const BenchOptions& options) {
  std::map<std::string, std::pair<double, int>> took;
  for (const RunRecord& run : done) {
    took[run.entrant].first += std::min(run.seconds, options.seconds);
    ++took[run.entrant].second;
  }
  double left = 0;
  for (std::size_t i = next; i < planned.size(); ++i) {
    const auto found = took.find(entrants[planned[i].entrant].name);
    left += found == took.end() ? options.seconds / 2 : found->second.first / found->second.second;
  }
  return left;
}

}  // namespace bnnplan::comparison
