#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "bnnplan/base/decimal.hpp"
#include "bnnplan/base/text_style.hpp"
#include "bnnplan/view/view.hpp"

namespace bnnplan::view {

// The parts of a plan that a picture shows: frame 0 is the initial state, frame t the state after step t.
struct PlanFrames {
  std::size_t steps = 0;
  std::function<Decimal(std::size_t frame, std::uint32_t variable)> state;   // 0..steps
  std::function<Decimal(std::size_t frame, std::uint32_t variable)> action;  // 1..steps: of that step
  std::function<std::string(std::size_t frame)> taken;  // 1..steps: all of its actions, "left" or "order=2"
};

// A plan drawn in text: for every step a grid side by side with the others, a bar of stock or a line of
// computers. Empty if it does not fit into the width.
std::string text_picture(const View& view, const PlanFrames& plan, const TextStyle& style);

}  // namespace bnnplan::view
