// What the answers of `bnnplan verify` say. All give exact numbers, and end in the same way: what decided the
// question or stopped the work, and how much work it was.
#include "bnnplan/verify/answers.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::verification {

namespace {

JsonValue exact_field(const mpq_class& number) { return json_exact(exact_text(number)); }
JsonArray exact_fields(const std::vector<mpq_class>& numbers) { return json_array_of(numbers, exact_field); }

std::string_view name_of(Norm norm) { return norm_names[static_cast<std::size_t>(norm)]; }

std::string within_text(const Region& region) {
  if (!region.values) return "on all inputs";
  if (!region.epsilon) return "anywhere";
  return fmt::format("within {} distance {}", name_of(region.norm), exact_text(*region.epsilon));
}

// How much of an input is listed, and what is said of the rest.
struct Listing {
  std::size_t most;
  std::string_view rest, unchanged;
};
constexpr Listing short_list = {40, "", ""};
constexpr Listing long_list = {60, ", all in the JSON output", "the given input, unchanged\n"};

// The numbers of an input: all of them, or those that differ from another input.
std::string input_text(const Network& network, const std::vector<mpq_class>& values,
                       const std::optional<std::vector<mpq_class>>& from, const Listing& listing) {
  std::string text;
  std::size_t listed = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (from && values[i] == (*from)[i]) continue;
    if (++listed > listing.most) continue;
    text += from ? fmt::format("  {}: {} -> {}\n", printable(network.inputs[i]), exact_text((*from)[i]),
                               exact_text(values[i]))
                 : fmt::format("  {} = {}\n", printable(network.inputs[i]), exact_text(values[i]));
  }
  if (listed > listing.most) text += fmt::format("  and {} more{}\n", listed - listing.most, listing.rest);
  if (!from) return text;
  return listed == 0 ? std::string(listing.unchanged)
                     : fmt::format("{} changed:\n{}", count_text(listed, "input"), text);
}

// The outputs of one or two inputs or networks. The second list may be empty.
struct OutputColumn {
  std::string_view name;
  std::span<const mpq_class> numbers;
};
std::string output_table(const Network& network, std::size_t width, const OutputColumn& one,
                         const OutputColumn& other, const std::vector<std::string>& marks = {}) {
  for (const std::string& name : network.outputs) width = std::max(width, printable(name).size());
  const std::size_t columns = std::max({std::size_t{10}, one.name.size(), other.name.size()});
  std::string text =
      fmt::format("  {:<{}}  {:>{}}", is_classifier(network) ? "class" : "output", width, one.name, columns);
  if (!other.numbers.empty()) text += fmt::format("  {:>{}}", other.name, columns);
  text += '\n';
  for (std::size_t c = 0; c < network.outputs.size(); ++c) {
    text += fmt::format("  {:<{}}  {:>{}.3f}", printable(network.outputs[c]), width, one.numbers[c].get_d(),
                        columns);
    if (!other.numbers.empty()) text += fmt::format("  {:>{}.3f}", other.numbers[c].get_d(), columns);
    text += (marks.empty() ? "" : marks[c]) + '\n';
  }
  return text;
}

void add_end(Answer& answer, std::string_view decided_by, StopReason stopped, const std::string& work,
             std::uint64_t count, std::uint64_t conflicts, double seconds) {
  if (!decided_by.empty()) {
    answer.add("decided_by", decided_by);
    answer.say(fmt::format("decided by {}, ", decided_by));
  }
  if (stopped != StopReason::none) {
    answer.add("stopped", stop_reason_text(stopped));
    answer.say(fmt::format("stopped: {}, ", stop_reason_text(stopped)));
  }
  answer.add(work + "s", count);
  answer.add("conflicts", conflicts);
  answer.add("seconds", json_measured(seconds, 3));
  answer.say(
      fmt::format("{}, {}, {:.2f} s\n", count_text(count, work), count_text(conflicts, "conflict"), seconds));
}

template <class Outcome>
void add_end(Answer& answer, const Outcome& outcome, double seconds) {
  add_end(answer, outcome.decided_by, outcome.stopped, "evaluation", outcome.evaluations, outcome.conflicts,
          seconds);
}

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

JsonArray change_fields(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome) {
  JsonArray changes;
  for (std::size_t i = 0; i < outcome.values.size(); ++i) {
    if (outcome.values[i] == query.values[i]) continue;
    changes.emplace_back(JsonObject{{"input", network.inputs[i]},
                                    {"from", exact_field(query.values[i])},
                                    {"to", exact_field(outcome.values[i])}});
  }
  return changes;
}

