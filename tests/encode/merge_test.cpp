// Merges and sorters for all small shapes, windows and rules: what they cost is what was priced, and bounds
// are passed on exactly, in all directions.

#include "bnnplan/encode/merge.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "bnnplan/encode/sorting.hpp"
#include "encode/unit_propagation.hpp"

namespace bnnplan::encoding {
namespace {

std::vector<Lit> fresh(CollectingSink& sink, int count) {
  std::vector<Lit> literals;
  for (int i = 0; i < count; ++i) literals.push_back(sink.new_variable());
  return literals;
}

// Assumptions that say "at least low, at most high" of the made positions of a sorted sequence; only the two
// that are next to the bounds, as one of them may be all that is known.
void assume_bounds(const std::vector<Lit>& sorted, int low, int high, std::vector<Lit>& assumed) {
  for (int i = 0; i < low; ++i) assumed.push_back(sorted[static_cast<std::size_t>(i)]);
  for (std::size_t i = static_cast<std::size_t>(high); i < sorted.size(); ++i) assumed.push_back(~sorted[i]);
}

class MergeCheck {
 public:
  MergeCheck(int p, int q, Window window, MergeRule rule, Implication implication)
      : p_(p),
        q_(q),
        window_(window),
        passes_on_all_(rule == MergeRule::direct),
        implication_(implication),
        sink_(Var{0}),
        a_(fresh(sink_, p)),
        b_(fresh(sink_, q)) {
    MergePrices prices(rule, implication, 2);
    outputs_.resize(static_cast<std::size_t>(window.length()));
    // Positions that are not needed must not be looked at.
    const auto hidden = [](std::vector<Lit> lits, Window needed) {
      for (int i = 1; i <= static_cast<int>(lits.size()); ++i) {
        if (i < needed.first || i > needed.last) lits[static_cast<std::size_t>(i - 1)] = kNotMade;
      }
      return lits;
    };
    const std::vector<Lit> a = hidden(a_, needed_of_first(p, q, window));
    const std::vector<Lit> b = hidden(b_, needed_of_first(q, p, window));
    const std::uint32_t before = sink_.variables();
    merge_sorted(std::span(a), std::span(b), window, prices, sink_, outputs_.data());
    const EncodingSize made{sink_.variables() - before, static_cast<std::int64_t>(sink_.clauses())};
    EXPECT_EQ(prices.size(p, q, window), made);
  }

  bool passes_on_all_bounds() {
    UnitPropagation propagation(sink_, sink_.variables());
    for (int a_low = 0; a_low <= p_; ++a_low) {
      for (int a_high = a_low; a_high <= p_; ++a_high) {
        for (int b_low = 0; b_low <= q_; ++b_low) {
          for (int b_high = b_low; b_high <= q_; ++b_high) {
            std::vector<Lit> assumed;
            assume_bounds(a_, a_low, a_high, assumed);
            assume_bounds(b_, b_low, b_high, assumed);
            if (!propagation.assume(assumed) || !outputs_follow(propagation, a_low + b_low, a_high + b_high))
              return false;
            for (int position = window_.first; position <= window_.last; ++position) {
              if (!passes_down(propagation, assumed, position, a_low, a_high, b_low, b_high)) return false;
            }
          }
        }
      }
    }
    return true;
  }

 private:
  Lit output(int position) const { return outputs_[static_cast<std::size_t>(position - window_.first)]; }

  bool outputs_follow(const UnitPropagation& propagation, int low, int high) const {
    for (int position = window_.first; position <= window_.last; ++position) {
      if (goes_to_output(implication_) && position <= low && !propagation.is_true(output(position)))
        return false;
      if (goes_from_output(implication_) && position > high && !propagation.is_false(output(position)))
        return false;
      if (position > low && propagation.is_true(output(position))) return false;
      if (position <= high && propagation.is_false(output(position))) return false;
    }
    return true;
  }

