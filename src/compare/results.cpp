// The presentation of a comparison. The Markdown page is meant to be kept: it records the machine and the
// rules.
#include "compare/results.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "base/count_text.hpp"
#include "base/json_text.hpp"
#include "base/limits.hpp"
#include "base/markup.hpp"
#include "problem/worth.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

std::string seconds_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3f}", seconds);
  return seconds < 100 ? fmt::format("{:.2f}", seconds) : fmt::format("{:.0f}", seconds);
}

std::string ratio_text(double ratio) {
  return ratio < 100 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio);
}

std::size_t count_of(const TimeTable& table, const std::string& family) {
  return static_cast<std::size_t>(
      std::count_if(table.tasks.begin(), table.tasks.end(),
                    [&](const Task& task) { return family.empty() || task.family == family; }));
}

// "3/5", or "3/5, 1 refuted".
std::string solved_text(const TimeTable& table, const EntrantScore& score, const std::string& family) {
  const std::string text = fmt::format("{}/{}", score.solved, count_of(table, family));
  return score.refuted == 0 ? text : fmt::format("{}, {} refuted", text, score.refuted);
}

// A note is Markdown by its author, but must be one line.
std::string in_one_line(std::string note) {
  for (char& c : note) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return note;
}

// The best score of ours or of the others; nullptr if there is none of that kind.
const EntrantScore* best_of(const std::vector<EntrantScore>& list, const TimeTable& table, bool ours) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const EntrantScore& score) {
    return table.entrants[score.entrant].ours == ours;
  });
  return found == list.end() ? nullptr : &*found;
}

std::string measure_text(Measure measure) {
  return measure == Measure::cpu ? "CPU seconds" : "seconds of wall time";
}

// The cost of the task, or its reward if it has one.
std::string optimum_text(const std::vector<RunRecord>& runs, const Task& task) {
  std::optional<Decimal> cheapest;
  for (const RunRecord& run : runs) {
    if (run.task != task.name) continue;
    if (run.status == "infeasible") return "none";
    if (run.status == "optimal" && run.cost)
      return task.maximize ? worth_text(true, *run.cost) : worth_number(false, *run.cost);
    if (run.cost && (!cheapest || *run.cost < *cheapest)) cheapest = run.cost;
  }
  if (!cheapest) return "-";
  return (task.maximize ? ">= " : "<= ") + worth_number(task.maximize, *cheapest);
}

}  // namespace

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

std::string score_table(const TimeTable& table) {
  std::size_t width = 7;
  for (const Entrant& entrant : table.entrants) width = std::max(width, entrant.name.size());
  std::string text;
  const auto append = [&](const std::string& title, const std::string& family) {
    const std::vector<EntrantScore> list = scores(table, family);
    std::size_t solved_width = 8;
    for (const EntrantScore& score : list)
      solved_width = std::max(solved_width, solved_text(table, score, family).size());
    text += fmt::format("{:<{}}  {:>{}}  {:>9}  {:>10}  {:>8}\n", title, width, "solved", solved_width,
                        "PAR-2", "total", "ratio");
    for (const EntrantScore& score : list) {
      text += fmt::format("{:<{}}  {:>{}}  {:>9}  {:>10}  {:>8}\n", table.entrants[score.entrant].name, width,
                          solved_text(table, score, family), solved_width, seconds_text(score.par2),
                          seconds_text(score.total), ratio_text(score.ratio));
    }
  };
  const std::vector<std::string> families = families_of(table.tasks);
  for (const std::string& family : families) {
    width = std::max(width, family.size());
  }
  if (families.size() > 1) {
    for (const std::string& family : families) {
      append(family, family);
      text += "\n";
    }
  }
  append("all", "");
  return text;
}