// The status of a question in a file, and what people are told after it.
std::pair<std::string_view, std::string> query_words(const QueryFile& file, const LinearOutcome& outcome) {
  const auto value_text = [&](const mpq_class& value) {
    return exact_text(file.maximize ? mpq_class(-value) : value);
  };
  const bool least = file.query.minimize.has_value();
  if (file.query.prove && !outcome.values.empty()) return {"refuted", "an input for which it does not hold"};
  switch (outcome.status) {
    case Status::optimal:
      if (!least) return {"found", "an input with these properties"};
      return {"optimal", fmt::format("{}, and none has {}", value_text(*outcome.value),
                                     file.maximize ? "more" : "less")};
    case Status::feasible:
      return {"found", fmt::format("an input{}{}", least ? " of value " + value_text(*outcome.value) : "",
                                   outcome.lower_bound
                                       ? fmt::format("; none is {} {}", file.maximize ? "above" : "below",
                                                     value_text(*outcome.lower_bound))
                                       : "")};
    case Status::infeasible:
      if (file.query.prove) return {"proved", "it holds for all inputs in question"};
      return {"none", "no input has these properties"};
    case Status::unknown:
      return {"unknown", ""};
  }
  __builtin_unreachable();
}

}  // namespace

std::string_view status_word(Status status, bool epsilon) {
  constexpr std::string_view nearest[] = {"nearest", "found", "none", "unknown"};
  constexpr std::string_view within[] = {"not robust", "found", "robust", "unknown"};
  return (epsilon ? within : nearest)[static_cast<std::size_t>(status)];
}

Answer verify_answer(const Network& network, const VerifyQuery& query, const VerifyOutcome& outcome,
                     double seconds) {
  Answer answer;
  answer.add("status", status_word(outcome.status, query.epsilon.has_value()));
  answer.add("norm", name_of(query.norm));
  answer.add("label", network.outputs[query.label]);
  if (query.target) answer.add("target", network.outputs[*query.target]);
  if (query.epsilon) answer.add("epsilon", exact_field(*query.epsilon));
  answer.add("ties", tie_rule_names[static_cast<std::size_t>(query.ties)]);
  std::vector<std::string> marks(network.outputs.size());
  marks[query.label] = "  label";
  if (!outcome.values.empty()) {
    answer.add("distance", exact_field(outcome.distance));
    answer.add("class", network.outputs[outcome.changed_class]);
    answer.add("changes", change_fields(network, query, outcome));
    answer.add("changed_scores", exact_fields(outcome.changed_scores));
    marks[outcome.changed_class] += "  the network's answer";
  }
  if (outcome.status != Status::infeasible) answer.add("lower_bound", exact_field(outcome.lower_bound));
  answer.add("scores", exact_fields(outcome.scores));
  answer.say(headline(query, outcome, query.target ? printable(network.outputs[*query.target]) : "") + "\n");
  answer.say(input_text(network, outcome.values, query.values, short_list));
  answer.say(output_table(network, 5, {"score", outcome.scores}, {"changed", outcome.changed_scores}, marks));
  add_end(answer, outcome, seconds);
  return answer;
}

Answer equal_answer(const Network& first, const Region& region, const JointOutcome& outcome, double seconds) {
  const bool found = !outcome.values.empty(), proved = outcome.status == Status::infeasible;
  Answer answer;
  answer.add("status", found ? "different" : proved ? "equal" : "unknown");
  if (region.values) {
    answer.add("norm", name_of(region.norm));
    if (region.epsilon) answer.add("epsilon", exact_field(*region.epsilon));
    if (found) answer.add("distance", exact_field(outcome.distance));
    if (!region.epsilon && !proved) answer.add("lower_bound", exact_field(outcome.lower_bound));
  }
  if (found) {
    answer.add("input", exact_fields(outcome.values));
    answer.add("scores", exact_fields(outcome.scores));
    answer.add("other_scores", exact_fields(outcome.other_scores));
    answer.say("different");
    if (region.values)
      answer.say(fmt::format(": an input at {}{} distance {}{}", region.norm == Norm::l2 ? "squared " : "",
                             name_of(region.norm), exact_text(outcome.distance),
                             region.epsilon ? ""
                             : outcome.status == Status::optimal
                                 ? ", and none is nearer"
                                 : "; nothing is nearer than " + exact_text(outcome.lower_bound)));
    answer.say("\n" + input_text(first, outcome.values, region.values, long_list));
    answer.say(output_table(first, 6, {"first", outcome.scores}, {"second", outcome.other_scores}));
  } else {
    answer.say(fmt::format("{} {}\n", proved ? "equal: proved" : "unknown: no difference was found",
                           within_text(region)));
  }
  add_end(answer, outcome, seconds);
  return answer;
}

