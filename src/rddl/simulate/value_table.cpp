// Transitions as values, for domains that have no bits and for people.
#include "rddl/simulate/value_table.hpp"

#include <iterator>

#include <fmt/format.h>

#include "base/checked.hpp"

namespace bnnplan {

ValueTable::ValueTable(const GroundModel& model, LineWriter write) : model_(model), write_(std::move(write)) {
  for (const auto& [variables, suffix] :
       {std::pair(&model.state, ""), std::pair(&model.action, ""), std::pair(&model.state, "'")}) {
    for (const GroundVariable& variable : *variables) line_ += fmt::format("{}{},", variable.name, suffix);
  }
  for (const GroundVariable& variable : model.intermediate) {
    if (variable.observed) line_ += fmt::format("{},", variable.name);
  }
  write_(line_ + "reward\n");
}

void ValueTable::append(const std::vector<GroundVariable>& variables, std::span<const std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (variables[i].kind == ValueKind::real) {
      fmt::format_to(std::back_inserter(line_), "{},", real_of_value(values[i]));
    } else {
      fmt::format_to(std::back_inserter(line_), "{},", values[i]);
    }
  }
}

void ValueTable::add(const StateValues& state, const ActionValues& action, const StateValues& next,
                     std::span<const std::int64_t> intermediate, const Number& reward) {
  line_.clear();
  append(model_.state, state);
  append(model_.action, action);
  append(model_.state, next);
  for (std::size_t i = 0; i < intermediate.size(); ++i) {
    if (model_.intermediate[i].observed) append({model_.intermediate[i]}, intermediate.subspan(i, 1));
  }
  // A fraction that is no decimal number is rounded.
  const std::string exact = reward.exact ? to_string(reward.fraction) : "/";
  line_ += exact.find('/') == std::string::npos ? exact : fmt::format("{}", reward.real);
  line_ += '\n';
  write_(line_);
  ++lines_;
}

}  // namespace bnnplan