std::string results_markdown(const TimeTable& table, const std::vector<RunRecord>& runs,
                             const BenchSettings& settings, Measure measure,
                             const std::vector<std::string>& notes,
                             const std::vector<std::string>& pictures) {
  std::string text = "# Results of a comparison\n\nWritten by `bnnplan bench`, by these rules:\n\n";
  text += fmt::format("- machine: {}\n", machine_text());
  text += fmt::format("- one process for each run{}, limits {} s and {} MiB, {} {}{}\n",
                      settings.core ? " on one core" : "", settings.seconds, settings.memory_mebibytes,
                      settings.repetitions,
                      settings.repetitions == 1 ? "run each" : "runs each, the median counts",
                      settings.warm_up ? ", after a warm-up" : "");
  text += fmt::format(
      "- times are {}; ours of the whole process, those of other solvers without the writing of their "
      "input\n- solved: proved optimal or proved infeasible, within the limits; every plan is replayed by an "
      "independent checker, and a claim that a plan refutes counts as not solved\n"
      "- PAR-2: the mean time, an unsolved problem counted with twice the limit; total: the time on what was "
      "solved\n",
      measure_text(measure));
  if (settings.give_up_after == 1) {
    text +=
        "- an entrant that does not solve a problem is not run on the later ones of its family, which count "
        "as not "
        "solved\n";
  } else if (settings.give_up_after > 1) {
    text += fmt::format(
        "- an entrant that does not solve {} problems of a family in a row is not run on its later ones, "
        "which count as "
        "not solved\n",
        settings.give_up_after);
  }
  for (const std::string& note : notes) text += fmt::format("- {}\n", in_one_line(note));
  const auto disagreeing = disagreements(runs), failed = failures(runs);
  if (disagreeing.empty()) {
    text += "- all answers agree: no plan is better than what another entrant proved\n";
  } else {
    text += "\n**The entrants disagree:**\n\n";
    for (const std::string& line : disagreeing)
      text += fmt::format("- {}\n", markdown_escaped("refuted: " + line));
  }
  if (!failed.empty()) {
    text += "\nRuns that failed:\n\n";
    for (const std::string& line : failed) text += fmt::format("- {}\n", markdown_escaped(line));
  }
  const auto name_of = [&](const EntrantScore& score) {
    return markdown_escaped(table.entrants[score.entrant].name);
  };
  const auto table_of = [&](const std::string& family) {
    text += "\n| entrant | solved | PAR-2 | total | ratio to the best |\n|---|---|---|---|---|\n";
    for (const EntrantScore& score : scores(table, family)) {
      text += fmt::format("| {} | {} | {} | {} | {} |\n", name_of(score), solved_text(table, score, family),
                          seconds_text(score.par2), seconds_text(score.total), ratio_text(score.ratio));
    }
  };
  text += fmt::format("\n## {}{}\n", table.tasks.size() == 1 ? "" : "All ",
                      count_text(table.tasks.size(), "problem"));
  table_of("");
  const std::vector<std::string> families = families_of(table.tasks);
  if (best_of(scores(table), table, true) != nullptr && best_of(scores(table), table, false) != nullptr) {
    text +=
        "\n## Our best engine against the best other solver\n\n"
        "| family | ours | solved | PAR-2 | best other | solved | PAR-2 | it takes "
        "|\n|---|---|---|---|---|---|---|---|\n";
    std::vector<std::string> rows = families;
    rows.emplace_back();
    for (const std::string& family : rows) {
      const auto list = scores(table, family);
      const EntrantScore *ours = best_of(list, table, true), *other = best_of(list, table, false);
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} times ours |\n",
                          family.empty() ? "all" : markdown_escaped(family), name_of(*ours),
                          solved_text(table, *ours, family), seconds_text(ours->par2), name_of(*other),
                          solved_text(table, *other, family), seconds_text(other->par2),
                          ratio_text(ours->par2 > 0 ? other->par2 / ours->par2 : 1));
    }
  }
  for (const std::string& picture : pictures) text += fmt::format("\n![]({})\n", picture);
  if (families.size() > 1) {
    text += "\n## By family\n";
    for (const std::string& family : families) {
      text += fmt::format("\n### {}\n", markdown_escaped(family));
      table_of(family);
    }
  }
  std::set<std::pair<std::string, std::string>> ran;
  for (const RunRecord& run : runs) ran.emplace(run.entrant, run.task);
  text += fmt::format(
      "\n## Each problem\n\n{}; - means not solved within the limits, refuted a wrong claim{}.\n\n"
      "| problem | optimum |",
      measure_text(measure), settings.give_up_after > 0 ? ", not run a problem that was skipped" : "");
  for (const Entrant& entrant : table.entrants) text += fmt::format(" {} |", markdown_escaped(entrant.name));
  text += "\n|---|---|";
  for (std::size_t e = 0; e < table.entrants.size(); ++e) text += "---|";
  text += "\n";
  for (std::size_t t = 0; t < table.tasks.size(); ++t) {
    text +=
        fmt::format("| {} | {} |", markdown_escaped(table.tasks[t].name), optimum_text(runs, table.tasks[t]));
    for (std::size_t e = 0; e < table.entrants.size(); ++e) {
      const auto& seconds = table.seconds[e][t];
      const bool tried = ran.contains({table.entrants[e].name, table.tasks[t].name});
      text += fmt::format(" {} |", seconds               ? seconds_text(*seconds)
                                   : table.refuted[e][t] ? "refuted"
                                   : tried               ? "-"
                                                         : "not run");
    }
    text += "\n";
  }
  return text;
}