Answer monotone_answer(const Network& network, const MonotoneQuery& query, const JointOutcome& outcome,
                       double seconds) {
  const bool found = !outcome.values.empty(), proved = outcome.status == Status::infeasible;
  const std::string way = query.increasing ? "increasing" : "decreasing";
  const std::string input = printable(network.inputs[query.input]);
  const std::string what = fmt::format("{} {} in {}",
                                       query.by_class           ? "class"
                                       : is_classifier(network) ? "the score of"
                                                                : "output",
                                       printable(network.outputs[query.output]), input);
  Answer answer;
  answer.add("status", found ? "not monotone" : proved ? "monotone" : "unknown");
  answer.add("input", network.inputs[query.input]);
  answer.add("output", network.outputs[query.output]);
  answer.add("direction", way);
  answer.add("of", query.by_class ? "class" : "score");
  if (found) {
    answer.add("before", exact_fields(outcome.values));
    answer.add("after", exact_fields(outcome.other_values));
    answer.add("scores", exact_fields(outcome.scores));
    answer.add("other_scores", exact_fields(outcome.other_scores));
    std::vector<mpq_class> others = outcome.values;
    if (query.region.values) others[query.input] = (*query.region.values)[query.input];
    answer.say(fmt::format("not monotone: {} is not {}\n  {}: {} -> {}\nwith the other inputs at\n", what,
                           way, input, exact_text(outcome.values[query.input]),
                           exact_text(outcome.other_values[query.input])));
    answer.say(input_text(network, others, query.region.values, long_list));
    answer.say(output_table(network, 6, {"before", outcome.scores}, {"after", outcome.other_scores}));
  } else {
    const std::string within = within_text(query.region);
    answer.say(
        proved ? fmt::format("monotone: {} is {}, proved {}\n", what, way, within)
               : fmt::format("unknown: neither proved nor refuted that {} is {} {}\n", what, way, within));
  }
  add_end(answer, outcome, seconds);
  return answer;
}

Answer explanation_answer(const Network& network, const ExplainQuery& query, const Explanation& found,
                          double seconds) {
  Answer answer;
  answer.add("status", !found.found        ? "unknown"
                       : found.is_smallest ? "smallest"
                       : found.is_minimal  ? "minimal"
                                           : "explanation");
  answer.add("class", network.outputs[query.label]);
  if (query.epsilon) answer.add("epsilon", exact_field(*query.epsilon));
  if (found.found) {
    answer.add("size", found.inputs.size());
    answer.add("at_least", found.is_smallest ? found.inputs.size() : found.at_least);
    answer.add("inputs", json_array_of(found.inputs, [&](std::uint32_t i) { return network.inputs[i]; }));
    answer.say(fmt::format("{}: class {} is fixed by {} of {}{}\n",
                           found.is_smallest  ? "a smallest explanation"
                           : found.is_minimal ? "a minimal explanation"
                                              : "an explanation, not proved minimal",
                           printable(network.outputs[query.label]), count_text(found.inputs.size(), "input"),
                           network.inputs.size(),
                           query.epsilon ? fmt::format(" as long as no other changes by more than {}",
                                                       exact_text(*query.epsilon))
                                         : ""));
    if (!found.is_smallest && found.at_least > 0)
      answer.say(fmt::format("every explanation has at least {}\n", count_text(found.at_least, "input")));
    for (const std::uint32_t i : found.inputs)
      answer.say(fmt::format("  {} = {}\n", printable(network.inputs[i]), exact_text(query.values[i])));
  } else {
    answer.say("unknown: no explanation within the limits\n");
  }
  add_end(answer, "", found.stopped, "question", found.questions, found.conflicts, seconds);
  return answer;
}

Answer count_answer(CountOf what, const CountOutcome& outcome, double seconds) {
  // Counts may be larger than JSON readers can hold in a number: they are texts.
  const std::string lower = outcome.lower.get_str(), upper = outcome.upper.get_str(),
                    total = outcome.total.get_str();
  Answer answer;
  answer.add("status", outcome.exact ? "exact" : "bounds");
  answer.add("counted", count_of_names[static_cast<std::size_t>(what)]);
  answer.add("lower", lower);
  answer.add("upper", upper);
  answer.add("total", total);
  answer.say(fmt::format("{} of {} {} of the region are classified otherwise\n",
                         outcome.exact ? lower : fmt::format("between {} and {}", lower, upper), total,
                         what == CountOf::patterns ? "patterns of input bits" : "inputs"));
  add_end(answer, outcome, seconds);
  return answer;
}

Answer query_answer(const Network& network, const QueryFile& file, const LinearOutcome& outcome,
                    double seconds) {
  const LinearQuery& query = file.query;
  const auto value_field = [&](const mpq_class& value) {
    return exact_field(file.maximize ? mpq_class(-value) : value);
  };
  const auto [status, words] = query_words(file, outcome);
  Answer answer;
  answer.add("status", status);
  if (outcome.value) answer.add("value", value_field(*outcome.value));
  if (outcome.lower_bound) answer.add("bound", value_field(*outcome.lower_bound));
  answer.say(status != "optimal" ? status : file.maximize ? "largest" : "least");
  answer.say(words.empty() ? "\n" : fmt::format(": {}\n", words));
  if (!outcome.values.empty()) {
    answer.add("input", exact_fields(outcome.values));
    answer.add("outputs", exact_fields(outcome.outputs));
    answer.say(
        input_text(network, outcome.values, query.region ? query.region->values : std::nullopt, long_list));
    answer.say(
        output_table(network, 6, {is_classifier(network) ? "score" : "bit", outcome.outputs}, {"", {}}));
  }
  add_end(answer, outcome, seconds);
  return answer;
}

}  // namespace bnnplan::verification
