// "The objective is at most K" as clauses, for a K that falls.
//
// Generalised totalizer (Joshi, Martins and Manquinho 2015): a tree like the totalizer's in which a node has
// one output for each sum its terms can make, l_a and r_b -> o_(a+b); sums of `limit` and more are forbidden
// on the spot. K is set by making the outputs above it false. Propagates all there is to propagate, but a
// node may have exponentially many sums: fine for weights of 1 to 8, hopeless for 1000 different ones.
//
// Adder (Een and Sorensson 2006): the sum in binary by full adders, about 14 clauses for each literal and bit
// of its weight. K is set by clauses over the bits of the sum: for every bit that is 0 in K, it or one of the
// higher bits that are 1 in K must be 0 in the sum. Hardly propagates, but always fits.
//
// The totalizer is taken if it has at most 3 million clauses.
#include "maxsat/objective_bound.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <map>
#include <optional>

namespace bnnplan {

namespace {

constexpr std::size_t totalizer_clauses = 3'000'000;

using Sums = std::vector<Weight>;  // ascending, without 0

// The sums below `limit` of two nodes, and the number of clauses that make them.
Sums merged_sums(const Sums& left, const Sums& right, Weight limit, std::size_t& clauses) {
  clauses += (left.size() + 1) * (right.size() + 1);
  if (clauses > totalizer_clauses) return {};
  Sums sums = left;
  sums.insert(sums.end(), right.begin(), right.end());
  for (const Weight a : left) {
    for (const Weight b : right) {
      if (a < limit - b) sums.push_back(a + b);
    }
  }
  std::sort(sums.begin(), sums.end());
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  return sums;
}

using Outputs = std::vector<std::pair<Weight, Lit>>;

Outputs merged_outputs(const Outputs& left, const Outputs& right, Weight limit, ClauseSink& sink) {
  std::map<Weight, Lit> outputs;
  const auto output = [&](Weight sum) {
    const auto found = outputs.find(sum);
    if (found != outputs.end()) return found->second;
    const Lit literal = sink.new_variable();
    outputs.emplace(sum, literal);
    return literal;
  };
  for (const auto& [a, literal] : left) sink.add({~literal, output(a)});
  for (const auto& [b, literal] : right) sink.add({~literal, output(b)});
  for (const auto& [a, left_literal] : left) {
    for (const auto& [b, right_literal] : right) {
      if (a < limit - b) {
        sink.add({~left_literal, ~right_literal, output(a + b)});
      } else {
        sink.add({~left_literal, ~right_literal});
      }
    }
  }
  return {outputs.begin(), outputs.end()};
}

// sum <-> a xor b xor c
Lit encode_sum(Lit a, Lit b, Lit c, ClauseSink& sink) {
  const Lit sum = sink.new_variable();
  for (unsigned bits = 0; bits < 8; ++bits) {
    const auto flipped = [&](Lit lit, unsigned bit) { return (bits >> bit & 1u) != 0 ? ~lit : lit; };
    // The inputs are as in `bits`: then the sum is their parity.
    const bool odd = ((bits ^ bits >> 1 ^ bits >> 2) & 1u) != 0;
    sink.add({flipped(a, 0), flipped(b, 1), flipped(c, 2), odd ? sum : ~sum});
  }
  return sum;
}

// carry <-> at least two of a, b, c
Lit encode_carry(Lit a, Lit b, Lit c, ClauseSink& sink) {
  const Lit carry = sink.new_variable();
  for (const auto& [x, y] : {std::pair{a, b}, {a, c}, {b, c}}) {
    sink.add({~x, ~y, carry});
    sink.add({x, y, ~carry});
  }
  return carry;
}

}  // namespace

ObjectiveBound::ObjectiveBound(std::vector<CostTerm> terms, Weight limit, ClauseSink& sink)
    : terms_(std::move(terms)) {
  // Equal weights side by side: their nodes have few sums.
  std::stable_sort(terms_.begin(), terms_.end(),
                   [](const CostTerm& a, const CostTerm& b) { return a.weight < b.weight; });
  if (!build_totalizer(limit, sink)) build_adder(sink);
}

bool ObjectiveBound::build_totalizer(Weight limit, ClauseSink& sink) {
  std::vector<CostTerm> affordable;
  for (const CostTerm& term : terms_) {
    if (term.weight < limit) affordable.push_back(term);
  }
  std::size_t clauses = 0;
  std::deque<Sums> priced;
  for (const CostTerm& term : affordable) priced.push_back({term.weight});
  while (priced.size() > 1) {
    priced.push_back(merged_sums(priced[0], priced[1], limit, clauses));
    priced.pop_front();
    priced.pop_front();
    if (clauses > totalizer_clauses) return false;
  }
  for (const CostTerm& term : terms_) {
    if (term.weight >= limit) sink.add({~term.literal});
  }
  std::deque<Outputs> nodes;
  for (const CostTerm& term : affordable) nodes.push_back({{term.weight, term.literal}});
  while (nodes.size() > 1) {
    nodes.push_back(merged_outputs(nodes[0], nodes[1], limit, sink));
    nodes.pop_front();
    nodes.pop_front();
  }
  if (!nodes.empty()) sums_ = std::move(nodes.front());
  return true;
}

void ObjectiveBound::build_adder(ClauseSink& sink) {
  adder_ = true;
  std::vector<std::deque<Lit>> columns(65);
  for (const CostTerm& term : terms_) {
    for (std::size_t bit = 0; bit < 64; ++bit) {
      if ((term.weight >> bit & 1) != 0) columns[bit].push_back(term.literal);
    }
  }
  std::optional<Lit> constant_false;
  bits_.resize(columns.size());
  for (std::size_t bit = 0; bit + 1 < columns.size(); ++bit) {
    auto& column = columns[bit];
    while (column.size() >= 2) {
      if (!constant_false) {
        constant_false = sink.new_variable();
        sink.add({~*constant_false});
      }
      const Lit a = column[0], b = column[1], c = column.size() >= 3 ? column[2] : *constant_false;
      column.erase(column.begin(), column.begin() + (column.size() >= 3 ? 3 : 2));
      column.push_back(encode_sum(a, b, c, sink));
      columns[bit + 1].push_back(encode_carry(a, b, c, sink));
    }
    bits_[bit].assign(column.begin(), column.end());
  }
  assert(columns.back().empty() || terms_.empty() || columns.back().size() <= 1);
  for (const Lit overflow : columns.back()) sink.add({~overflow});  // the sum is below 2^64
}

std::vector<Lit> ObjectiveBound::literals() const {
  std::vector<Lit> result;
  for (const auto& [sum, literal] : sums_) result.push_back(literal);
  for (const auto& bit : bits_) result.insert(result.end(), bit.begin(), bit.end());
  return result;
}

void ObjectiveBound::restrict(Weight largest, ClauseSink& sink) {
  if (!adder_) {
    while (!sums_.empty() && sums_.back().first > largest) {
      sink.add({~sums_.back().second});
      sums_.pop_back();
    }
    return;
  }
  std::vector<Lit> higher_ones_missing;
  for (std::size_t bit = bits_.size(); bit-- > 0;) {
    const bool one = bit < 64 && (largest >> bit & 1) != 0;
    if (one) {
      if (bits_[bit].empty()) return;  // the sum is below here whatever the lower bits are
      higher_ones_missing.push_back(~bits_[bit].front());
    } else if (!bits_[bit].empty()) {
      std::vector<Lit> clause = higher_ones_missing;
      clause.push_back(~bits_[bit].front());
      sink.add(clause);
    }
  }
}

}  // namespace bnnplan
