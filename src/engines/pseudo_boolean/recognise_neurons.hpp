#pragma once

#include <cstddef>
#include <vector>

#include "bnnplan/model/pb_formula.hpp"

namespace bnnplan::engines {

// A pseudo-Boolean formula with its neurons found.
struct RecognisedFormula {
  // The neurons of a layer have equal depth and share inputs.
  std::vector<std::vector<ReifiedAtLeast>> layers;
  std::vector<std::size_t> rest;  // constraints, from 0, that are not half of a neuron
  // By variable: defined by a neuron from other variables, without a cycle.
  std::vector<bool> defined;
};

RecognisedFormula recognise_neurons(const model::PbFormula& formula);

}  // namespace bnnplan::engines
