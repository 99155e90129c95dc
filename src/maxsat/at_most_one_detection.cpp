// At-most-one detection ("intrinsic at-most-ones", Ignatiev, Morgado and Marques-Silva 2019).
//
// If at most one of the soft literals s_1 .. s_n can be true, all cost literals c_i = ~s_i but one are paid
// in every model:
//   w c_1 + ... + w c_n  =  (n - 1) w + w b         b: all of them are true, s_1 or ... or s_n or b
// One step instead of n - 1 cores, and one new variable instead of a totalizer. With different weights the
// group is processed from the lightest up: all n with the least weight, the others with the difference to the
// next, and so on; together they give the sum of all weights but the largest.
//
// Two soft literals exclude each other if one implies the negation of the other along binary clauses (breadth
// first, bounded); groups are cliques of that graph, grown greedily. The literature propagates over all
// clauses; that needs a second copy of the formula with watches, which for the formulas here takes a gigabyte
// to find exclusions that are written as binary clauses anyway.
#include "bnnplan/maxsat/at_most_one_detection.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace bnnplan::maxsat {

namespace {

constexpr std::size_t steps_per_literal = 2000;
constexpr std::size_t steps_in_all = 20'000'000;
constexpr std::size_t pairs_in_all = 5'000'000;
constexpr std::size_t largest_group = 2000;

// literal -> the literals it implies by a binary clause, one row after the other.
class BinaryImplications {
 public:
  BinaryImplications(const formats::Wcnf& formula, const VariableMap& map, std::uint32_t variables)
      : begin_(2 * static_cast<std::size_t>(variables) + 1) {
    const auto for_each = [&](auto action) {
      for (std::size_t i = 0; i < formula.hard.size(); ++i) {
        const auto clause = formula.hard[i];
        if (clause.size() == 2) action(map(clause[0]), map(clause[1]));
      }
    };
    for_each([&](Lit a, Lit b) {
      ++begin_[(~a).code + 1];
      ++begin_[(~b).code + 1];
    });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    implied_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for_each([&](Lit a, Lit b) {
      implied_[next[(~a).code]++] = b;
      implied_[next[(~b).code]++] = a;
    });
  }

  std::span<const Lit> of(Lit lit) const {
    return std::span(implied_).subspan(begin_[lit.code], begin_[lit.code + 1] - begin_[lit.code]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Lit> implied_;
};

// exclusions[i]: the terms whose soft literal cannot be true together with that of term i, sorted.
std::vector<std::vector<std::uint32_t>> find_exclusions(const std::vector<CostTerm>& terms,
                                                        const BinaryImplications& implications,
                                                        std::uint32_t variables) {
  std::unordered_map<std::uint32_t, std::uint32_t> term_of_cost_literal;
  for (std::uint32_t i = 0; i < terms.size(); ++i) term_of_cost_literal.emplace(terms[i].literal.code, i);
  std::vector<std::vector<std::uint32_t>> exclusions(terms.size());
  std::vector<std::uint32_t> seen(2 * static_cast<std::size_t>(variables),
                                  0);  // in the search of term i: i + 1
  std::vector<Lit> queue;
  std::size_t steps = 0, pairs = 0;
  for (std::uint32_t i = 0; i < terms.size() && steps < steps_in_all && pairs < pairs_in_all; ++i) {
    queue.assign(1, ~terms[i].literal);
    seen[queue.front().code] = i + 1;
    const std::size_t last = steps + steps_per_literal;
    for (std::size_t head = 0; head < queue.size() && steps < last; ++head) {
      for (const Lit next : implications.of(queue[head])) {
        ++steps;
        if (std::exchange(seen[next.code], i + 1) == i + 1) continue;
        queue.push_back(next);
        const auto found = term_of_cost_literal.find(next.code);
        if (found == term_of_cost_literal.end() || found->second == i) continue;
        exclusions[i].push_back(found->second);
        exclusions[found->second].push_back(i);
        ++pairs;
      }
    }
  }
  for (auto& row : exclusions) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return exclusions;
}

// Disjoint cliques of at least two terms. Terms with few exclusions choose first, because the others have
// more groups to join.
std::vector<std::vector<std::uint32_t>> disjoint_cliques(
    const std::vector<std::vector<std::uint32_t>>& exclusions) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < exclusions.size(); ++i) {
    if (!exclusions[i].empty()) order.push_back(i);
  }
  const auto fewer = [&](std::uint32_t a, std::uint32_t b) {
    return exclusions[a].size() < exclusions[b].size();
  };
  std::stable_sort(order.begin(), order.end(), fewer);
  std::vector<bool> taken(exclusions.size());
  std::vector<std::vector<std::uint32_t>> cliques;
  for (const std::uint32_t seed : order) {
    if (taken[seed]) continue;
    std::vector<std::uint32_t> clique = {seed};
    std::vector<std::uint32_t> candidates = exclusions[seed];
    std::erase_if(candidates, [&](std::uint32_t i) { return taken[i]; });
    std::stable_sort(candidates.begin(), candidates.end(), fewer);
    for (const std::uint32_t candidate : candidates) {
      if (clique.size() == largest_group) break;
      const auto& row = exclusions[candidate];
      if (std::all_of(clique.begin() + 1, clique.end(),
                      [&](std::uint32_t i) { return std::binary_search(row.begin(), row.end(), i); })) {
        clique.push_back(candidate);
      }
    }
    if (clique.size() < 2) continue;
    for (const std::uint32_t i : clique) taken[i] = true;
    cliques.push_back(std::move(clique));
  }
  return cliques;
}

void relax_group(std::vector<CostTerm> group, MaxSatRun& search) {
  std::stable_sort(group.begin(), group.end(),
                   [](const CostTerm& a, const CostTerm& b) { return a.weight > b.weight; });
  formats::Weight paid = 0;  // of the weight of every remaining term
  while (group.size() >= 2) {
    const formats::Weight weight = group.back().weight - paid;
    if (weight > 0) {
      std::vector<Lit> clause;
      for (const CostTerm& term : group) {
        search.objective.reduce(term.literal, weight);
        clause.push_back(~term.literal);
      }
      const Lit all_paid = search.oracle.new_variable();
      search.oracle.freeze(all_paid);
      search.oracle.prefer(~all_paid);
      clause.push_back(all_paid);
      search.oracle.add(clause);
      search.objective.add_constant(weight * static_cast<formats::Weight>(group.size() - 1));
      search.objective.add(all_paid, weight);
      paid += weight;
    }
    group.pop_back();
  }
  ++search.statistics.at_most_ones;
}

}  // namespace

void detect_at_most_ones(const formats::Wcnf& formula, const VariableMap& map, MaxSatRun& search) {
  std::vector<CostTerm> terms;
  for (const CostTerm& term : search.objective.terms()) {
    if (term.weight > 0) terms.push_back(term);
  }
  if (terms.size() < 2) return;
  const std::uint32_t variables = search.oracle.variables();
  const BinaryImplications implications(formula, map, variables);
  for (const auto& clique : disjoint_cliques(find_exclusions(terms, implications, variables))) {
    std::vector<CostTerm> group;
    for (const std::uint32_t i : clique) group.push_back(terms[i]);
    relax_group(std::move(group), search);
  }
}

}  // namespace bnnplan::maxsat
