// Reads the files of FD-SAT-Plan (Say and Sanner: Compact and efficient encodings for planning in factored
// state and action spaces with learned binarized neural network transition models, AIJ 2020).
//
//   pvariables      kind: name, kind: name, ...
//                   kinds: action_data state_data state_data_label state auxiliary
//   others          literal,literal,...,op,bound: one linear constraint per line; ~ negates, ' is next state
//   reward          name,coefficient: a state variable means the next state here
//   bnn             for each layer "inputs,outputs", then for each neuron a line of 0 (weight -1) and
//                   1 (weight +1)
//   normalization   one line of decimals c per layer; a neuron fires iff D >= c, so its threshold is
//                   ceil((n + c) / 2)
//
// Network inputs are the action_data variables, then those with state_data in their kind; outputs are those
// with _label. Constraints over state variables alone hold in the last state as well, so they are added to
// the goal.
#include "bnnplan/problem/fd_sat_plan.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/name_table.hpp"

namespace bnnplan {

namespace {

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::size_t integer(std::string_view text, const std::string& file, std::size_t line) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > 1'000'000) {
    throw InputError(file, line,
                     fmt::format("bad layer width '{}', expected a positive integer", printable(text)));
  }
  return value;
}

class FdSatPlanReader {
 public:
  FdSatPlanReader(const std::filesystem::path& folder, const std::string& domain, const std::string& instance)
      : folder_(folder), suffix_(fmt::format("_{}_{}.txt", domain, instance)) {
    problem_.name = fmt::format("{} {}", domain, instance);
    problem_.network_file = fmt::format("{}_{}.bnn", domain, instance);
  }

  Problem read() {
    read_variables();
    read_initial();
    problem_.constraints = read_constraints("constraints", Scope::step);
    problem_.goal = read_constraints("goals", Scope::goal);
    copy_state_constraints_to_goal();
    if (std::filesystem::exists(path("translation", "transitions"))) {
      problem_.transitions = read_constraints("transitions", Scope::transition);
    }
    read_reward();
    read_network();
    connect_network(problem_);
    validate(problem_);
    return std::move(problem_);
  }

 private:
  std::filesystem::path path(std::string_view part, std::string_view kind) const {
    return folder_ / part / fmt::format("{}{}", kind, suffix_);
  }

