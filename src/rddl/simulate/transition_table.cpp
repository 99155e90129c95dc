// Data sets of transitions as CSV text. A line is two bytes a bit, and only the digits change from one to the next. Duplicates are found by the line itself,
// so with a choice of columns they are duplicates of what is written, not of what was simulated.
#include "rddl/simulate/transition_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

std::string_view fluent_of(std::string_view name) { return name.substr(0, name.find('[')); }

// Marks the variables that a list of names means.
class ColumnChoice {
 public:
  explicit ColumnChoice(const std::vector<std::string>& names) : names_(names), used_(names.size(), false) {}

  bool wants(const Variable& variable) {
    bool wanted = names_.empty();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] != variable.name && names_[i] != fluent_of(variable.name)) continue;
      wanted = used_[i] = true;
    }
    return wanted;
  }

  void refuse_unused(const std::vector<std::string>& candidates, std::string_view what,
                     std::string_view kind) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (used_[i]) continue;
      const std::string near = nearest_name(names_[i], candidates);
      throw InputError(fmt::format("{} '{}' is no {}{}", what, printable(names_[i]), kind,
                                   near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
    }
  }

 private:
  const std::vector<std::string>& names_;
  std::vector<bool> used_;
};

}  // namespace

TransitionTable::TransitionTable(const BitLayout& layout, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, bool unique, LineWriter write,
                                 std::size_t most_remembered)
    : state_(layout.state),
      action_(layout.action),
      unique_(unique),
      write_(std::move(write)),
      most_remembered_(most_remembered) {
  ColumnChoice before(inputs), after(outputs);
  std::vector<std::string> state_fluents, fluents;
  const auto add_columns = [&](const VariableList& list, ColumnChoice& choice, std::string_view suffix,
                               std::vector<Cells>& cells) {
    for (std::size_t i = 0; i < list.variables.size(); ++i) {
      const Variable& variable = list.variables[i];
      cells.push_back({lowest_value(variable), highest_value(variable), variable.bits, std::nullopt});
      if (!choice.wants(variable)) continue;
      cells.back().position = 2 * columns_;
      for (int b = 0; b < variable.bits; ++b, ++columns_)
        line_ +=
            fmt::format("{}{}{}", columns_ == 0 ? "" : ",", list.bit_name(list.first_bit[i] + b), suffix);
    }
  };
  for (const Variable& variable : state_.variables) state_fluents.emplace_back(fluent_of(variable.name));
  fluents = state_fluents;
  for (const Variable& variable : action_.variables) fluents.emplace_back(fluent_of(variable.name));
  add_columns(state_, before, "", before_);
  add_columns(action_, before, "", actions_);
  add_columns(state_, after, "'", after_);
  before.refuse_unused(fluents, "input", "state or action fluent");
  after.refuse_unused(state_fluents, "output", "state fluent");
  write_(line_ + "\n");
  line_.assign(std::max<std::size_t>(2 * columns_, 1), ',');
  line_.back() = '\n';
}

void TransitionTable::write_cells(const std::vector<Cells>& cells, const VariableList& variables,
                                  std::span<const std::int64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Cells& cell = cells[i];
    const std::int64_t value = values[i];
    if (value < cell.low || value > cell.high) {
      BitValues bits;
      append_bits(variables, values, bits);  // says which does not fit
    }
    if (!cell.position) continue;
    char* digit = line_.data() + *cell.position;
    for (int b = 0; b < cell.bits; ++b, digit += 2) *digit = static_cast<char>('0' + ((value >> b) & 1));
  }
}

void TransitionTable::add(const StateValues& state, const ActionValues& action, const StateValues& next) {
  write_cells(before_, state_, state);
  write_cells(actions_, action_, action);
  write_cells(after_, state_, next);
  if (unique_ && !seen_.insert(line_).second) return;
  write_(line_);
  ++lines_;
  if (!unique_) return;
  remembered_ += line_.size() + sizeof(std::string) + 4 * sizeof(void*);  // about what a set needs
  if (remembered_ > most_remembered_) {
    throw InputError(fmt::format(
        "the different lines take more than {} MiB of memory: expected fewer episodes or steps, fewer "
        "columns, or no --unique",
        most_remembered_ >> 20));
  }
}

}  // namespace bnnplan
