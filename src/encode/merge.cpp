// Merges two sorted sequences of literals a (p of them) and b (q of them) into z, where z_c says that at
// least c of the p + q are true. There are two ways, and the recursion of the second may end in the first at
// any depth:
//
// direct     a_i and b_j  ->  z_(i+j),     not a_(i+1) and not b_(j+1)  ->  not z_(i+j+1)
//            for 0 <= i <= p, 0 <= j <= q; (p+1)(q+1)-1 clauses for each of the two, p+q variables
//            (Bailleux and Boufkhad 2003).
// odd-even   d = merge of the odd positions of a and b, e = merge of the even ones; z_1 = d_1,
//            z_2i = d_(i+1) or e_i,  z_(2i+1) = d_(i+1) and e_i
//            (Batcher 1968; as clauses Een and Soerensson 2006, Asin et al. 2011): about n/2 log n
//            comparators of two variables and six clauses.
//
// Direct wins for short sequences, odd-even for long ones. Which is cheaper is computed once for every shape
// of merge (Abio et al. 2013): 32 + 32 costs 64 variables and 2176 clauses directly, 322 and 966 by odd-even
// alone, 186 and 1006 when odd-even goes down to 8 + 8.
//
// Only a window of z is made. If positions first..last are needed, elements of a above `last` cannot matter,
// nor those below first - q: even if all of b is true they are too few. Cutting a sequence at either end
// leaves a sorted sequence, so the merge of the cut sequences is again a merge, with its positions shifted.
// This is the truncation of cardinality networks, done at both ends and at every depth, without padding to
// powers of two.
//
// Propagation: direct merges pass on every bound, "at least i of a and at least j of b" up and "at most j of
// b, so at least c - j of a" down. Odd-even merges do so too on the way up, and on the way down if the bound
// is tight, that is if everything that can still be true must be true (or nothing more may be). Only tight
// bounds decide inputs, so encodings made of either are propagation complete. Checked for all small shapes in
// tests/encode/merge_test.cpp.

#include "bnnplan/encode/merge.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace bnnplan::encoding {

