// Answers of `bnnplan verify` as text and as JSON.
#include "verify/verify_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "base/json_text.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_changes_shown = 40;

std::string_view name_of(Norm norm) { return norm_names[static_cast<std::size_t>(norm)]; }

// "l1 distance 4"; of l2 the square is exact
std::string distance_text(Norm norm, const mpq_class& distance) {
  if (norm != Norm::l2) return fmt::format("{} distance {}", name_of(norm), exact_text(distance));
  return fmt::format("squared l2 distance {} (its root is {:.4g})", exact_text(distance),
                     std::sqrt(distance.get_d()));
}

std::string headline(const VerifyQuery& query, const VerifyOutcome& outcome, const std::string& class_text) {
  const std::string goal = query.target ? fmt::format("of class {}", class_text) : "classified otherwise";
  const std::string distance = distance_text(query.norm, outcome.distance);
  const std::string within =
      query.epsilon ? fmt::format(" within {} distance {}", name_of(query.norm), exact_text(*query.epsilon))
                    : "";
  switch (outcome.status) {
    case Status::optimal:
      if (query.epsilon) return fmt::format("not robust: an input {} at {}", goal, distance);
      return outcome.distance == 0 ? fmt::format("the given input is already {}", goal)
                                   : fmt::format("nearest: the nearest input {} is at {}", goal, distance);
    case Status::feasible:
      return fmt::format("found: an input {} at {}; nothing is nearer than {}", goal, distance,
                         exact_text(outcome.lower_bound));
    case Status::infeasible:
      return query.epsilon ? fmt::format("robust: no input{} is {}", within, goal)
                           : fmt::format("none: no input at all is {}", goal);
    case Status::unknown:
      return fmt::format("unknown: no input{} {} was found; nothing is nearer than {}", within, goal,
                         exact_text(outcome.lower_bound));
  }
  __builtin_unreachable();
}

std::string score_table(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome) {
  std::size_t width = 5;
  for (const std::string& name : network.outputs) width = std::max(width, printable(name).size());
  const bool changed = !outcome.changed_scores.empty();
  std::string text =
      fmt::format("  {:<{}}  {:>10}  {:>10}\n", "class", width, "score", changed ? "changed" : "");
  while (text[text.size() - 2] == ' ') text.erase(text.size() - 2, 1);
  for (std::size_t c = 0; c < network.outputs.size(); ++c) {
    text +=
        fmt::format("  {:<{}}  {:>10.3f}", printable(network.outputs[c]), width, outcome.scores[c].get_d());
    if (changed) text += fmt::format("  {:>10.3f}", outcome.changed_scores[c].get_d());
    if (c == query.label) text += "  label";
    if (changed && c == outcome.changed_class) text += "  the network's answer";
    text += '\n';
  }
  return text;
}

std::string change_list(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome) {
  std::string text;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < outcome.values.size(); ++i) {
    if (outcome.values[i] == query.values[i]) continue;
    if (++changes > most_changes_shown) continue;
    text += fmt::format("  {}: {} -> {}\n", printable(network.inputs[i]), exact_text(query.values[i]),
                        exact_text(outcome.values[i]));
  }
  if (changes > most_changes_shown) text += fmt::format("  and {} more\n", changes - most_changes_shown);
  return changes == 0 ? "" : fmt::format("{} changed:\n{}", count_text(changes, "input"), text);
}

std::string json_number(const mpq_class& number) {
  const std::string text = exact_text(number);
  return text.find('/') == std::string::npos ? text : quoted_json(text);
}

std::string json_list(const std::vector<mpq_class>& numbers) {
  std::string text = "[";
  for (const mpq_class& number : numbers) text += (text.size() > 1 ? ", " : "") + json_number(number);
  return text + "]";
}

}  // namespace

std::string_view status_word(Status status, bool epsilon) {
  switch (status) {
    case Status::optimal:
      return epsilon ? "not robust" : "nearest";
    case Status::feasible:
      return "found";
    case Status::infeasible:
      return epsilon ? "robust" : "none";
    case Status::unknown:
      return "unknown";
  }
  __builtin_unreachable();
}

std::string verify_text(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                        double seconds) {
  const std::string target = query.target ? printable(network.outputs[*query.target]) : "";
  std::string text = headline(query, outcome, target) + "\n";
  text += change_list(network, query, outcome) + score_table(network, query, outcome);
  if (!outcome.decided_by.empty()) text += fmt::format("decided by {}, ", outcome.decided_by);
  if (outcome.stopped != StopReason::none)
    text += fmt::format("stopped: {}, ", stop_reason_text(outcome.stopped));
  return text + fmt::format("{}, {}, {:.2f} s\n", count_text(outcome.evaluations, "evaluation"),
                            count_text(outcome.conflicts, "conflict"), seconds);
}

std::string verify_json(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                        double seconds) {
  std::string text = fmt::format("{{\"status\": \"{}\", \"norm\": \"{}\", \"label\": {}",
                                 status_word(outcome.status, query.epsilon.has_value()), name_of(query.norm),
                                 quoted_json(network.outputs[query.label]));
  if (query.target) text += fmt::format(", \"target\": {}", quoted_json(network.outputs[*query.target]));
  if (query.epsilon) text += fmt::format(", \"epsilon\": {}", json_number(*query.epsilon));
  text += fmt::format(", \"ties\": \"{}\"", tie_rule_names[static_cast<std::size_t>(query.ties)]);
  if (!outcome.values.empty()) {
    std::string changes;
    for (std::size_t i = 0; i < outcome.values.size(); ++i) {
      if (outcome.values[i] == query.values[i]) continue;
      changes += fmt::format("{}{{\"input\": {}, \"from\": {}, \"to\": {}}}", changes.empty() ? "" : ", ",
                             quoted_json(network.inputs[i]), json_number(query.values[i]),
                             json_number(outcome.values[i]));
    }
    text += fmt::format(", \"distance\": {}, \"class\": {}, \"changes\": [{}], \"changed_scores\": {}",
                        json_number(outcome.distance), quoted_json(network.outputs[outcome.changed_class]),
                        changes, json_list(outcome.changed_scores));
  }
  if (outcome.status != Status::infeasible)
    text += fmt::format(", \"lower_bound\": {}", json_number(outcome.lower_bound));
  text += fmt::format(", \"scores\": {}", json_list(outcome.scores));
  if (!outcome.decided_by.empty()) text += fmt::format(", \"decided_by\": \"{}\"", outcome.decided_by);
  if (outcome.stopped != StopReason::none)
    text += fmt::format(", \"stopped\": \"{}\"", stop_reason_text(outcome.stopped));
  return text + fmt::format(", \"evaluations\": {}, \"conflicts\": {}, \"seconds\": {:.3f}}}\n",
                            outcome.evaluations, outcome.conflicts, seconds);
}

}  // namespace bnnplan
