// Enumeration at inference speed: all sets of flips within a budget, depth first over flips in the order of
// their cost. A set is its predecessor plus one flip, one incremental evaluation; the states along the path
// are stored, one for each depth. Each answer found shrinks the budget.
#include "bnnplan/verify/enumerate.hpp"

#include <algorithm>
#include <cmath>

namespace bnnplan::verification {

namespace {

class Enumeration {
 public:
  Enumeration(const FlipQuestion& question, const FlipNetwork& network, std::int64_t budget,
              LimitWatch& watch)
      : question_(question), network_(network), budget_(budget), watch_(watch), scratch_(network.scratch()) {
    for (const Flip& flip : question.flips) {
      inputs_.push_back(flip.input);
      costs_.push_back(flip.cost);
      bits_.push_back(question.bits[flip.input] == 0);
    }
  }

  EnumerationOutcome run() {
    if (network_.start_margin() >= 0) {
      outcome_.best.emplace();
      outcome_.complete = true;
      return std::move(outcome_);
    }
    states_.push_back(network_.start());
    visit(0, 0, 0, network_.start_margin());
    outcome_.complete = !stopped_;
    return std::move(outcome_);
  }

 private:
  // The cost of a set after adding a flip.
  std::int64_t grown(std::int64_t cost, std::size_t flip) const {
    return question_.largest ? costs_[flip] : cost + costs_[flip];  // flips are ordered by cost
  }

  // All sets that extend this one by flips from `first` on.
  void visit(std::size_t depth, std::size_t first, std::int64_t cost, Margin margin) {
    if (states_.size() == depth + 1) states_.push_back(std::vector<std::int16_t>(network_.state_size()));
    const std::int16_t* from = states_[depth].data();
    std::int16_t* to = states_[depth + 1].data();
    for (std::size_t flip = first; flip < costs_.size() && grown(cost, flip) <= budget_; ++flip) {
      if ((++outcome_.evaluations & 0xfff) == 0 && watch_.should_stop()) stopped_ = true;
      if (stopped_) return;
      const Margin next = network_.flip(inputs_[flip], bits_[flip], from, margin, to, scratch_);
      const std::int64_t next_cost = grown(cost, flip);
      if (next >= 0) {
        set_.push_back(static_cast<std::uint32_t>(flip));
        outcome_.best = set_;
        set_.pop_back();
        budget_ = next_cost - 1;
        return;  // the following flips cost no less
      }
      if (flip + 1 < costs_.size() && grown(next_cost, flip + 1) <= budget_) {
        set_.push_back(static_cast<std::uint32_t>(flip));
        visit(depth + 1, flip + 1, next_cost, next);
        set_.pop_back();
      }
    }
  }

  const FlipQuestion& question_;
  const FlipNetwork& network_;
  std::int64_t budget_;
  LimitWatch& watch_;
  FlipNetwork::Scratch scratch_;
  std::vector<std::uint32_t> inputs_;  // by flip
  std::vector<std::int64_t> costs_;
  std::vector<bool> bits_;  // after the flip
  std::vector<FlipState> states_;
  FlipSet set_;
  bool stopped_ = false;
  EnumerationOutcome outcome_;
};

}  // namespace

std::vector<SetCount> count_sets(const FlipQuestion& question, std::int64_t largest_budget, double most) {
  std::vector<SetCount> counts;
  if (question.largest) {
    for (std::size_t flip = 0; flip < question.flips.size(); ++flip) {
      const std::int64_t cost = question.flips[flip].cost;
      if (cost > largest_budget) break;
      if (counts.empty() || counts.back().budget != cost) counts.push_back({cost, 0});
      counts.back().sets = std::exp2(static_cast<double>(flip + 1));
      if (counts.back().sets > most) break;
    }
    return counts;
  }
  // sets[c] of cost c: one flip after the other, as in coin counting. Costs are divided by a grain and
  // rounded down, which makes sets look cheaper, so that more of them are within a budget.
  constexpr std::int64_t finest = 1 << 14;
  for (std::int64_t last = 16;; last = std::min(2 * last, largest_budget)) {
    last = std::min(last, largest_budget);
    const std::int64_t grain = last / finest + 1;
    std::vector<double> sets(static_cast<std::size_t>(last / grain) + 1);
    sets[0] = 1;
    for (const Flip& flip : question.flips) {
      const auto cost = static_cast<std::size_t>(flip.cost / grain);
      if (flip.cost > last) break;
      for (std::size_t c = sets.size(); c-- > cost;) sets[c] += sets[c - cost];
    }
    counts.clear();
    double total = 0;
    for (std::size_t c = 0; c < sets.size(); ++c) {
      total += sets[c];
      if (sets[c] == 0) continue;
      counts.push_back({std::min(last, (static_cast<std::int64_t>(c) + 1) * grain - 1), total});
      if (total > most) return counts;
    }
    if (last == largest_budget) return counts;
  }
}

EnumerationOutcome enumerate_flips(const FlipQuestion& question, const FlipNetwork& network,
                                   std::int64_t budget, LimitWatch& watch) {
  return Enumeration(question, network, budget, watch).run();
}

}  // namespace bnnplan::verification
