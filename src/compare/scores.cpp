// Scores as the competitions count them: PAR-2 charges an unsolved problem with twice the limit.
#include "bnnplan/compare/scores.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace bnnplan::comparison {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string seconds_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3f}", seconds);
  return seconds < 100 ? fmt::format("{:.2f}", seconds) : fmt::format("{:.0f}", seconds);
}

// "3/5", or "3/5, 1 refuted".
std::string solved_text(const EntrantScore& score) {
  const std::string text = fmt::format("{}/{}", score.solved, score.problems);
  return score.refuted == 0 ? text : fmt::format("{}, {} refuted", text, score.refuted);
}

}  // namespace

std::vector<EntrantScore> scores(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                                 const std::vector<RunRecord>& runs, double limit,
                                 const std::string& family) {
  std::map<std::pair<std::string, std::string>, std::vector<const RunRecord*>> runs_of;
  for (const RunRecord& run : runs) runs_of[{run.entrant, run.task}].push_back(&run);
  std::vector<EntrantScore> result;
  for (const Entrant& entrant : entrants) {
    EntrantScore& score = result.emplace_back();
    score.entrant = entrant.name;
    for (const Task& task : tasks) {
      if (!family.empty() && task.family != family) continue;
      std::vector<double> times;
      bool solved = true, refuted = false;
      for (const RunRecord* run : runs_of[{entrant.name, task.name}]) {
        times.push_back(run->cpu_seconds);
        solved = solved && run->solved() && run->cpu_seconds <= limit;
        refuted = refuted || run->status == "refuted";
      }
      ++score.problems;
      score.refuted += refuted;
      if (solved && !times.empty()) {
        ++score.solved;
        score.total += median(times);
      }
    }
    const auto unsolved = static_cast<double>(score.problems - score.solved);
    if (score.problems > 0)
      score.par2 = (score.total + 2 * limit * unsolved) / static_cast<double>(score.problems);
  }
  double best = 0;
  for (const EntrantScore& score : result) best = best == 0 ? score.par2 : std::min(best, score.par2);
  for (EntrantScore& score : result) score.ratio = best > 0 ? score.par2 / best : 1;
  std::stable_sort(result.begin(), result.end(), [](const EntrantScore& a, const EntrantScore& b) {
    return a.solved != b.solved ? a.solved > b.solved : a.par2 < b.par2;
  });
  return result;
}

std::string score_table(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                        const std::vector<RunRecord>& runs, double limit) {
  std::vector<std::string> families;  // in order of occurrence
  std::size_t width = 7;
  for (const Entrant& entrant : entrants) width = std::max(width, entrant.name.size());
  for (const Task& task : tasks) {
    if (std::find(families.begin(), families.end(), task.family) != families.end()) continue;
    families.push_back(task.family);
    width = std::max(width, task.family.size());
  }
  if (families.size() == 1) families.clear();
  families.emplace_back();  // all of them
  std::string text;
  for (const std::string& family : families) {
    const std::vector<EntrantScore> list = scores(tasks, entrants, runs, limit, family);
    std::size_t solved_width = 8;
    for (const EntrantScore& score : list) solved_width = std::max(solved_width, solved_text(score).size());
    const auto line = [&](std::string_view name, std::string_view solved, std::string_view par2,
                          std::string_view total, std::string_view ratio) {
      text += fmt::format("{:<{}}  {:>{}}  {:>9}  {:>10}  {:>8}\n", name, width, solved, solved_width, par2,
                          total, ratio);
    };
    line(family.empty() ? "all" : family, "solved", "PAR-2", "total", "ratio");
    for (const EntrantScore& score : list) {
      line(score.entrant, solved_text(score), seconds_text(score.par2), seconds_text(score.total),
           fmt::format("{:.{}f}", score.ratio, score.ratio < 100 ? 1 : 0));
    }
    if (!family.empty()) text += "\n";
  }
  return text;
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

}  // namespace bnnplan::comparison
