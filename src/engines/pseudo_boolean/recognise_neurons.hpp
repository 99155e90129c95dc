#pragma once

#include <vector>

#include "base/linear_row.hpp"
#include "check/pb_formula.hpp"

namespace bnnplan {

// A pseudo-Boolean formula with its neurons found.
struct RecognisedFormula {
  std::vector<std::vector<ReifiedAtLeast>> layers;  // neurons of a layer are equally deep and share inputs
  std::vector<PbConstraint> rest;                   // what is no half of a neuron
  std::vector<bool> defined;  // of variables: follows from others, by a neuron, and not in a circle
};

RecognisedFormula recognise_neurons(const PbFormula& formula);

}  // namespace bnnplan
