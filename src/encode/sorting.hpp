#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/encode/merge.hpp"

namespace bnnplan::encoding {

// How a set of literals is sorted, and what that costs: directly without any variable inside, or as the merge
// of two smaller sorted sets. With MergeRule::cheapest all splits of small sets and the near-even ones of
// large sets are priced; with the other rules sets are halved down to single literals.
class SortingPrices {
 public:
  SortingPrices(MergeRule rule, Implication implication, int variable_price)
      : merges_(rule, implication, variable_price) {}

  // The size of making the positions in `window` of n sorted literals.
  EncodingSize size(int n, Window window) { return decide(n, window).size; }
  // The size of the first of the two parts; 0 if the literals are sorted directly. Requires n >= 2.
  int split(int n, Window window) { return decide(n, window).split; }
  // The same for "at least `threshold` of n": both parts are sorted, and no variable is made for their merge.
  // Requires 1 <= threshold <= n, n >= 2.
  int split_at_least(int n, int threshold);
  EncodingSize size_at_least(int n, int threshold);

  MergePrices& merges() { return merges_; }
  const MergePrices& merges() const { return merges_; }

 private:
  struct Decision {
    EncodingSize size;
    int split = 0;
  };

  Decision decide(int n, Window window);
  EncodingSize size_of_parts(int n, int split, Window window);
  EncodingSize size_split_at_least(int n, int split, int threshold);

  MergePrices merges_;
  std::unordered_map<std::uint64_t, Decision> decisions_;
};

// The sorted inputs: n literals, of which those outside `window` are kNotMade.
std::vector<Lit> sort_literals(std::span<const Lit> inputs, Window window, SortingPrices& prices,
                               ClauseSink& sink);

// output <-> at least `threshold` of the inputs, by sorting two parts of them and reading one position of
// their merge. Requires 1 <= threshold <= n and n >= 2.
void encode_by_sorting(const ReifiedAtLeast& neuron, SortingPrices& prices, ClauseSink& sink);

}  // namespace bnnplan::encoding
