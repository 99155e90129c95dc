// Answers about two networks, explanations, counts and linear properties as text and as JSON.
#include "verify/answer_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "base/json_text.hpp"
#include "network/reference_inference.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_inputs_listed = 60;

// A number, or a string such as "1/3".
std::string exact_json(const mpq_class& number) {
  const std::string text = exact_text(number);
  return text.find('/') == std::string::npos ? text : quoted_json(text);
}

std::string exact_list(const std::vector<mpq_class>& numbers) {
  std::string text = "[";
  for (const mpq_class& number : numbers) text += (text.size() > 1 ? ", " : "") + exact_json(number);
  return text + "]";
}

std::string within_text(const Region& region) {
  if (!region.values) return "on all inputs";
  if (!region.epsilon) return "anywhere";
  return fmt::format("within {} distance {}", norm_names[static_cast<std::size_t>(region.norm)],
                     exact_text(*region.epsilon));
}

// The numbers of an input: all of them, or those that differ from another input.
std::string input_text(const Network& network, const std::vector<mpq_class>& values,
                       const std::optional<std::vector<mpq_class>>& from) {
  std::string text;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (from && values[i] == (*from)[i]) continue;
    if (++listed > most_inputs_listed) continue;
    text += from ? fmt::format("  {}: {} -> {}\n", printable(network.inputs[i]), exact_text((*from)[i]),
                               exact_text(values[i]))
                 : fmt::format("  {} = {}\n", printable(network.inputs[i]), exact_text(values[i]));
  }
  if (listed > most_inputs_listed)
    text += fmt::format("  and {} more, all in the JSON output\n", listed - most_inputs_listed);
  if (!from) return text;
  return listed == 0 ? "the given input, unchanged\n"
                     : fmt::format("{} changed:\n{}", count_text(listed, "input"), text);
}

std::string output_table(const Network& network, const std::vector<mpq_class>& one, std::string_view one_name,
                         const std::vector<mpq_class>& other, std::string_view other_name) {
  std::size_t width = 6;
  for (const std::string& name : network.outputs) width = std::max(width, printable(name).size());
  const std::size_t columns = std::max({std::size_t{10}, one_name.size(), other_name.size()});
  std::string text =
      fmt::format("  {:<{}}  {:>{}}", is_classifier(network) ? "class" : "output", width, one_name, columns);
  if (!other.empty()) text += fmt::format("  {:>{}}", other_name, columns);
  text += '\n';
  for (std::size_t c = 0; c < network.outputs.size(); ++c) {
    text += fmt::format("  {:<{}}  {:>{}.3f}", printable(network.outputs[c]), width, one[c].get_d(), columns);
    if (!other.empty()) text += fmt::format("  {:>{}.3f}", other[c].get_d(), columns);
    text += '\n';
  }
  return text;
}

template <class Outcome>
std::string end_text(const Outcome& outcome, double seconds) {
  std::string text;
  if (!outcome.decided_by.empty()) text += fmt::format("decided by {}, ", outcome.decided_by);
  if (outcome.stopped != StopReason::none)
    text += fmt::format("stopped: {}, ", stop_reason_text(outcome.stopped));
  return text + fmt::format("{}, {}, {:.2f} s\n", count_text(outcome.evaluations, "evaluation"),
                            count_text(outcome.conflicts, "conflict"), seconds);
}

template <class Outcome>
std::string end_json(const Outcome& outcome, double seconds) {
  std::string text;
  if (!outcome.decided_by.empty()) text += fmt::format(", \"decided_by\": \"{}\"", outcome.decided_by);
  if (outcome.stopped != StopReason::none)
    text += fmt::format(", \"stopped\": \"{}\"", stop_reason_text(outcome.stopped));
  return text + fmt::format(", \"evaluations\": {}, \"conflicts\": {}, \"seconds\": {:.3f}}}\n",
                            outcome.evaluations, outcome.conflicts, seconds);
}

std::string distance_json(const Region& region, const JointOutcome& outcome) {
  if (!region.values) return "";
  std::string text = fmt::format(", \"norm\": \"{}\"", norm_names[static_cast<std::size_t>(region.norm)]);
  if (region.epsilon) text += fmt::format(", \"epsilon\": {}", exact_json(*region.epsilon));
  if (!outcome.values.empty()) text += fmt::format(", \"distance\": {}", exact_json(outcome.distance));
  if (!region.epsilon && outcome.status != Status::infeasible)
    text += fmt::format(", \"lower_bound\": {}", exact_json(outcome.lower_bound));
  return text;
}

std::string input_names_json(const Network& network, const std::vector<std::uint32_t>& inputs) {
  std::string text = "[";
  for (const std::uint32_t input : inputs)
    text += (text.size() > 1 ? ", " : "") + quoted_json(network.inputs[input]);
  return text + "]";
}

