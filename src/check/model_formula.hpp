#pragma once

#include <cstdint>

#include "check/pb_formula.hpp"
#include "model/zero_one_model.hpp"

namespace bnnplan {

// What a proof about a model is about: the formula that `encode --to opb` writes for it, made here without
// the code that writes it. `offset` is what the value of its objective lacks of the cost.
struct ModelFormula {
  PbFormula formula;
  std::int64_t offset = 0;
};
ModelFormula formula_of(const ZeroOneModel& model);

}  // namespace bnnplan