Window hull(Window a, Window b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

Window needed_of_first(int p, int q, Window window) {
  return {std::max(1, window.first - q), std::min(p, window.last)};
}

namespace {

// A merge reduced to what its window needs.
struct TrimmedMerge {
  int dropped_of_a = 0, p = 0;
  int dropped_of_b = 0, q = 0;
  Window window;
};

TrimmedMerge trim(int p, int q, Window window) {
  TrimmedMerge trimmed;
  const Window of_a = needed_of_first(p, q, window);
  const Window of_b = needed_of_first(q, p, window);
  trimmed.dropped_of_a = of_a.first - 1;
  trimmed.p = of_a.length();
  trimmed.dropped_of_b = of_b.first - 1;
  trimmed.q = of_b.length();
  const int shift = trimmed.dropped_of_a + trimmed.dropped_of_b;
  trimmed.window = {window.first - shift, window.last - shift};
  return trimmed;
}

Window window_of_odd(int p, int q, Window window) {
  return {window.first / 2 + 1, std::min((p + 1) / 2 + (q + 1) / 2, window.last / 2 + 1)};
}

Window window_of_even(int p, int q, Window window) {
  return {std::max(1, window.first / 2), std::min(p / 2 + q / 2, window.last / 2)};
}

// Number of pairs 0 <= i <= p, 0 <= j <= q with i + j = sum.
int pairs_with_sum(int p, int q, int sum) { return std::min(p, sum) - std::max(0, sum - q) + 1; }

}  // namespace

std::int64_t MergePrices::clauses_at(int p, int q, int position) const {
  std::int64_t clauses = 0;
  if (goes_to_output(implication_)) clauses += pairs_with_sum(p, q, position);
  if (goes_from_output(implication_)) clauses += pairs_with_sum(p, q, position - 1);
  return clauses;
}

EncodingSize MergePrices::direct_size(int p, int q, Window window) const {
  EncodingSize size;
  for (int position = window.first; position <= window.last; ++position) {
    size += {1, clauses_at(p, q, position)};
  }
  return size;
}

EncodingSize MergePrices::odd_even_size(int p, int q, Window window) {
  const Window odd = window_of_odd(p, q, window);
  const Window even = window_of_even(p, q, window);
  EncodingSize size = this->size((p + 1) / 2, (q + 1) / 2, odd) + this->size(p / 2, q / 2, even);
  const int clauses_of_gate = implication_ == Implication::both ? 3 : 0;
  for (int position = window.first; position <= window.last; ++position) {
    const int i = position / 2;
    if (i == 0 || i > even.last || i + 1 > odd.last) continue;
    const bool is_or = position % 2 == 0;
    // One implication of a gate takes two clauses if either input alone decides it, otherwise one.
    const int one_sided = goes_to_output(implication_) == is_or ? 2 : 1;
    size += {1, clauses_of_gate != 0 ? clauses_of_gate : one_sided};
  }
  return size;
}

MergePrices::Decision MergePrices::decide(int p, int q, Window window) {
  if (window.empty() || p == 0 || q == 0) return {};
  const TrimmedMerge cut = trim(p, q, window);
  if (cut.p == 0 || cut.q == 0) return {};
  // A merge is symmetric in a and b.
  const auto low = static_cast<std::uint64_t>(std::min(cut.p, cut.q));
  const auto high = static_cast<std::uint64_t>(std::max(cut.p, cut.q));
  const std::uint64_t key = low << 48 | high << 32 | static_cast<std::uint64_t>(cut.window.first) << 16 |
                            static_cast<std::uint64_t>(cut.window.last);
  if (const auto found = decisions_.find(key); found != decisions_.end()) return found->second;

  Decision decision{direct_size(cut.p, cut.q, cut.window), true};
  const bool may_recurse = cut.p + cut.q > 2 && rule_ != MergeRule::direct;
  if (may_recurse) {
    const EncodingSize recursive = odd_even_size(cut.p, cut.q, cut.window);
    if (rule_ == MergeRule::odd_even ||
        recursive.price(variable_price_) < decision.size.price(variable_price_)) {
      decision = {recursive, false};
    }
  }
  decisions_.emplace(key, decision);
  return decision;
}

void merge_at(SortedView a, SortedView b, int position, Lit output, Implication implication,
              ClauseSink& sink) {
  const int p = a.size();
  const int q = b.size();
  assert(position >= 1 && position <= p + q);
  std::array<Lit, 3> clause;
  if (goes_to_output(implication)) {
    for (int i = std::max(0, position - q); i <= std::min(p, position); ++i) {
      std::size_t length = 0;
      if (i > 0) clause[length++] = ~a.at(i);
      if (position - i > 0) clause[length++] = ~b.at(position - i);
      clause[length++] = output;
      sink.add(std::span<const Lit>(clause.data(), length));
    }
  }
  if (goes_from_output(implication)) {
    const int sum = position - 1;
    for (int i = std::max(0, sum - q); i <= std::min(p, sum); ++i) {
      std::size_t length = 0;
      if (i < p) clause[length++] = a.at(i + 1);
      if (sum - i < q) clause[length++] = b.at(sum - i + 1);
      clause[length++] = ~output;
      sink.add(std::span<const Lit>(clause.data(), length));
    }
  }
}

namespace {

// output <-> one or other.
void add_or(Lit one, Lit other, Lit output, bool to_output, bool from_output, ClauseSink& sink) {
  if (to_output) {
    sink.add({~one, output});
    sink.add({~other, output});
  }
  if (from_output) sink.add({one, other, ~output});
}

void merge_odd_even(SortedView a, SortedView b, Window window, MergePrices& prices, ClauseSink& sink,
                    Lit* outputs) {
  const Window odd_window = window_of_odd(a.size(), b.size(), window);
  const Window even_window = window_of_even(a.size(), b.size(), window);
  std::vector<Lit> made(static_cast<std::size_t>(odd_window.length() + even_window.length()));
  Lit* const odd = made.data();
  Lit* const even = odd + odd_window.length();
  merge_sorted(a.odd_positions(), b.odd_positions(), odd_window, prices, sink, odd);
  merge_sorted(a.even_positions(), b.even_positions(), even_window, prices, sink, even);

  const bool to_output = goes_to_output(prices.implication());
  const bool from_output = goes_from_output(prices.implication());
  for (int position = window.first; position <= window.last; ++position) {
    const int i = position / 2;
    Lit& output = outputs[position - window.first];
    if (i == 0 || i > even_window.last) {
      output = odd[i + 1 - odd_window.first];
    } else if (i + 1 > odd_window.last) {
      output = even[i - even_window.first];
    } else {
      const Lit one = odd[i + 1 - odd_window.first];
      const Lit other = even[i - even_window.first];
      output = sink.new_variable();
      if (position % 2 == 0) {
        add_or(one, other, output, to_output, from_output, sink);
      } else {
        add_or(~one, ~other, ~output, from_output, to_output, sink);
      }
    }
  }
}

}  // namespace

void merge_sorted(SortedView a, SortedView b, Window window, MergePrices& prices, ClauseSink& sink,
                  Lit* outputs) {
  if (window.empty()) return;
  const TrimmedMerge cut = trim(a.size(), b.size(), window);
  a = a.without_ends(cut.dropped_of_a, cut.p);
  b = b.without_ends(cut.dropped_of_b, cut.q);
  if (cut.p == 0 || cut.q == 0) {
    const SortedView only = cut.p == 0 ? b : a;
    for (int position = cut.window.first; position <= cut.window.last; ++position) {
      *outputs++ = only.at(position);
    }
    return;
  }
  if (!prices.is_direct(cut.p, cut.q, cut.window)) {
    return merge_odd_even(a, b, cut.window, prices, sink, outputs);
  }
  for (int position = cut.window.first; position <= cut.window.last; ++position) {
    const Lit output = sink.new_variable();
    merge_at(a, b, position, output, prices.implication(), sink);
    *outputs++ = output;
  }
}

}  // namespace bnnplan::encoding