  void read_variables() {
    const std::string file = path("translation", "pvariables").string();
    const std::string text = read_text_file(file);
    LineReader lines(text);
    Network& network = problem_.network.emplace();
    std::vector<std::string> state_inputs;
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      for (const std::string_view field : split_at_commas(line)) {
        const auto colon = field.find(':');
        const std::string_view kind = trimmed(field.substr(0, colon));
        if (colon == std::string_view::npos) {
          throw InputError(file, lines.number(),
                           fmt::format("'{}', expected 'kind: name'", printable(field)));
        }
        const std::string name(trimmed(field.substr(colon + 1)));
        const auto declare = [&](Place place, VariableList& list) {
          try {
            const auto index = static_cast<std::uint32_t>(list.variables.size());
            names_.add({.name = name}, {place, index, list.bit_count(), 1});
          } catch (const InputError& error) {
            throw InputError(file, lines.number(), error.message());
          }
          list.add({.name = name});
        };
        if (kind == "action_data" || kind == "action") {
          declare(Place::action, problem_.action);
          if (kind == "action_data") network.inputs.push_back(name);
        } else if (kind == "state_data" || kind == "state_data_label" || kind == "state_label" ||
                   kind == "state") {
          declare(Place::state, problem_.state);
          if (kind.substr(0, 10) == "state_data") state_inputs.push_back(name);
          if (kind.ends_with("_label")) network.outputs.push_back(name + "'");
        } else if (kind == "auxiliary") {
          declare(Place::auxiliary, problem_.auxiliary);
        } else {
          throw InputError(
              file, lines.number(),
              fmt::format(
                  "unknown kind of variable '{}', expected action_data, state_data, state_data_label, "
                  "state or auxiliary",
                  printable(kind)));
        }
      }
    }
    network.inputs.insert(network.inputs.end(), state_inputs.begin(), state_inputs.end());
  }

  // literal,literal,...,op,bound as an expression in our syntax: "a + ~b + c' <= 1".
  static std::string expression(const std::vector<std::string_view>& fields) {
    std::string text;
    for (std::size_t i = 0; i + 2 < fields.size(); ++i) {
      std::string_view name = fields[i];
      if (!text.empty()) text += " + ";
      if (name.substr(0, 1) == "~") {
        text += "~";
        name.remove_prefix(1);
      }
      const bool next = name.ends_with('\'');
      if (next) name.remove_suffix(1);
      text += name_in_expression(name) + (next ? "'" : "");
    }
    return fmt::format("{} {} {}", text, fields[fields.size() - 2], fields.back());
  }

  std::vector<LinearConstraint> read_constraints(std::string_view kind, Scope scope) const {
    const std::string file = path("translation", kind).string();
    const std::string text = read_text_file(file);
    LineReader lines(text);
    std::vector<LinearConstraint> constraints;
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      const auto fields = split_at_commas(line);
      if (fields.size() < 3) {
        throw InputError(file, lines.number(),
                         fmt::format("'{}', expected literals, a comparison and a bound", printable(line)));
      }
      try {
        constraints.push_back(parse_constraint(expression(fields), problem_, names_, scope));
      } catch (const ExpressionError& error) {
        throw InputError(file, lines.number(), error.what());
      }
    }
    return constraints;
  }

  void read_initial() {
    problem_.initial.assign(problem_.state.bit_count(), unknown_bit);
    const std::string file = path("translation", "initial").string();
    for (const LinearConstraint& constraint : read_constraints("initial", Scope::goal)) {
      const bool single = constraint.terms.size() == 1 && constraint.comparison == Comparison::equal &&
                          constraint.terms[0].coefficient == 1 &&
                          (constraint.bound == 0 || constraint.bound == 1);
      if (!single) {
        throw InputError(
            file, fmt::format("'{}', expected one variable that equals 0 or 1", printable(constraint.text)));
      }
      problem_.initial[constraint.terms[0].bit.index] = static_cast<BitValue>(constraint.bound);
    }
  }

  void copy_state_constraints_to_goal() {
    for (const LinearConstraint& constraint : problem_.constraints) {
      const bool state_only = std::all_of(constraint.terms.begin(), constraint.terms.end(),
                                          [](const Term& term) { return term.bit.place == Place::state; });
      const bool repeated =
          std::any_of(problem_.goal.begin(), problem_.goal.end(), [&](const LinearConstraint& goal) {
            return goal.terms == constraint.terms && goal.comparison == constraint.comparison &&
                   goal.bound == constraint.bound;
          });
      if (state_only && !repeated) problem_.goal.push_back(constraint);
    }
  }

  // A reward with only negative coefficients is read as a cost to be minimised.
  void read_reward() {
    const std::string file = path("translation", "reward").string();
    const std::string text = read_text_file(file);
    LineReader lines(text);
    struct Part {
      bool negative;
      std::string text;
    };
    std::vector<Part> parts;
    for (std::string_view line; lines.next(line);) {
      if (trimmed(line).empty()) continue;
      const auto fields = split_at_commas(line);
      const auto bits = names_.find(fields.front());
      if (fields.size() != 2) {
        throw InputError(file, lines.number(),
                         fmt::format("'{}', expected 'name,coefficient'", printable(line)));
      }
      if (!bits) {
        throw InputError(file, lines.number(),
                         fmt::format("unknown variable '{}'{}", printable(fields.front()),
                                     names_.suggestion(fields.front())));
      }
      const Decimal coefficient = decimal(fields[1], file, lines.number());
      const bool negative = coefficient.digits < 0;
      const std::string magnitude = to_string(negative ? -coefficient : coefficient);
      parts.push_back({negative, (magnitude == "1" ? "" : magnitude + " ") +
                                     name_in_expression(fields.front()) +
                                     (bits->place == Place::state ? "'" : "")});
    }
    if (parts.empty()) return;
    const bool cost = std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.negative; });
    std::string sum;
    for (const Part& part : parts) {
      const bool minus = part.negative && !cost;
      sum += (sum.empty() ? (minus ? "-" : "") : minus ? " - " : " + ") + part.text;
    }
    try {
      problem_.objective = parse_objective(sum, !cost, problem_, names_);
    } catch (const ExpressionError& error) {
      throw InputError(file, error.what());
    }
  }

  static Decimal decimal(std::string_view text, const std::string& file, std::size_t line) {
    try {
      if (const auto value = parse_decimal(text)) return *value;
    } catch (const OverflowError& error) {
      throw InputError(file, line, fmt::format("'{}': {}", printable(text), error.what()));
    }
    throw InputError(file, line, fmt::format("'{}', expected a decimal number", printable(text)));
  }

  void read_network() {
    Network& network = *problem_.network;
    const std::string file = path("bnn", "bnn").string();
    const std::string text = read_text_file(file);
    LineReader lines(text);
    std::string_view line;
    const auto next = [&](std::string_view what) {
      if (!lines.next(line))
        throw InputError(file, lines.number(), fmt::format("the file ends, expected {}", what));
      line = trimmed(line);
    };
    next("'bnn'");
    if (line != "bnn")
      throw InputError(file, lines.number(), fmt::format("'{}', expected 'bnn'", printable(line)));
    std::size_t width = network.inputs.size();
    while (lines.next(line)) {
      if (trimmed(line).empty()) continue;
      const auto fields = split_at_commas(line);
      if (fields.size() != 2) {
        throw InputError(file, lines.number(),
                         fmt::format("'{}', expected 'inputs,outputs' of a layer", printable(line)));
      }
      const std::size_t inputs = integer(fields[0], file, lines.number());
      const std::size_t outputs = integer(fields[1], file, lines.number());
      if (inputs != width) {
        throw InputError(file, lines.number(),
                         fmt::format("a layer with {}, expected {}", count_text(inputs, "input"), width));
      }
      Layer& layer = network.layers.emplace_back();
      for (std::size_t i = 0; i < outputs; ++i) {
        next(count_text(outputs - i, "more neuron"));
        if (line.size() != inputs || line.find_first_not_of("01") != std::string_view::npos) {
          throw InputError(file, lines.number(),
                           fmt::format("expected {} 0 or 1", count_text(inputs, "weight")));
        }
        Neuron& neuron = layer.neurons.emplace_back();
        for (const char c : line) neuron.weights.push_back(c == '1' ? 1 : -1);
      }
      width = outputs;
    }
    if (network.layers.empty() || width != network.outputs.size()) {
      throw InputError(
          file,
          fmt::format("the last layer has {}, expected {}: one for each variable to predict",
                      count_text(network.layers.empty() ? 0 : width, "neuron"), network.outputs.size()));
    }
    read_thresholds(network);
  }

  void read_thresholds(Network& network) const {
    const std::string file = path("normalization", "normalization").string();
    const std::string text = read_text_file(file);
    LineReader lines(text);
    std::string_view line;
    if (!lines.next(line) || trimmed(line) != "normalization")
      throw InputError(file, 1, "expected 'normalization'");
    for (Layer& layer : network.layers) {
      if (!lines.next(line))
        throw InputError(file, lines.number(), "the file ends, expected a line for every layer");
      const auto fields = split_at_commas(line);
      if (fields.size() != layer.neurons.size()) {
        throw InputError(file, lines.number(),
                         fmt::format("{}, expected {}, one for each neuron of the layer",
                                     count_text(fields.size(), "number"), layer.neurons.size()));
      }
      for (std::size_t i = 0; i < fields.size(); ++i) {
        Neuron& neuron = layer.neurons[i];
        const std::int64_t inputs = fan_in(neuron.weights);
        try {
          const Decimal c = decimal(fields[i], file, lines.number());
          const std::int64_t threshold = ceil_half(make_decimal(inputs, 0) + c);
          neuron.threshold = static_cast<std::int32_t>(std::clamp<std::int64_t>(threshold, 0, inputs + 1));
        } catch (const OverflowError& error) {
          throw InputError(file, lines.number(), fmt::format("'{}': {}", printable(fields[i]), error.what()));
        }
      }
    }
    while (lines.next(line)) {
      if (!trimmed(line).empty())
        throw InputError(file, lines.number(), "more lines than the network has layers");
    }
  }

  std::filesystem::path folder_;
  std::string suffix_;
  Problem problem_;
  NameTable names_;
};

}  // namespace

Problem read_fd_sat_plan(const std::filesystem::path& folder, const std::string& domain,
                         const std::string& instance) {
  return FdSatPlanReader(folder, domain, instance).read();
}

}  // namespace bnnplan