// Runs are written by hand: their costs are exact decimals, which the library would turn into doubles.
std::string results_json(const TimeTable& table, const std::vector<RunRecord>& runs,
                         const BenchSettings& settings, Measure measure) {
  const auto number = [](const std::optional<Decimal>& value) { return value ? to_string(*value) : "null"; };
  const auto real = [](double value) { return Json(value).dump(); };
  Json root;
  root["machine"] = machine_text();
  root["seconds"] = settings.seconds;
  root["memory_mib"] = settings.memory_mebibytes;
  root["repetitions"] = settings.repetitions;
  root["core"] = settings.core ? Json(*settings.core) : Json();
  root["measure"] = measure == Measure::cpu ? "cpu" : "wall";
  root["disagreements"] = disagreements(runs);
  root["failures"] = failures(runs);
  root["scores"] = Json::array();
  for (const EntrantScore& score : scores(table)) {
    root["scores"].push_back({{"entrant", table.entrants[score.entrant].name},
                              {"ours", table.entrants[score.entrant].ours},
                              {"solved", score.solved},
                              {"refuted", score.refuted},
                              {"tasks", table.tasks.size()},
                              {"par2", score.par2},
                              {"total", score.total},
                              {"ratio", score.ratio}});
  }
  std::string text = root.dump(1, ' ', false, Json::error_handler_t::replace);
  text.resize(text.rfind('}'));
  while (text.back() == '\n') text.pop_back();
  text += ",\n \"runs\": [";
  std::map<std::string, const Task*> tasks;
  for (const Task& task : table.tasks) tasks[task.name] = &task;
  for (const RunRecord& run : runs) {
    text += fmt::format(
        "{}\n  {{\"task\": {}, \"family\": {}, \"horizon\": {}, \"entrant\": {}, \"repetition\": {}, "
        "\"status\": {}, \"cost\": {}, \"lower_bound\": {}, \"seconds\": {}, \"cpu_seconds\": {}, "
        "\"peak_mib\": {}, \"message\": {}}}",
        &run == &runs.front() ? "" : ",", quoted_json(run.task), quoted_json(tasks.at(run.task)->family),
        tasks.at(run.task)->horizon, quoted_json(run.entrant), run.repetition, quoted_json(run.status),
        number(run.cost), number(run.lower_bound), real(run.seconds), real(run.cpu_seconds),
        real(run.peak_mebibytes), quoted_json(run.message));
  }
  return text + "\n ]\n}\n";
}

}  // namespace bnnplan