  // One output is known, and with it what is left for a and for b. Odd-even merges only pass on what is
  // tight, which is all that decides inputs: if all that can be true must be true, or nothing more may be.
  bool passes_down(UnitPropagation& propagation, std::vector<Lit> assumed, int position, int a_low,
                   int a_high, int b_low, int b_high) {
    assumed.push_back(output(position));
    if (goes_from_output(implication_)) {
      const bool consistent = propagation.assume(assumed);
      if (consistent != (a_high + b_high >= position)) return false;
      if (consistent && (passes_on_all_ || a_high + b_high == position)) {
        if (!reaches(propagation, a_, position - b_high)) return false;
        if (!reaches(propagation, b_, position - a_high)) return false;
      }
    }
    assumed.back() = ~output(position);
    if (goes_to_output(implication_)) {
      const bool consistent = propagation.assume(assumed);
      if (consistent != (a_low + b_low < position)) return false;
      if (consistent && (passes_on_all_ || a_low + b_low + 1 == position)) {
        if (!stays_below(propagation, a_, position - b_low)) return false;
        if (!stays_below(propagation, b_, position - a_low)) return false;
      }
    }
    return true;
  }

  static bool reaches(const UnitPropagation& propagation, const std::vector<Lit>& sorted, int low) {
    return low < 1 || propagation.is_true(sorted[static_cast<std::size_t>(low - 1)]);
  }
  static bool stays_below(const UnitPropagation& propagation, const std::vector<Lit>& sorted, int first) {
    return first > static_cast<int>(sorted.size()) ||
           propagation.is_false(sorted[static_cast<std::size_t>(first - 1)]);
  }

  int p_, q_;
  Window window_;
  bool passes_on_all_;
  Implication implication_;
  CollectingSink sink_;
  std::vector<Lit> a_, b_;
  std::vector<Lit> outputs_;
};

TEST(Merge, PassesOnAllBoundsAndCostsItsPrice) {
  for (const MergeRule rule : {MergeRule::direct, MergeRule::odd_even, MergeRule::cheapest}) {
    for (const Implication implication : every_implication) {
      for (int p = 0; p <= 4; ++p) {
        for (int q = 0; q <= 4; ++q) {
          for (int first = 1; first <= p + q; ++first) {
            for (int last = first; last <= p + q; ++last) {
              MergeCheck check(p, q, {first, last}, rule, implication);
              ASSERT_TRUE(check.passes_on_all_bounds())
                  << p << "+" << q << " window " << first << ".." << last << " rule "
                  << static_cast<int>(rule) << " implication " << static_cast<int>(implication);
            }
          }
        }
      }
    }
  }
}

TEST(Merge, LargeOnesPassOnBoundsToo) {
  std::mt19937 random(3);
  for (int round = 0; round < 12; ++round) {
    const int p = 5 + static_cast<int>(random() % 5);
    const int q = 5 + static_cast<int>(random() % 5);
    const int first = 1 + static_cast<int>(random() % static_cast<unsigned>(p + q));
    const int last = first + static_cast<int>(random() % static_cast<unsigned>(p + q - first + 1));
    MergeCheck check(p, q, {first, last}, round % 2 == 0 ? MergeRule::odd_even : MergeRule::cheapest,
                     Implication::both);
    ASSERT_TRUE(check.passes_on_all_bounds()) << p << "+" << q << " window " << first << ".." << last;
  }
}

TEST(Sorting, CostsItsPrice) {
  for (const MergeRule rule : {MergeRule::direct, MergeRule::odd_even, MergeRule::cheapest}) {
    for (const Implication implication : every_implication) {
      SortingPrices prices(rule, implication, 3);
      for (int n = 1; n <= 40; n += 1 + n / 8) {
        for (int k = 1; k <= n; ++k) {
          CollectingSink inputs(Var{0});
          const std::vector<Lit> literals = fresh(inputs, n);
          CountingSink sorted;
          sort_literals(literals, {(k + 1) / 2, k}, prices, sorted);
          EXPECT_EQ(sorted.size(), prices.size(n, {(k + 1) / 2, k}));
          if (n == 1) continue;
          CountingSink counted;
          encode_by_sorting({Lit{}, literals, k}, prices, counted);
          EXPECT_EQ(counted.size(), prices.size_at_least(n, k));
        }
      }
    }
  }
}

TEST(Sorting, NegatedInputsReadTheSequenceFromTheOtherEnd) {
  CollectingSink sink(Var{0});
  const std::vector<Lit> sorted = fresh(sink, 5);
  const SortedView view{std::span<const Lit>(sorted)};
  const SortedView negated = view.of_negated_inputs();
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(negated.at(i), ~view.at(6 - i));
  EXPECT_EQ(negated.odd_positions().at(2), ~view.at(3));
  EXPECT_EQ(negated.even_positions().at(2), ~view.at(2));
  EXPECT_EQ(negated.without_ends(1, 3).at(3), ~view.at(2));
}

}  // namespace
}  // namespace bnnplan::encoding
