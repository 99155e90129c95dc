#pragma once

#include <cstdint>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::checking {

// The formula that a proof about a model refers to: the one that `encode --to opb` writes, built here without
// the code that writes it. cost = value of its objective + `offset`.
struct ModelFormula {
  PbFormula formula;
  std::int64_t offset = 0;
};
ModelFormula formula_of(const model::ZeroOneModel& model);

}  // namespace bnnplan::checking
