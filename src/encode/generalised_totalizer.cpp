// The generalised totalizer (Joshi, Martins and Manquinho 2015): a balanced tree over the terms in which
// every node has one literal for each sum s > 0 that its terms can have, meaning "my sum is at least s". Sums
// above the bound count as the bound.
//
//   to output     left >= s and right >= t   ->  node >= s+t
//   from output   left <= s and right <= t   ->  node <= s+t,   where <= s is "not >= the next larger sum"
//   and           node >= s                  ->  node >= the next smaller sum
//
// With all coefficients 1 it is the totalizer. Propagation complete. Its size is the number of different
// sums, squared at the top: good for few different coefficients, exponential for powers of two. The terms are
// ordered by coefficient, which keeps equal coefficients, and so equal sums, together.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bnnplan/encode/weighted_encodings.hpp"
#include "bnnplan/encode/weighted_sum.hpp"

namespace bnnplan::encoding {

namespace {

class TotalizerWriter {
 public:
  TotalizerWriter(std::uint64_t bound, Implication implication, std::int64_t most_clauses, ClauseSink& sink)
      : bound_(bound), implication_(implication), most_clauses_(most_clauses), sink_(sink) {}

  UnarySum sums(std::span<const SumTerm> terms) {
    if (terms.size() == 1) return {{0, {}}, {std::min(terms[0].weight, bound_), terms[0].literal}};
    const std::size_t half = terms.size() / 2;
    const UnarySum left = sums(terms.first(half));
    const UnarySum right = sums(terms.subspan(half));
    if (static_cast<std::int64_t>(left.size() * right.size()) > most_clauses_) throw BudgetExhausted();
    UnarySum all;
    for (const SumStep& s : left) {
      for (const SumStep& t : right) all.push_back({std::min(s.value + t.value, bound_), {}});
    }
    std::sort(all.begin(), all.end(), [](const SumStep& a, const SumStep& b) { return a.value < b.value; });
    all.erase(std::unique(all.begin(), all.end(),
                          [](const SumStep& a, const SumStep& b) { return a.value == b.value; }),
              all.end());
    for (std::size_t i = 1; i < all.size(); ++i) all[i].at_least = sink_.new_variable();
    for (std::size_t i = 2; i < all.size(); ++i) sink_.add({~all[i].at_least, all[i - 1].at_least});
    add_clauses(left, right, all);
    return all;
  }

  // output <-> the sum of both sides >= bound.
  void write_root(std::span<const SumTerm> terms, Lit output) {
    const std::size_t half = terms.size() / 2;
    const UnarySum left = sums(terms.first(half));
    const UnarySum right = sums(terms.subspan(half));
    add_clauses(left, right, {{0, {}}, {bound_, output}});
  }

 private:
  // `all` may have fewer sums than the pairs, as for the root. Of the pairs that imply the same about the
  // node, only the strongest is written: the order of the sums on the right implies the others.
  void add_clauses(const UnarySum& left, const UnarySum& right, const UnarySum& all) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      const SumStep* last_proved = nullptr;
      for (std::size_t j = 0; j < right.size(); ++j) {
        const SumStep* const above = first_above(all, left[i].value + right[j].value);
        const SumStep* const proved = above - 1;
        if (goes_to_output(implication_) && proved != last_proved) add_lower(left, i, right, j, *proved);
        last_proved = proved;
        if (!goes_from_output(implication_) || above == all.data() + all.size()) continue;
        const bool next_is_stronger =
            j + 1 < right.size() && first_above(all, left[i].value + right[j + 1].value) == above;
        if (!next_is_stronger) add_upper(left, i, right, j, *above);
      }
    }
  }

  static const SumStep* first_above(const UnarySum& all, std::uint64_t value) {
    return std::upper_bound(all.data(), all.data() + all.size(), value,
                            [](std::uint64_t v, const SumStep& sum) { return v < sum.value; });
  }

  void add_lower(const UnarySum& left, std::size_t i, const UnarySum& right, std::size_t j,
                 const SumStep& sum) {
    if (sum.value == 0) return;
    std::size_t length = 0;
    if (i > 0) clause_[length++] = ~left[i].at_least;
    if (j > 0) clause_[length++] = ~right[j].at_least;
    clause_[length++] = sum.at_least;
    sink_.add(std::span<const Lit>(clause_.data(), length));
  }

  void add_upper(const UnarySum& left, std::size_t i, const UnarySum& right, std::size_t j,
                 const SumStep& above) {
    std::size_t length = 0;
    if (i + 1 < left.size()) clause_[length++] = left[i + 1].at_least;
    if (j + 1 < right.size()) clause_[length++] = right[j + 1].at_least;
    clause_[length++] = ~above.at_least;
    sink_.add(std::span<const Lit>(clause_.data(), length));
  }

  std::uint64_t bound_;
  Implication implication_;
  std::int64_t most_clauses_;
  ClauseSink& sink_;
  std::array<Lit, 3> clause_;
};

}  // namespace

UnarySum unary_sum(std::span<const SumTerm> terms, std::uint64_t cap, Implication implication,
                   std::int64_t most_clauses, ClauseSink& sink) {
  return TotalizerWriter(cap, implication, most_clauses, sink).sums(terms);
}

void encode_generalised_totalizer(const WeightedAtLeast& constraint, Lit output, Implication implication,
                                  std::int64_t most_clauses, ClauseSink& sink) {
  TotalizerWriter writer(static_cast<std::uint64_t>(constraint.bound), implication, most_clauses, sink);
  writer.write_root(sum_terms(constraint), output);
}

}  // namespace bnnplan::encoding
