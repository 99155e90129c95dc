#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bit_value.hpp"
#include "base/decimal.hpp"

namespace bnnplan {

// One step of a plan: the bits of all action variables, and, as far as the plan says them, those of the
// auxiliary variables and of the state after the step.
struct PlanStep {
  BitValues action;
  BitValues auxiliary;
  BitValues state;

  friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

// A plan for a problem. What a plan does not say (unknown_bit) must follow from what it says; the checker
// finds out. Plans made by an engine say everything.
struct Plan {
  BitValues initial;  // one per state bit
  std::vector<PlanStep> steps;
  std::optional<Decimal> cost;  // as claimed, in units of the objective

  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace bnnplan
