// Scores as the competitions count them: PAR-2 charges an unsolved problem with twice the limit.
#include "compare/scores.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace bnnplan {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

TimeTable time_table(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                     const std::vector<RunRecord>& runs, const BenchSettings& settings, Measure measure) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> times;
  std::map<std::pair<std::string, std::string>, bool> all_solved, any_refuted;
  for (const RunRecord& run : runs) {
    const std::pair key(run.entrant, run.task);
    const double seconds = measure == Measure::cpu ? run.cpu_seconds : run.seconds;
    const bool solved = run.solved() && seconds <= settings.seconds;
    times[key].push_back(seconds);
    all_solved.try_emplace(key, true).first->second &= solved;
    any_refuted[key] |= run.status == "refuted";
  }
  TimeTable table{tasks, entrants, {}, {}, settings.seconds};
  for (const Entrant& entrant : entrants) {
    auto& row = table.seconds.emplace_back();
    auto& refuted = table.refuted.emplace_back();
    for (const Task& task : tasks) {
      const auto found = times.find({entrant.name, task.name});
      const bool solved = found != times.end() && all_solved[found->first];
      row.push_back(solved ? std::optional(median(found->second)) : std::nullopt);
      refuted.push_back(any_refuted[{entrant.name, task.name}]);
    }
  }
  return table;
}

std::vector<EntrantScore> scores(const TimeTable& table, const std::string& family) {
  std::vector<EntrantScore> result;
  for (std::size_t e = 0; e < table.entrants.size(); ++e) {
    EntrantScore score;
    score.entrant = e;
    std::size_t count = 0;
    for (std::size_t t = 0; t < table.tasks.size(); ++t) {
      if (!family.empty() && table.tasks[t].family != family) continue;
      ++count;
      const auto& seconds = table.seconds[e][t];
      score.solved += seconds.has_value();
      score.refuted += table.refuted[e][t];
      score.total += seconds.value_or(0);
      score.par2 += seconds.value_or(2 * table.limit);
    }
    if (count > 0) score.par2 /= static_cast<double>(count);
    result.push_back(score);
  }
  double best = 0;
  for (const EntrantScore& score : result) best = best == 0 ? score.par2 : std::min(best, score.par2);
  for (EntrantScore& score : result) score.ratio = best > 0 ? score.par2 / best : 1;
  std::stable_sort(result.begin(), result.end(), [](const EntrantScore& a, const EntrantScore& b) {
    return a.solved != b.solved ? a.solved > b.solved : a.par2 < b.par2;
  });
  return result;
}

std::vector<std::string> families_of(const std::vector<Task>& tasks) {
  std::vector<std::string> families;
  for (const Task& task : tasks) {
    if (std::find(families.begin(), families.end(), task.family) == families.end())
      families.push_back(task.family);
  }
  return families;
}

std::vector<std::string> disagreements(const std::vector<RunRecord>& runs) {
  std::vector<std::string> lines;
  for (const RunRecord& run : runs) {
    if (run.status != "refuted") continue;
    std::string line = fmt::format("{}: {}", run.task, run.message);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> failures(const std::vector<RunRecord>& runs) {
  std::vector<std::string> lines;
  for (const RunRecord& run : runs) {
    if (run.status == "error") lines.push_back(fmt::format("{}: {}: {}", run.task, run.entrant, run.message));
  }
  return lines;
}

}  // namespace bnnplan
