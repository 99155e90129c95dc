// Stratification (Marques-Silva et al. 2011; diversity: Ansotegui, Bonet, Gabas and Levy 2013).
//
// A core lowers all its weights by the least of them. If 1 and 1000 meet in a core, the 1000 becomes a 999
// that must be relaxed again. So the heavy literals go first: when they can all be satisfied, the next
// stratum joins. A model at the end of each stratum comes for free, and gives hardening.hpp an upper bound.
//
// The next threshold is the largest weight such that there are at least 1.25 literals above it for each
// different weight: many literals of few weights form a stratum of their own, but weights that are all
// different would make as many strata as literals, and so go down together; then at least by half.
#include "bnnplan/maxsat/stratification.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <vector>

namespace bnnplan::maxsat {

namespace {

constexpr double diversity = 1.25;

}  // namespace

Stratification::Stratification(const CostFunction& objective, bool enabled)
    : threshold_(enabled ? std::numeric_limits<formats::Weight>::max() : 1) {
  if (!complete(objective)) lower(objective);
}

bool Stratification::complete(const CostFunction& objective) const {
  return std::none_of(objective.terms().begin(), objective.terms().end(),
                      [&](const CostTerm& term) { return term.weight > 0 && term.weight < threshold_; });
}

void Stratification::lower(const CostFunction& objective) {
  std::vector<formats::Weight> weights;
  for (const CostTerm& term : objective.terms()) {
    if (term.weight > 0) weights.push_back(term.weight);
  }
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const formats::Weight before = threshold_;
  formats::Weight first = 0;
  std::size_t different = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i > 0 && weights[i] == weights[i - 1]) continue;
    ++different;
    if (weights[i] >= before) continue;
    if (first == 0) first = weights[i];
    std::size_t end = i;
    while (end < weights.size() && weights[end] == weights[i]) ++end;
    threshold_ = weights[i];
    const bool diverse = static_cast<double>(end) > diversity * static_cast<double>(different);
    const bool halved = end < weights.size() && weights[end] <= first / 2;
    if (diverse || halved) break;
  }
  assert(threshold_ < before);
}

}  // namespace bnnplan::maxsat
