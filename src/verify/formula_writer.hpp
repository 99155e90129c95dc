#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bnnplan/model/pb_formula.hpp"
#include "bnnplan/network/network.hpp"
#include "bnnplan/verify/property.hpp"

namespace bnnplan::verification {

// Writes networks, and properties of their scores, into a pseudo-Boolean formula.
class FormulaWriter {
 public:
  using Term = WeightedLit;

  Lit new_variable() { return Lit::positive({formula_.variables++}); }
  void add(std::vector<Term> terms, std::int64_t bound) { formula_.add(std::move(terms), bound); }

  // A row that need not hold if `unless` is true.
  void add_unless(std::vector<Term> terms, std::int64_t bound, std::optional<Lit> unless);

  // The neurons of all layers above these bits, each a new variable: the bits that the scores see.
  std::vector<Lit> add_layers(const Network& network, std::vector<Lit> bits);

  // factor * (number of inputs of a score that agree with their weights), as terms over the bits that it
  // sees.
  static void add_agreeing(const Score& score, const std::vector<Lit>& bits, std::int64_t factor,
                           std::vector<Term>& terms);

  // A property of the scores above these bits; each part of an "any" is a new variable.
  void add_property(const Property& property, const std::vector<Score>& scores,
                    const std::vector<Lit>& bits) {
    add_tree(property, property.root(), std::nullopt,
             [&](const ScoreCondition& condition, std::optional<Lit> unless) {
               std::vector<Term> terms;
               for (const auto& [score, factor] : condition.terms)
                 add_agreeing(scores[score], bits, factor, terms);
               add_unless(std::move(terms), condition.bound, unless);
             });
  }

  // The same for conditions of any kind: `add_one(condition, unless)` adds one of them.
  template <class Condition, class AddOne>
  void add_tree(const PropertyOf<Condition>& property, std::uint32_t node, std::optional<Lit> unless,
                const AddOne& add_one) {
    using Kind = typename PropertyOf<Condition>::Kind;
    const auto& here = property.nodes[node];
    if (here.kind == Kind::condition) return add_one(property.conditions[here.condition], unless);
    if (here.kind == Kind::all) {
      for (const std::uint32_t child : here.children) add_tree(property, child, unless, add_one);
      return;
    }
    std::vector<Term> chosen;
    for (const std::uint32_t child : here.children) {
      const Lit choice = new_variable();
      chosen.push_back({1, choice});
      add_tree(property, child, std::optional(~choice), add_one);
    }
    if (unless) chosen.push_back({1, *unless});
    add(std::move(chosen), 1);
  }

  model::PbFormula& formula() { return formula_; }

 private:
  model::PbFormula formula_;
};

}  // namespace bnnplan::verification
