#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

// Transitions as rows of bits, one column per bit: state bits and action bits are inputs, next-state bits,
// with a ', are outputs. Names are those of the problem file: robot-at[x1| y2], age[c1].0, age[c1].0'. Rows
// are passed on as they come, and remembered only with `unique`.
class TransitionTable {
 public:
  // Receives the bits of each row: bit i is bit i % 64 of word i / 64.
  using RowWriter =
      std::function<void(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> outputs)>;

  // `inputs` and `outputs` name the fluents (or ground variables) whose columns are wanted before and after
  // the step; all if empty. With `unique`, duplicate rows are not written again. Throws InputError for names
  // that are not state or action variables. Keeps no references apart from those that `write` holds.
  TransitionTable(const BitLayout& layout, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, bool unique, RowWriter write,
                  std::size_t most_remembered = std::size_t{1} << 32);

  // Throws InputError if the remembered rows take more than `most_remembered` bytes.
  void add(const StateValues& state, const ActionValues& action, const StateValues& next);

  const std::vector<std::string>& input_names() const { return input_names_; }
  const std::vector<std::string>& output_names() const { return output_names_; }
  std::size_t size() const { return rows_; }

 private:
  // A variable: its range, and the position of its lowest bit among the inputs or outputs, if it is a column
  // at all.
  struct Cells {
    std::int64_t low, high;
    int bits;
    std::optional<std::size_t> position;
  };

  static void write_cells(const std::vector<Cells>& cells, const VariableList& variables,
                          std::span<const std::int64_t> values, std::uint64_t* words);

  VariableList state_, action_;
  std::vector<Cells> before_, actions_, after_;
  std::vector<std::string> input_names_, output_names_;
  bool unique_;
  RowWriter write_;
  std::size_t most_remembered_, remembered_ = 0;
  std::unordered_set<std::string> seen_;
  std::vector<std::uint64_t> row_;  // inputs, then outputs
  std::size_t rows_ = 0;
};

// The same as comma-separated values.
class TransitionLines {
 public:
  using LineWriter = std::function<void(std::string_view)>;  // receives whole lines, the header first

  TransitionLines(const BitLayout& layout, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, bool unique, LineWriter write,
                  std::size_t most_remembered = std::size_t{1} << 32);
  TransitionLines(const TransitionLines&) = delete;

  void add(const StateValues& state, const ActionValues& action, const StateValues& next) {
    table_.add(state, action, next);
  }
  std::size_t size() const { return table_.size(); }
  std::size_t line_bytes() const { return line_.size(); }  // of each line except the header

 private:
  void write_row(std::span<const std::uint64_t> inputs, std::span<const std::uint64_t> outputs);

  TransitionTable table_;
  LineWriter write_;
  std::string line_;
};

}  // namespace bnnplan::rddl
