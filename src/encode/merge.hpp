#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"

namespace bnnplan::encoding {

// Positions of a sorted sequence, counted from 1: its literal i says "at least i inputs are true". Both ends
// are included; first > last is the empty window.
struct Window {
  int first = 1;
  int last = 0;

  bool empty() const { return first > last; }
  int length() const { return empty() ? 0 : last - first + 1; }
  friend bool operator==(const Window&, const Window&) = default;
};

// The smallest window that contains both.
Window hull(Window a, Window b);

// The positions of the first sequence that merging sequences of p and q literals needs for `window` of the
// result: all that can change it. Swap p and q for the second sequence.
Window needed_of_first(int p, int q, Window window);

// Marks a position of a sorted sequence that is not needed and was not made.
inline constexpr Lit kNotMade{0xFFFFFFFDu};

// A read-only view of sorted literals, true ones first. Every second literal of a sequence is sorted, too,
// and so is the sequence of the negated inputs: the same literals, negated, in reverse order.
class SortedView {
 public:
  SortedView(std::span<const Lit> literals)  // NOLINT: a span is a view
      : first_(literals.data()), size_(static_cast<int>(literals.size())) {}

  int size() const { return size_; }
  Lit at(int position) const { return {first_[(position - 1) * stride_].code ^ sign_}; }

  SortedView of_negated_inputs() const {
    return size_ == 0 ? *this : SortedView(&first_[(size_ - 1) * stride_], size_, -stride_, sign_ ^ 1u);
  }
  SortedView without_ends(int dropped_in_front, int kept) const {
    return SortedView(first_ + dropped_in_front * stride_, kept, stride_, sign_);
  }
  SortedView odd_positions() const { return SortedView(first_, (size_ + 1) / 2, 2 * stride_, sign_); }
  SortedView even_positions() const {
    return SortedView(first_ + (size_ > 1 ? stride_ : 0), size_ / 2, 2 * stride_, sign_);
  }

 private:
  SortedView(const Lit* first, int size, int stride, std::uint32_t sign)
      : first_(first), size_(size), stride_(stride), sign_(sign) {}

  const Lit* first_;
  int size_;
  int stride_ = 1;
  std::uint32_t sign_ = 0;
};

// How two sorted sequences become one.
enum class MergeRule {
  direct,    // always p q clauses, no variables inside: the totalizer
  odd_even,  // always Batcher's recursion down to comparators: the cardinality network
  cheapest,  // the cheaper one at every step of the recursion
};

// Knows the cost of a merge and, for MergeRule::cheapest, how each is done; caches its results.
class MergePrices {
 public:
  MergePrices(MergeRule rule, Implication implication, int variable_price)
      : rule_(rule), implication_(implication), variable_price_(variable_price) {}

  // The size of the positions in `window` of the merge of two sorted sequences of p and q literals.
  EncodingSize size(int p, int q, Window window) { return decide(p, q, window).size; }
  bool is_direct(int p, int q, Window window) { return decide(p, q, window).direct; }

  // The number of clauses that define the single position `position` directly.
  std::int64_t clauses_at(int p, int q, int position) const;

  MergeRule rule() const { return rule_; }
  Implication implication() const { return implication_; }
  int variable_price() const { return variable_price_; }

 private:
  struct Decision {
    EncodingSize size;
    bool direct = true;
  };

  Decision decide(int p, int q, Window window);
  EncodingSize direct_size(int p, int q, Window window) const;
  EncodingSize odd_even_size(int p, int q, Window window);

  MergeRule rule_;
  Implication implication_;
  int variable_price_;
  std::unordered_map<std::uint64_t, Decision> decisions_;
};

// Writes the literals of the positions in `window` of the merge of a and b to outputs[0 ..], making variables
// and clauses as the prices decide. A position that equals one of the given literals gets no variable. Only
// the needed windows of a and b are read.
void merge_sorted(SortedView a, SortedView b, Window window, MergePrices& prices, ClauseSink& sink,
                  Lit* outputs);

// output <-> position `position` of the merge of a and b, without any new variable: p + q clauses or fewer.
// Requires 1 <= position <= p + q.
void merge_at(SortedView a, SortedView b, int position, Lit output, Implication implication,
              ClauseSink& sink);

}  // namespace bnnplan::encoding
