#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/decimal.hpp"

namespace bnnplan {

// One step of a plan: the bits of all action variables and, as far as the plan specifies them, those of the
// auxiliary variables and of the state after the step.
struct PlanStep {
  BitValues action;
  BitValues auxiliary;
  BitValues state;

  friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

// A plan for a problem. What a plan leaves unspecified (unknown_bit) must follow from the rest; the checker
// derives it. Plans made by an engine specify everything.
struct Plan {
  BitValues initial;  // one per state bit
  std::vector<PlanStep> steps;
  std::optional<Decimal> cost;  // as claimed, in units of the objective

  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace bnnplan
