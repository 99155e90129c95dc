#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bnnplan/encode/weighted_sum.hpp"
#include "bnnplan/formats/wcnf.hpp"

namespace bnnplan::maxsat {

// A literal that costs `weight` when it is true.
using CostTerm = encoding::SumTerm;

// The function to minimise: constant + the weights of the cost literals that are true. All weights are
// positive, so the constant is a lower bound on the cost; core-guided search is the art of moving weight into
// it. The total never grows, so nothing overflows that did not at the start.
class CostFunction {
 public:
  formats::Weight constant() const { return constant_; }
  void add_constant(formats::Weight amount) { constant_ += amount; }

  // Adds weight to a literal; the part it shares with the opposite literal is paid in any case and goes into
  // the constant.
  void add(Lit literal, formats::Weight weight);
  // Requires amount <= weight(literal).
  void reduce(Lit literal, formats::Weight amount);
  formats::Weight weight(Lit literal) const;

  // In the order in which the literals were added. Some weights may be 0.
  const std::vector<CostTerm>& terms() const { return terms_; }
  // The terms with a positive weight.
  std::vector<CostTerm> costly_terms() const;

 private:
  CostTerm* find(Lit literal);

  formats::Weight constant_ = 0;
  std::vector<CostTerm> terms_;
  std::unordered_map<std::uint32_t, std::size_t> position_;  // of a literal's code in terms_
};

}  // namespace bnnplan::maxsat
