#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/query/property.hpp"

namespace bnnplan::verification {

// A linear condition on scores in integers, by the number of inputs of each score that agree with their
// weights:
//   sum of factor * agreeing(score) >= bound
struct ScoreCondition {
  struct Term {
    std::uint32_t score = 0;
    std::int64_t factor = 0;
    friend bool operator==(const Term&, const Term&) = default;
  };
  std::vector<Term> terms;  // each score at most once
  std::int64_t bound = 0;

  friend bool operator==(const ScoreCondition&, const ScoreCondition&) = default;
};

using Property = PropertyOf<ScoreCondition>;

// How far a condition is from failing, given agreeing inputs by score; below 0: it does not hold.
template <class Count>
std::int64_t slack(const ScoreCondition& condition, const Count* agreeing) {
  std::int64_t sum = -condition.bound;
  for (const auto& [score, factor] : condition.terms) sum += factor * agreeing[score];
  return sum;
}

// For a node: the minimum for all, the maximum for any.
template <class Count>
std::int64_t slack(const Property& property, std::uint32_t node, const Count* agreeing) {
  constexpr std::int64_t far = std::int64_t{1} << 60;
  const Property::Node& here = property.nodes[node];
  if (here.kind == Property::Kind::condition) return slack(property.conditions[here.condition], agreeing);
  const bool all = here.kind == Property::Kind::all;
  std::int64_t best = all ? far : -far;
  for (const std::uint32_t child : here.children) {
    const std::int64_t one = slack(property, child, agreeing);
    best = all ? (one < best ? one : best) : (one > best ? one : best);
  }
  return best;
}

}  // namespace bnnplan::verification
