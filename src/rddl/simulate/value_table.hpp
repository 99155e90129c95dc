#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rddl/simulate/simulator.hpp"

namespace bnnplan {

// Transitions as comma-separated values, one column per variable: state, action, next state with a ', observations,
// and the reward of the step. Integers, objects (as their numbers) and Booleans are whole numbers, reals have as many
// digits as they need.
class ValueTable {
 public:
  using LineWriter = std::function<void(std::string_view)>;  // gets whole lines, the header first

  // Keeps a reference to the model.
  ValueTable(const GroundModel& model, LineWriter write);

  void add(const StateValues& state, const ActionValues& action, const StateValues& next,
           std::span<const std::int64_t> intermediate, const Number& reward);

  std::size_t size() const { return lines_; }

 private:
  void append(const std::vector<GroundVariable>& variables, std::span<const std::int64_t> values);

  const GroundModel& model_;
  LineWriter write_;
  std::string line_;
  std::size_t lines_ = 0;
};

}  // namespace bnnplan
