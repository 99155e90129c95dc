// Sorting literals by merging, and "at least k" on top of it.
//
// Only the last merge is special: "at least k" reads one position of it, which needs no variable and at most
// n + 1 clauses (merge_at), whereas making all positions would cost the most expensive merge of the tree. For
// n = 128, k = 64 that saves a quarter of a whole sorting network.
//
// The windows of the parts follow from the window of the whole (needed_of_first), from the top down; a part
// of size p next to one of size q needs at most p and at most q + 1 more positions than the whole.
//
// Sets of up to five literals may be sorted directly, z_c <-> at least c, by all subsets of size c and n-c+1:
// four literals take 4 variables and 30 clauses, compared with 8 and 28 by merging.

#include "bnnplan/encode/sorting.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "bnnplan/encode/cardinality_encodings.hpp"

namespace bnnplan::encoding {

namespace {

constexpr int kLargestSortedInOneGo = 5;
constexpr int kAllSplitsUpTo = 24;
constexpr int kSplitsAroundTheMiddle = 4;

int smallest_split(int n) { return n <= kAllSplitsUpTo ? 1 : n / 2 - kSplitsAroundTheMiddle; }

EncodingSize size_in_one_go(int n, Window window, Implication implication) {
  EncodingSize size;
  for (int position = window.first; position <= window.last; ++position) {
    size += {1, direct_clauses(n, position, implication)};
  }
  return size;
}

}  // namespace

EncodingSize SortingPrices::size_of_parts(int n, int split, Window window) {
  const int p = split;
  const int q = n - split;
  return size(p, needed_of_first(p, q, window)) + size(q, needed_of_first(q, p, window)) +
         merges_.size(p, q, window);
}

SortingPrices::Decision SortingPrices::decide(int n, Window window) {
  if (n <= 1 || window.empty()) return {};
  if (merges_.rule() != MergeRule::cheapest) return {size_of_parts(n, n / 2, window), n / 2};
  const std::uint64_t key = static_cast<std::uint64_t>(n) << 32 |
                            static_cast<std::uint64_t>(window.first) << 16 |
                            static_cast<std::uint64_t>(window.last);
  if (const auto found = decisions_.find(key); found != decisions_.end()) return found->second;

  Decision best;
  std::int64_t best_price = std::numeric_limits<std::int64_t>::max();
  if (n <= kLargestSortedInOneGo) {
    best = {size_in_one_go(n, window, merges_.implication()), 0};
    best_price = best.size.price(merges_.variable_price());
  }
  for (int split = n / 2; split >= smallest_split(n); --split) {
    const EncodingSize size = size_of_parts(n, split, window);
    if (size.price(merges_.variable_price()) < best_price) {
      best = {size, split};
      best_price = size.price(merges_.variable_price());
    }
  }
  decisions_.emplace(key, best);
  return best;
}

EncodingSize SortingPrices::size_split_at_least(int n, int split, int threshold) {
  const int p = split;
  const int q = n - split;
  const Window window{threshold, threshold};
  return size(p, needed_of_first(p, q, window)) + size(q, needed_of_first(q, p, window)) +
         EncodingSize{0, merges_.clauses_at(p, q, threshold)};
}

int SortingPrices::split_at_least(int n, int threshold) {
  if (merges_.rule() != MergeRule::cheapest) return n / 2;
  int best = n / 2;
  std::int64_t best_price = std::numeric_limits<std::int64_t>::max();
  for (int split = n / 2; split >= smallest_split(n); --split) {
    const std::int64_t price = size_split_at_least(n, split, threshold).price(merges_.variable_price());
    if (price < best_price) {
      best = split;
      best_price = price;
    }
  }
  return best;
}

EncodingSize SortingPrices::size_at_least(int n, int threshold) {
  return size_split_at_least(n, split_at_least(n, threshold), threshold);
}

std::vector<Lit> sort_literals(std::span<const Lit> inputs, Window window, SortingPrices& prices,
                               ClauseSink& sink) {
  const int n = static_cast<int>(inputs.size());
  if (n <= 1) return {inputs.begin(), inputs.end()};
  std::vector<Lit> sorted(inputs.size(), kNotMade);
  if (window.empty()) return sorted;
  const int p = prices.split(n, window);
  const int q = n - p;
  if (p == 0) {
    for (int position = window.first; position <= window.last; ++position) {
      const Lit output = sink.new_variable();
      add_direct(inputs, position, output, prices.merges().implication(), sink);
      sorted[static_cast<std::size_t>(position - 1)] = output;
    }
    return sorted;
  }
  const auto first =
      sort_literals(inputs.first(static_cast<std::size_t>(p)), needed_of_first(p, q, window), prices, sink);
  const auto second =
      sort_literals(inputs.subspan(static_cast<std::size_t>(p)), needed_of_first(q, p, window), prices, sink);
  merge_sorted(std::span(first), std::span(second), window, prices.merges(), sink,
               &sorted[static_cast<std::size_t>(window.first - 1)]);
  return sorted;
}

void encode_by_sorting(const ReifiedAtLeast& neuron, SortingPrices& prices, ClauseSink& sink) {
  const std::span inputs(neuron.inputs);
  const int n = static_cast<int>(inputs.size());
  const int p = prices.split_at_least(n, neuron.threshold);
  const int q = n - p;
  const Window window{neuron.threshold, neuron.threshold};
  const auto first =
      sort_literals(inputs.first(static_cast<std::size_t>(p)), needed_of_first(p, q, window), prices, sink);
  const auto second =
      sort_literals(inputs.subspan(static_cast<std::size_t>(p)), needed_of_first(q, p, window), prices, sink);
  merge_at(std::span(first), std::span(second), neuron.threshold, neuron.output,
           prices.merges().implication(), sink);
}

}  // namespace bnnplan::encoding
