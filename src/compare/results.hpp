#pragma once

#include <string>
#include <vector>

#include "compare/scores.hpp"

namespace bnnplan {

// The machine in a few words: processor, cores, memory, system.
std::string machine_text();

// Scores for a terminal: over all tasks, then per family.
std::string score_table(const TimeTable& table);

// The results of a comparison, as a page in Markdown: machine and rules, tables, ratios of our best entrant
// to the best other one, times of each task; `pictures` are names of SVG files to show.
std::string results_markdown(const TimeTable& table, const std::vector<RunRecord>& runs,
                             const BenchSettings& settings, Measure measure,
                             const std::vector<std::string>& notes, const std::vector<std::string>& pictures);

// Everything as one JSON object (docs/bench.md).
std::string results_json(const TimeTable& table, const std::vector<RunRecord>& runs,
                         const BenchSettings& settings, Measure measure);

}  // namespace bnnplan
