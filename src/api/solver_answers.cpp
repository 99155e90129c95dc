// What the solvers of formulas and the suite answer. The texts of formulas are the last lines of the protocol
// of the evaluations of solvers.
#include <bnnplan/maxsat.hpp>
#include <bnnplan/pseudo_boolean.hpp>
#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"

namespace bnnplan {

namespace {

// Up to the values.
template <class Outcome, class Bound>
Answer solver_answer(const Outcome& outcome, const std::optional<Bound>& lower_bound) {
  Answer answer;
  answer.add("status", formula_status_text(outcome.status));
  answer.add("lower_bound", lower_bound);
  if (outcome.stopped != StopReason::none) {
    answer.add("stopped", stop_reason_text(outcome.stopped));
    answer.say(fmt::format("c stopped: {}\n", stop_reason_text(outcome.stopped)));
    if (lower_bound) answer.say(fmt::format("c lower bound {}\n", *lower_bound));
  }
  answer.say(fmt::format("s {}\n", solver_status_text(outcome.status)));
  return answer;
}

}  // namespace

Answer answer_of(const MaxSatOutcome& outcome, bool literals) {
  Answer answer = solver_answer(outcome, std::optional(outcome.lower_bound));
  answer.add("cost", outcome.cost);
  answer.add("conflicts", outcome.statistics.conflicts);
  answer.add("cores", outcome.statistics.cores);
  if (!outcome.model) return answer;
  answer.say("v ");
  for (std::size_t v = 0; v < outcome.model->size(); ++v) {
    const bool value = (*outcome.model)[v];
    if (literals)
      fmt::format_to(std::back_inserter(answer.text), "{}{} ", value ? "" : "-", v + 1);
    else
      answer.text += value ? '1' : '0';
  }
  answer.say(literals ? "0\n" : "\n");
  return answer;
}

Answer answer_of(const PbOutcome& outcome) {
  Answer answer = solver_answer(outcome, outcome.lower_bound);
  answer.add("value", outcome.value);
  answer.add("conflicts", outcome.conflicts);
  answer.add("neurons", outcome.neurons);
  if (!outcome.values) return answer;
  answer.say("v");
  for (std::size_t v = 0; v < outcome.values->size(); ++v)
    fmt::format_to(std::back_inserter(answer.text), " {}x{}", (*outcome.values)[v] != 0 ? "" : "-", v + 1);
  answer.say("\n");
  return answer;
}

Answer answer_of(const SuiteOptions& options, const SuiteResult& result) {
  const std::string index = (options.output / "index.csv").string();
  Answer answer;
  answer.add("made", result.made);
  answer.add("kept", result.kept);
  answer.add("unproved", result.unproved);
  answer.add("proofs", result.proofs);
  answer.add("interrupted", result.interrupted);
  answer.add("index", index);
  answer.add("entries", json_array_of(result.entries, [](const suite::SuiteEntry& entry) {
               JsonObject row;
               for (const std::string& column : suite::suite_columns())
                 row.push_back({column, entry.contains(column) ? entry.at(column) : ""});
               return row;
             }));
  answer.say(fmt::format("{} written, {} {} complete already; {} without a proved answer{}; index: {}\n",
                         count_text(result.made, "file"), result.kept, result.kept == 1 ? "was" : "were",
                         count_text(result.unproved, "problem"),
                         options.proof ? fmt::format(", {} checked", count_text(result.proofs, "proof")) : "",
                         printable(index)));
  if (result.interrupted) answer.say("interrupted; the same command continues from here\n");
  return answer;
}

}  // namespace bnnplan
