// The objective as a sum over literals. Terms whose weight is used up stay in their place with weight 0, so
// that the order, and with it the whole run, does not depend on hashing.
#include "bnnplan/maxsat/cost_function.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace bnnplan::maxsat {

CostTerm* CostFunction::find(Lit literal) {
  const auto found = position_.find(literal.code);
  return found == position_.end() ? nullptr : &terms_[found->second];
}

void CostFunction::add(Lit literal, formats::Weight weight) {
  if (CostTerm* opposite = find(~literal)) {
    const formats::Weight shared = std::min(opposite->weight, weight);
    opposite->weight -= shared;
    weight -= shared;
    constant_ += shared;
  }
  if (weight == 0) return;
  if (CostTerm* term = find(literal)) {
    term->weight += weight;
    return;
  }
  position_.emplace(literal.code, terms_.size());
  terms_.push_back({literal, weight});
}

void CostFunction::reduce(Lit literal, formats::Weight amount) {
  CostTerm* term = find(literal);
  assert(term != nullptr && amount <= term->weight);
  term->weight -= amount;
}

formats::Weight CostFunction::weight(Lit literal) const {
  const auto found = position_.find(literal.code);
  return found == position_.end() ? 0 : terms_[found->second].weight;
}

std::vector<CostTerm> CostFunction::costly_terms() const {
  std::vector<CostTerm> result;
  std::copy_if(terms_.begin(), terms_.end(), std::back_inserter(result),
               [](const CostTerm& term) { return term.weight > 0; });
  return result;
}

}  // namespace bnnplan::maxsat
