// Finding solutions. Starting from the given input, step by step: all flips are tried (an evaluation each),
// and the one that moves the margin farthest for its cost is taken, unless some win at once, of which the
// cheapest is taken. Flips may be taken back, but not at once (tabu). A winning set is reduced: flips that
// are not needed are dropped, the most expensive first. Then it starts again, each time ignoring a random
// quarter of the flips in every step, and only looking for sets cheaper than the best. Long descents find a
// solution at all, short ones find a small one: they take turns.
#include "bnnplan/verify/local_search.hpp"

#include <algorithm>
#include <limits>

#include "bnnplan/base/random.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t shortest = 8, lengths = 5;  // of descents: 8, 16, 32, 64, 128 steps

class LocalSearch {
 public:
  LocalSearch(const FlipQuestion& question, const FlipNetwork& network, const LocalSearchOptions& options,
              LimitWatch& watch)
      : question_(question),
        network_(network),
        options_(options),
        watch_(watch),
        random_(options.seed),
        scratch_(network.scratch()),
        below_(options.below.value_or(no_limit)),
        next_(network.state_size()),
        taken_(question.flips.size()),
        tabu_until_(question.flips.size()) {
    if (question.budget) below_ = std::min(below_, *question.budget + 1);
  }

  std::optional<FlipSet> run() {
    std::size_t descents = 0;
    while (evaluations_ < options_.evaluations && !watch_.should_stop() && below_ > options_.enough) {
      const std::uint64_t before = evaluations_;
      std::size_t steps = shortest << (lengths - 1 - descents % lengths);
      if (best_) steps = std::min(steps, 2 * best_->size() + 4);
      descend(descents > 0, steps);
      if (evaluations_ == before) break;  // nothing is left that may be flipped
      ++descents;
    }
    return std::move(best_);
  }

 private:
  bool bit_after(std::uint32_t flip) const {
    return (question_.bits[question_.flips[flip].input] != 0) == taken_[flip];
  }

  Margin try_flip(std::uint32_t flip) {
    ++evaluations_;
    return network_.flip(question_.flips[flip].input, bit_after(flip), state_.data(), margin_, next_.data(),
                         scratch_);
  }

  void take(std::uint32_t flip) {
    margin_ = try_flip(flip);
    state_ = next_;
    cost_ += taken_[flip] ? -price(flip) : price(flip);
    taken_[flip] = !taken_[flip];
  }

  // If the largest flip counts, those that are cheap enough are free.
  std::int64_t price(std::uint32_t flip) const { return question_.largest ? 0 : question_.flips[flip].cost; }
  bool is_allowed(std::uint32_t flip) const {
    return taken_[flip] || (question_.largest ? question_.flips[flip].cost < below_
                                              : question_.flips[flip].cost < below_ - cost_);
  }

  // One descent; with noise, each flip is ignored with a probability of one in four.
  void descend(bool noise, std::size_t steps) {
    state_ = network_.start();
    margin_ = network_.start_margin();
    cost_ = 0;
    std::fill(taken_.begin(), taken_.end(), false);
    std::fill(tabu_until_.begin(), tabu_until_.end(), 0);
    for (std::size_t step = 1; step <= steps && margin_ < 0; ++step) {
      if (!take_best(step, noise) || evaluations_ >= options_.evaluations || watch_.should_stop()) break;
    }
    if (margin_ >= 0) keep_smaller();
  }

  bool take_best(std::size_t step, bool noise) {
    std::optional<std::uint32_t> best;
    double best_worth = 0;
    for (std::uint32_t flip = 0; flip < question_.flips.size(); ++flip) {
      if (!is_allowed(flip) || tabu_until_[flip] > step) continue;
      if (noise && random_.below(4) == 0) continue;
      const Margin margin = try_flip(flip);
      if (margin >= 0) {  // flips are sorted: no other wins for less
        best = flip;
        break;
      }
      const double worth = worth_of(margin - margin_, flip);
      if (!best || worth > best_worth) {
        best = flip;
        best_worth = worth;
      }
    }
    if (!best) return false;
    tabu_until_[*best] = step + 3 + random_.below(5);
    take(*best);
    return true;
  }

  // A flip that gains is rated per cost; one that gains nothing or loses, by both.
  double worth_of(Margin gain, std::uint32_t flip) const {
    const double cost = question_.largest ? 1 : static_cast<double>(question_.flips[flip].cost);
    if (taken_[flip]) return gain >= 0 ? 1e9 : static_cast<double>(gain) - 0.5;
    return gain > 0 ? static_cast<double>(gain) / cost : (static_cast<double>(gain) - 0.5) * cost;
  }

  void keep_smaller() {
    for (std::uint32_t flip = static_cast<std::uint32_t>(taken_.size()); flip-- > 0;) {
      if (taken_[flip] && try_flip(flip) >= 0) take(flip);
    }
    FlipSet set;
    for (std::uint32_t flip = 0; flip < taken_.size(); ++flip) {
      if (taken_[flip]) set.push_back(flip);
    }
    const std::int64_t cost = cost_of(question_, set);
    if (cost >= below_) return;
    below_ = cost;
    best_ = std::move(set);
  }

  const FlipQuestion& question_;
  const FlipNetwork& network_;
  const LocalSearchOptions& options_;
  LimitWatch& watch_;
  Random random_;
  FlipNetwork::Scratch scratch_;
  std::int64_t below_;
  std::optional<FlipSet> best_;
  std::uint64_t evaluations_ = 0;

  FlipState state_, next_;
  Margin margin_ = 0;
  std::int64_t cost_ = 0;
  std::vector<bool> taken_;
  std::vector<std::size_t> tabu_until_;
};

}  // namespace

std::optional<FlipSet> find_flips(const FlipQuestion& question, const FlipNetwork& network,
                                  const LocalSearchOptions& options, LimitWatch& watch) {
  return LocalSearch(question, network, options, watch).run();
}

}  // namespace bnnplan::verification
