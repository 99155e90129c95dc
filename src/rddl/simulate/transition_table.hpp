#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rddl/ground/bit_layout.hpp"
#include "rddl/simulate/simulator.hpp"

namespace bnnplan {

// Transitions as comma-separated values, one column per bit: state bits, action bits, next-state bits with a
// '. Names are those of the problem file: robot-at[x1| y2], age[c1].0, age[c1].0'. Lines are written as they
// come, and only with `unique` remembered.
class TransitionTable {
 public:
  using LineWriter = std::function<void(std::string_view)>;  // gets whole lines, the header first

  // `inputs` and `outputs` name the fluents (or ground variables) whose columns are wanted before and after
  // the step; all if empty. With `unique`, a line that is there already is not written again. Throws
  // InputError for names that are no state or action variables. Keeps references to nothing but what `write`
  // does.
  TransitionTable(const BitLayout& layout, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, bool unique, LineWriter write,
                  std::size_t most_remembered = std::size_t{1} << 32);

  // Throws InputError if the lines that are remembered take more than `most_remembered` bytes.
  void add(const StateValues& state, const ActionValues& action, const StateValues& next);

  std::size_t size() const { return lines_; }
  std::size_t line_bytes() const { return 2 * columns_; }  // of each line but the header

 private:
  // A variable: its range, and where its lowest bit is in the line, if it is there at all.
  struct Cells {
    std::int64_t low, high;
    int bits;
    std::optional<std::size_t> position;
  };

  void write_cells(const std::vector<Cells>& cells, const VariableList& variables,
                   std::span<const std::int64_t> values);

  VariableList state_, action_;
  std::vector<Cells> before_, actions_, after_;
  std::size_t columns_ = 0;
  bool unique_;
  LineWriter write_;
  std::size_t most_remembered_, remembered_ = 0;
  std::unordered_set<std::string> seen_;
  std::string line_;
  std::size_t lines_ = 0;
};

}  // namespace bnnplan
