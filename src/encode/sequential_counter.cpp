// The sequential counter: s_(i,j) says that at least j of the first i inputs are true,
//
//   s_(i,j)  <->  s_(i-1,j)  or  (s_(i-1,j-1) and x_i)
//
// (Sinz 2005, here with both implications and without the s_(i,j) that cannot matter: j > k, or j so small
// that even all later inputs would not suffice). In terms of merge.hpp it is a chain of direct merges with
// one literal at a time. At most k (n-k+1) variables with 4 clauses each, so it is good only for k close to 1
// or n; the long chain also makes for long propagations. Propagation complete.

#include <vector>

#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/merge.hpp"

namespace bnnplan::encoding {

void encode_sequential_counter(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink) {
  const std::span inputs(neuron.inputs);
  const int n = static_cast<int>(inputs.size());
  const int k = neuron.threshold;
  MergePrices prices(MergeRule::direct, implication, 0);
  std::vector<Lit> counter{inputs[0]};
  std::vector<Lit> next;
  for (int i = 2; i < n; ++i) {
    const Window window = needed_of_first(i, n - i, {k, k});
    next.assign(static_cast<std::size_t>(i), kNotMade);
    merge_sorted(std::span<const Lit>(counter), inputs.subspan(static_cast<std::size_t>(i - 1), 1), window,
                 prices, sink, &next[static_cast<std::size_t>(window.first - 1)]);
    counter.swap(next);
  }
  merge_at(std::span<const Lit>(counter), inputs.last(1), k, neuron.output, implication, sink);
}

}  // namespace bnnplan::encoding