std::string_view equal_word(Status status) {
  switch (status) {
    case Status::optimal:
    case Status::feasible:
      return "different";
    case Status::infeasible:
      return "equal";
    case Status::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string equal_text(const Network& first, const Region& region, const JointOutcome& outcome,
                       double seconds) {
  std::string text;
  switch (outcome.status) {
    case Status::infeasible:
      text = fmt::format("equal: proved {}\n", within_text(region));
      break;
    case Status::unknown:
      text = fmt::format("unknown: no difference was found {}\n", within_text(region));
      break;
    default:
      text = "different";
      if (region.values) {
        text += fmt::format(
            ": an input at {} distance {}{}",
            region.norm == Norm::l2 ? "squared l2" : norm_names[static_cast<std::size_t>(region.norm)],
            exact_text(outcome.distance),
            region.epsilon ? ""
            : outcome.status == Status::optimal
                ? ", and none is nearer"
                : fmt::format("; nothing is nearer than {}", exact_text(outcome.lower_bound)));
      }
      text += '\n' + input_text(first, outcome.values, region.values);
      text += output_table(first, outcome.scores, "first", outcome.other_scores, "second");
  }
  return text + end_text(outcome, seconds);
}

std::string equal_json(const Network&, const Region& region, const JointOutcome& outcome, double seconds) {
  std::string text = fmt::format("{{\"status\": \"{}\"", equal_word(outcome.status));
  text += distance_json(region, outcome);
  if (!outcome.values.empty())
    text += fmt::format(", \"input\": {}, \"scores\": {}, \"other_scores\": {}", exact_list(outcome.values),
                        exact_list(outcome.scores), exact_list(outcome.other_scores));
  return text + end_json(outcome, seconds);
}

std::string monotone_text(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                          double seconds) {
  const std::string what =
      fmt::format("{} {} in {}",
                  query.by_class           ? "class"
                  : is_classifier(network) ? "the score of"
                                           : "output",
                  printable(network.outputs[query.output]), printable(network.inputs[query.input]));
  const std::string way = query.increasing ? "increasing" : "decreasing";
  std::string text;
  switch (outcome.status) {
    case Status::infeasible:
      text = fmt::format("monotone: {} is {}, proved {}\n", what, way, within_text(query.region));
      break;
    case Status::unknown:
      text = fmt::format("unknown: neither proved nor refuted that {} is {} {}\n", what, way,
                         within_text(query.region));
      break;
    default:
      text = fmt::format("not monotone: {} is not {}\n", what, way);
      text +=
          fmt::format("  {}: {} -> {}\n", printable(network.inputs[query.input]),
                      exact_text(outcome.values[query.input]), exact_text(outcome.other_values[query.input]));
      text += "with the other inputs at\n";
      std::vector<mpq_class> others = outcome.values;
      if (query.region.values) others[query.input] = (*query.region.values)[query.input];
      text += input_text(network, others, query.region.values);
      text += output_table(network, outcome.scores, "before", outcome.other_scores, "after");
  }
  return text + end_text(outcome, seconds);
}

std::string monotone_json(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                          double seconds) {
  const bool found = !outcome.values.empty();
  std::string text = fmt::format(
      "{{\"status\": \"{}\", \"input\": {}, \"output\": {}, \"direction\": \"{}\", \"of\": \"{}\"",
      found                                  ? "not monotone"
      : outcome.status == Status::infeasible ? "monotone"
                                             : "unknown",
      quoted_json(network.inputs[query.input]), quoted_json(network.outputs[query.output]),
      query.increasing ? "increasing" : "decreasing", query.by_class ? "class" : "score");
  if (found)
    text += fmt::format(", \"before\": {}, \"after\": {}, \"scores\": {}, \"other_scores\": {}",
                        exact_list(outcome.values), exact_list(outcome.other_values),
                        exact_list(outcome.scores), exact_list(outcome.other_scores));
  return text + end_json(outcome, seconds);
}

std::string explanation_text(const Network& network, const ExplainQuery& query, const Explanation& answer,
                             double seconds) {
  std::string text;
  if (!answer.found) {
    text = "unknown: no explanation within the limits\n";
  } else {
    const std::string_view kind = answer.is_smallest  ? "a smallest explanation"
                                  : answer.is_minimal ? "a minimal explanation"
                                                      : "an explanation, not proved minimal";
    text = fmt::format("{}: class {} is fixed by {} of {}{}\n", kind, printable(network.outputs[query.label]),
                       count_text(answer.inputs.size(), "input"), network.inputs.size(),
                       query.epsilon ? fmt::format(" as long as no other changes by more than {}",
                                                   exact_text(*query.epsilon))
                                     : "");
    if (!answer.is_smallest && answer.at_least > 0)
      text += fmt::format("every explanation has at least {}\n", count_text(answer.at_least, "input"));
    for (const std::uint32_t input : answer.inputs)
      text += fmt::format("  {} = {}\n", printable(network.inputs[input]), exact_text(query.values[input]));
  }
  if (answer.stopped != StopReason::none)
    text += fmt::format("stopped: {}, ", stop_reason_text(answer.stopped));
  return text + fmt::format("{}, {}, {:.2f} s\n", count_text(answer.questions, "question"),
                            count_text(answer.conflicts, "conflict"), seconds);
}

std::string explanation_json(const Network& network, const ExplainQuery& query, const Explanation& answer,
                             double seconds) {
  std::string text = fmt::format("{{\"status\": \"{}\", \"class\": {}",
                                 !answer.found        ? "unknown"
                                 : answer.is_smallest ? "smallest"
                                 : answer.is_minimal  ? "minimal"
                                                      : "explanation",
                                 quoted_json(network.outputs[query.label]));
  if (query.epsilon) text += fmt::format(", \"epsilon\": {}", exact_json(*query.epsilon));
  if (answer.found)
    text += fmt::format(", \"size\": {}, \"at_least\": {}, \"inputs\": {}", answer.inputs.size(),
                        answer.is_smallest ? answer.inputs.size() : answer.at_least,
                        input_names_json(network, answer.inputs));
  if (answer.stopped != StopReason::none)
    text += fmt::format(", \"stopped\": \"{}\"", stop_reason_text(answer.stopped));
  return text + fmt::format(", \"questions\": {}, \"conflicts\": {}, \"seconds\": {:.3f}}}\n",
                            answer.questions, answer.conflicts, seconds);
}

std::string count_text_of(CountOf what, const CountOutcome& outcome, double seconds) {
  const std::string_view unit = what == CountOf::patterns ? "patterns of input bits" : "inputs";
  std::string text =
      outcome.exact
          ? fmt::format("{} of {} {} of the region are classified otherwise\n", outcome.lower.get_str(),
                        outcome.total.get_str(), unit)
          : fmt::format("between {} and {} of {} {} of the region are classified otherwise\n",
                        outcome.lower.get_str(), outcome.upper.get_str(), outcome.total.get_str(), unit);
  return text + end_text(outcome, seconds);
}

std::string count_json(CountOf what, const CountOutcome& outcome, double seconds) {
  // Counts may be larger than JSON readers can hold in a number: they are strings.
  return fmt::format(
             "{{\"status\": \"{}\", \"counted\": \"{}\", \"lower\": \"{}\", \"upper\": \"{}\", \"total\": "
             "\"{}\"",
             outcome.exact ? "exact" : "bounds", count_of_names[static_cast<std::size_t>(what)],
             outcome.lower.get_str(), outcome.upper.get_str(), outcome.total.get_str()) +
         end_json(outcome, seconds);
}

std::string query_text(const Network& network, const QueryFile& file, const LinearOutcome& outcome,
                       double seconds) {
  std::string text;
  const auto value_text = [&](const mpq_class& value) {
    return exact_text(file.maximize ? mpq_class(-value) : value);
  };
  const bool least = file.query.minimize.has_value();
  switch (outcome.status) {
    case Status::optimal:
      text = file.query.prove ? "refuted: an input for which it does not hold"
             : least          ? fmt::format("{}: {}, and none has {}", file.maximize ? "largest" : "least",
                                            value_text(*outcome.value), file.maximize ? "more" : "less")
                              : "found: an input with these properties";
      break;
    case Status::feasible:
      text = fmt::format("found: an input{}",
                         least ? fmt::format(" of value {}", value_text(*outcome.value)) : "");
      if (outcome.lower_bound)
        text += fmt::format("; none is {} {}", file.maximize ? "above" : "below",
                            value_text(*outcome.lower_bound));
      break;
    case Status::infeasible:
      text = file.query.prove ? "proved: it holds for all inputs in question"
                              : "none: no input has these properties";
      break;
    case Status::unknown:
      text = "unknown";
      break;
  }
  text += '\n';
  if (!outcome.values.empty()) {
    text += input_text(network, outcome.values, file.query.region ? file.query.region->values : std::nullopt);
    text += output_table(network, outcome.outputs, is_classifier(network) ? "score" : "bit", {}, "");
  }
  return text + end_text(outcome, seconds);
}

std::string query_json(const Network&, const QueryFile& file, const LinearOutcome& outcome, double seconds) {
  std::string_view word = "unknown";
  if (outcome.status == Status::infeasible) word = file.query.prove ? "proved" : "none";
  if (outcome.status == Status::optimal) {
    word = file.query.prove ? "refuted" : file.query.minimize ? "optimal" : "found";
  }
  if (outcome.status == Status::feasible) word = "found";
  std::string text = fmt::format("{{\"status\": \"{}\"", word);
  const auto value_text = [&](const mpq_class& value) {
    return exact_json(file.maximize ? mpq_class(-value) : value);
  };
  if (outcome.value) text += fmt::format(", \"value\": {}", value_text(*outcome.value));
  if (outcome.lower_bound) text += fmt::format(", \"bound\": {}", value_text(*outcome.lower_bound));
  if (!outcome.values.empty())
    text += fmt::format(", \"input\": {}, \"outputs\": {}", exact_list(outcome.values),
                        exact_list(outcome.outputs));
  return text + end_json(outcome, seconds);
}

}  // namespace bnnplan
