#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bnnplan/model/pb_formula.hpp"
#include "bnnplan/query/linear_query.hpp"
#include "bnnplan/verify/number_cuts.hpp"
#include "bnnplan/verify/question.hpp"

namespace bnnplan::verification {

// A linear query in integers. If it is only about outputs, and every number has its own range, it is a
// question about flips, which all engines can answer; otherwise it is a formula, for the solver.
struct LinearQuestion {
  std::unique_ptr<const Network> network;  // with scores
  bool impossible = false;                 // no input is left
  std::optional<FlipQuestion> flips;
  model::PbFormula formula;  // what a proof is about, in both cases
  // The objective: its value is (value of the formula) * unit + offset.
  mpq_class unit = 1, offset = 0;

  // How inputs are encoded in the values of the formula: by the cuts that they are beyond, or as an integer
  // in binary.
  struct NumberCode {
    NumberRange range;
    std::vector<std::pair<Cut, Lit>> cuts;  // ascending
    std::vector<Lit> digits;                // the number is range.lower + step * (sum of 2^j digit j)
  };
  std::vector<NumberCode> numbers;
};

// Throws InputError for what cannot be expressed in integers: a region in a norm other than linf together
// with conditions on inputs; sums of several inputs whose numbers may be anything; coefficients that do not
// fit into 61 bits in their common unit.
LinearQuestion make_linear_question(const Network& network, const LinearQuery& query);

}  // namespace bnnplan::verification
