// The definition itself: output <-> at least k of n.
//
//   all k literals of a subset true           ->  output        C(n, k) clauses
//   all n-k+1 literals of a subset false      ->  not output    C(n, n-k+1) clauses
//
// These are all prime implicates, so nothing can propagate better and nothing is smaller for k = 1, k = n and
// a handful of inputs; beyond that the number of subsets rules it out.

#include <cstdint>
#include <vector>

#include "bnnplan/encode/cardinality_encodings.hpp"

namespace bnnplan::encoding {

namespace {

// For every subset of `size` inputs, adds the clause of its literals, each negated if `negate`, and
// `conclusion`.
void add_for_all_subsets(std::span<const Lit> inputs, int size, bool negate, Lit conclusion,
                         ClauseSink& sink) {
  const int n = static_cast<int>(inputs.size());
  std::vector<int> chosen(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) chosen[static_cast<std::size_t>(i)] = i;
  std::vector<Lit> clause(static_cast<std::size_t>(size) + 1);
  clause.back() = conclusion;
  for (;;) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Lit input = inputs[static_cast<std::size_t>(chosen[i])];
      clause[i] = negate ? ~input : input;
    }
    sink.add(clause);
    int i = size - 1;
    while (i >= 0 && chosen[static_cast<std::size_t>(i)] == n - size + i) --i;
    if (i < 0) return;
    int next = chosen[static_cast<std::size_t>(i)] + 1;
    for (; i < size; ++i) chosen[static_cast<std::size_t>(i)] = next++;
  }
}

constexpr std::int64_t kTooMany = std::int64_t{1} << 40;

std::int64_t subsets(int n, int size) {
  std::int64_t count = 1;
  for (int i = 1; i <= size && count < kTooMany; ++i) count = count * (n - size + i) / i;
  return count;
}

}  // namespace

std::int64_t direct_clauses(int n, int threshold, Implication implication) {
  return (goes_to_output(implication) ? subsets(n, threshold) : 0) +
         (goes_from_output(implication) ? subsets(n, n - threshold + 1) : 0);
}

void add_direct(std::span<const Lit> inputs, int threshold, Lit output, Implication implication,
                ClauseSink& sink) {
  const int n = static_cast<int>(inputs.size());
  if (goes_to_output(implication)) add_for_all_subsets(inputs, threshold, true, output, sink);
  if (goes_from_output(implication)) add_for_all_subsets(inputs, n - threshold + 1, false, ~output, sink);
}

void encode_direct(const ReifiedAtLeast& neuron, Implication implication, ClauseSink& sink) {
  add_direct(neuron.inputs, neuron.threshold, neuron.output, implication, sink);
}

}  // namespace bnnplan::encoding
