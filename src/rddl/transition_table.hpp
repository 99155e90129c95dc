#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rddl/bit_layout.hpp"
#include "rddl/simulator.hpp"

namespace bnnplan {

// Transitions as comma-separated values, one column per bit: state bits, action bits, next-state bits with a
// '. Names are those of the problem file: robot-at[x1| y2], age[c1].0, age[c1].0'.
class TransitionTable {
 public:
  // `inputs` and `outputs` name the fluents (or ground variables) whose columns are wanted before and after
  // the step; all if empty. With `unique`, a line that is there already is not added again. Throws
  // InputError for names that are no state or action variables. Keeps references to neither argument.
  TransitionTable(const BitLayout& layout, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs, bool unique,
                  std::size_t most_bytes = std::size_t{1} << 32);

  // Throws InputError if the text becomes longer than `most_bytes`.
  void add(const StateValues& state, const ActionValues& action, const StateValues& next);

  std::size_t size() const { return lines_; }
  const std::string& text() const { return text_; }

 private:
  VariableList state_, action_;
  std::vector<std::uint32_t> columns_;  // bits of state, action, next in this order, numbered through
  bool unique_;
  std::size_t most_bytes_;
  std::unordered_set<std::string> seen_;
  std::string text_;
  std::string line_;
  std::vector<std::uint8_t> bits_;
  std::size_t lines_ = 0;
};

}  // namespace bnnplan
