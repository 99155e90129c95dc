#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

// Transitions as comma-separated values, one column per variable: state, action, next state with a ',
// observations, and the reward of the step. Integers, objects (as their numbers) and Booleans are whole
// numbers; reals have as many digits as they need.
class ValueTable {
 public:
  using LineWriter = std::function<void(std::string_view)>;  // receives whole lines, the header first

  ValueTable(const GroundModel& model, LineWriter write);

  void add(const StateValues& state, const ActionValues& action, const StateValues& next,
           std::span<const std::int64_t> intermediate, const Number& reward);

  std::size_t size() const { return lines_; }

 private:
  void append(std::span<const char> reals, std::span<const std::int64_t> values);
  void append_real(double value);
  void append_integer(std::int64_t value);
  void append_reward(const Number& reward);

  // Which variables are reals; stored contiguously, since this is checked for every value.
  struct {
    std::vector<char> state, action, intermediate;
  } reals_;
  LineWriter write_;
  std::vector<std::uint32_t> observed_;  // intermediate variables
  std::string line_;
  StateValues after_;       // the next state of the last line
  std::string after_text_;  // and its text
  std::size_t lines_ = 0;
};

}  // namespace bnnplan::rddl
