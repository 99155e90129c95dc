// Transitions as values, for domains without a bit representation and for human readers.
#include "bnnplan/rddl/simulate/value_table.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

ValueTable::ValueTable(const GroundModel& model, LineWriter write) : write_(std::move(write)) {
  for (const auto& [variables, reals] :
       {std::pair(&model.state, &reals_.state), std::pair(&model.action, &reals_.action),
        std::pair(&model.intermediate, &reals_.intermediate)}) {
    for (const GroundVariable& variable : *variables)
      reals->push_back(variable.kind == ValueKind::real ? 1 : 0);
  }
  for (const auto& [variables, suffix] :
       {std::pair(&model.state, ""), std::pair(&model.action, ""), std::pair(&model.state, "'")}) {
    for (const GroundVariable& variable : *variables) line_ += fmt::format("{}{},", variable.name, suffix);
  }
  for (std::uint32_t i = 0; i < model.intermediate.size(); ++i) {
    if (!model.intermediate[i].observed) continue;
    line_ += fmt::format("{},", model.intermediate[i].name);
    observed_.push_back(i);
  }
  write_(line_ + "reward\n");
}

void ValueTable::append(std::span<const char> reals, std::span<const std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (reals[i] != 0) {
      append_real(real_of_value(values[i]));
    } else {
      append_integer(values[i]);
    }
    line_ += ',';
  }
}

// The shortest text that reads back as the same number; whole numbers, except -0, are written as integers,
// which gives the same text.
void ValueTable::append_real(double value) {
  constexpr double most = 1e15;  // larger ones have an exponent
  if (value == std::floor(value) && std::abs(value) < most && !(value == 0 && std::signbit(value)))
    return append_integer(static_cast<std::int64_t>(value));
  char text[64];
  line_.append(text, fmt::format_to(text, "{}", value));
}

void ValueTable::append_integer(std::int64_t value) {
  if (value >= 0 && value <= 9) {  // nearly all: Booleans and numbers of objects
    line_ += static_cast<char>('0' + value);
    return;
  }
  char text[20];
  line_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// A fraction that is not a finite decimal is rounded.
void ValueTable::append_reward(const Number& reward) {
  if (reward.exact && is_integer(reward.fraction)) return append_integer(reward.fraction.numerator);
  const std::string exact = reward.exact ? to_string(reward.fraction) : "/";
  line_ += exact.find('/') == std::string::npos ? exact : fmt::format("{}", reward.real);
}

void ValueTable::add(const StateValues& state, const ActionValues& action, const StateValues& next,
                     std::span<const std::int64_t> intermediate, const Number& reward) {
  line_.clear();
  // Except at the first step of an episode, the state is the next state of the previous line.
  if (state == after_) {
    line_ += after_text_;
  } else {
    append(reals_.state, state);
  }
  append(reals_.action, action);
  const std::size_t begin = line_.size();
  append(reals_.state, next);
  after_ = next;
  after_text_.assign(line_, begin);
  for (const std::uint32_t i : observed_)
    append(std::span(reals_.intermediate).subspan(i, 1), intermediate.subspan(i, 1));
  append_reward(reward);
  line_ += '\n';
  write_(line_);
  ++lines_;
}

}  // namespace bnnplan::rddl
