// "The objective is at most K" as clauses, for a K that falls.
//
// The sum comes from the encodings of linear constraints; this file only adds the falling bound:
//
// Totalizer (encode/generalised_totalizer.cpp): one literal for each value that the sum can have, up to the
// limit. K is set by making the literals above it false. Propagates everything, but may have exponentially
// many values: fine for weights of 1 to 8, hopeless for 1000 different ones.
//
// Adder (encode/adder.cpp): K is set by clauses over the bits of the sum: for every bit that is 0 in K, it or
// one of the higher bits that are 1 in K must be 0 in the sum. Hardly propagates, but always fits.
//
// The totalizer is used if it has at most 3 million clauses.
#include "bnnplan/maxsat/objective_bound.hpp"

#include <algorithm>

namespace bnnplan::maxsat {

namespace {

constexpr std::int64_t totalizer_clauses = 3'000'000;

encoding::UnarySum totalizer(const std::vector<CostTerm>& terms, formats::Weight limit,
                             encoding::ClauseSink& sink) {
  return encoding::unary_sum(terms, limit, encoding::Implication::to_output, totalizer_clauses, sink);
}

// Equal weights next to each other: their nodes have few sums.
void sort_by_weight(std::vector<CostTerm>& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const CostTerm& a, const CostTerm& b) { return a.weight < b.weight; });
}

bool totalizer_of_sorted_fits(const std::vector<CostTerm>& terms, formats::Weight limit) {
  encoding::CountingSink counter(0, totalizer_clauses);
  try {
    totalizer(terms, limit, counter);
  } catch (const encoding::BudgetExhausted&) {
    return false;
  }
  return true;
}

}  // namespace

bool fits_totalizer(std::vector<CostTerm> terms, formats::Weight limit) {
  sort_by_weight(terms);
  return terms.empty() || totalizer_of_sorted_fits(terms, limit);
}

ObjectiveBound::ObjectiveBound(std::vector<CostTerm> terms, formats::Weight limit,
                               encoding::ClauseSink& sink) {
  if (terms.empty()) return;
  sort_by_weight(terms);
  adder_ = !totalizer_of_sorted_fits(terms, limit);
  if (adder_) {
    bits_ = encoding::binary_sum(terms, sink);
  } else {
    sums_ = totalizer(terms, limit, sink);
  }
}

std::vector<Lit> ObjectiveBound::literals() const {
  std::vector<Lit> result;
  for (std::size_t i = 1; i < sums_.size(); ++i) result.push_back(sums_[i].at_least);
  for (const auto& bit : bits_) result.insert(result.end(), bit.begin(), bit.end());
  return result;
}

void ObjectiveBound::restrict(formats::Weight largest, encoding::ClauseSink& sink) {
  if (!adder_) {
    while (!sums_.empty() && sums_.back().value > largest) {
      sink.add({~sums_.back().at_least});
      sums_.pop_back();
    }
    return;
  }
  std::vector<Lit> higher_ones_missing;
  for (std::size_t bit = bits_.size(); bit-- > 0;) {
    const bool one = bit < 64 && (largest >> bit & 1) != 0;
    if (one) {
      if (bits_[bit].empty()) return;  // the sum is below K here, whatever the lower bits are
      higher_ones_missing.push_back(~bits_[bit].front());
    } else if (!bits_[bit].empty()) {
      std::vector<Lit> clause = higher_ones_missing;
      clause.push_back(~bits_[bit].front());
      sink.add(clause);
    }
  }
}

}  // namespace bnnplan::maxsat
