// Transitions as rows of bits, and these as CSV text. Duplicates are detected on the row itself, so with
// selected columns they are duplicates of what is written, not of what was simulated.
#include "bnnplan/rddl/simulate/transition_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

namespace {

std::size_t words_of(const std::vector<std::string>& names) { return (names.size() + 63) / 64; }

std::string_view fluent_of(std::string_view name) { return name.substr(0, name.find('[')); }

// Selects the variables that a list of names refers to.
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
      throw InputError(fmt::format("{} '{}' is not a {}{}", what, printable(names_[i]), kind,
                                   did_you_mean(names_[i], candidates)));
    }
  }

 private:
  const std::vector<std::string>& names_;
  std::vector<bool> used_;
};

}  // namespace

TransitionTable::TransitionTable(const BitLayout& layout, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, bool unique, RowWriter write,
                                 std::size_t most_remembered)
    : state_(layout.state),
      action_(layout.action),
      unique_(unique),
      write_(std::move(write)),
      most_remembered_(most_remembered) {
  ColumnChoice before(inputs), after(outputs);
  std::vector<std::string> state_fluents, fluents;
  const auto add_columns = [&](const VariableList& list, ColumnChoice& choice, std::string_view suffix,
                               std::vector<Cells>& cells, std::vector<std::string>& names) {
    for (std::size_t i = 0; i < list.variables.size(); ++i) {
      const Variable& variable = list.variables[i];
      cells.push_back({lowest_value(variable), highest_value(variable), variable.bits, std::nullopt});
      if (!choice.wants(variable)) continue;
      cells.back().position = names.size();
      for (int b = 0; b < variable.bits; ++b)
        names.push_back(fmt::format("{}{}", list.bit_name(list.first_bit[i] + b), suffix));
    }
  };
  for (const Variable& variable : state_.variables) state_fluents.emplace_back(fluent_of(variable.name));
  fluents = state_fluents;
  for (const Variable& variable : action_.variables) fluents.emplace_back(fluent_of(variable.name));
  add_columns(state_, before, "", before_, input_names_);
  add_columns(action_, before, "", actions_, input_names_);
  add_columns(state_, after, "'", after_, output_names_);
  before.refuse_unused(fluents, "input", "state or action fluent");
  after.refuse_unused(state_fluents, "output", "state fluent");
  row_.resize(words_of(input_names_) + words_of(output_names_));
}

void TransitionTable::write_cells(const std::vector<Cells>& cells, const VariableList& variables,
                                  std::span<const std::int64_t> values, std::uint64_t* words) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Cells& cell = cells[i];
    const std::int64_t value = values[i];
    if (value < cell.low || value > cell.high) {
      BitValues bits;
      append_bits(variables, values, bits);  // throws and names the value that does not fit
    }
    if (!cell.position) continue;
    std::size_t at = *cell.position;
    for (int b = 0; b < cell.bits; ++b, ++at)
      words[at / 64] |= static_cast<std::uint64_t>((value >> b) & 1) << (at % 64);
  }
}

void TransitionTable::add(const StateValues& state, const ActionValues& action, const StateValues& next) {
  std::fill(row_.begin(), row_.end(), 0);
  const std::size_t input_words = words_of(input_names_);
  write_cells(before_, state_, state, row_.data());
  write_cells(actions_, action_, action, row_.data());
  write_cells(after_, state_, next, row_.data() + input_words);
  if (unique_) {
    const std::string_view bytes(reinterpret_cast<const char*>(row_.data()), row_.size() * sizeof row_[0]);
    if (!seen_.emplace(bytes).second) return;
    remembered_ += bytes.size() + sizeof(std::string) + 4 * sizeof(void*);  // about what a set needs
    if (remembered_ > most_remembered_) {
      throw InputError(fmt::format(
          "the distinct lines take more than {} MiB of memory: expected fewer episodes or steps, fewer "
          "columns, or duplicates allowed",
          most_remembered_ >> 20));
    }
  }
  ++rows_;
  write_(std::span(row_).first(input_words), std::span(row_).subspan(input_words));
}

// A line is two bytes a bit, and only the digits change from one to the next.
TransitionLines::TransitionLines(const BitLayout& layout, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs, bool unique, LineWriter write,
                                 std::size_t most_remembered)
    : table_(
          layout, inputs, outputs, unique, [this](auto in, auto out) { write_row(in, out); },
          most_remembered),
      write_(std::move(write)) {
  for (const auto* names : {&table_.input_names(), &table_.output_names()}) {
    for (const std::string& name : *names) line_ += (line_.empty() ? "" : ",") + name;
  }
  write_(line_ + "\n");
  line_.assign(std::max<std::size_t>(2 * (table_.input_names().size() + table_.output_names().size()), 1),
               ',');
  line_.back() = '\n';
}

void TransitionLines::write_row(std::span<const std::uint64_t> inputs,
                                std::span<const std::uint64_t> outputs) {
  char* digit = line_.data();
  const auto write_bits = [&](std::span<const std::uint64_t> words, std::size_t bits) {
    for (std::size_t i = 0; i < bits; ++i, digit += 2)
      *digit = static_cast<char>('0' + ((words[i / 64] >> (i % 64)) & 1));
  };
  write_bits(inputs, table_.input_names().size());
  write_bits(outputs, table_.output_names().size());
  write_(line_);
}

}  // namespace bnnplan::rddl
