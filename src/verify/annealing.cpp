// Simulated annealing over flips as if they were free. If only the most expensive flip counts, hundreds of
// inputs may change at no cost, and a step of local search that tries them all takes hundreds of evaluations
// to move by one. Here a random flip is drawn, and accepted if the margin grows, or else with probability
// exp(-loss / temperature); the temperature falls from a few units of the margin to half a unit within a run,
// and runs get longer. The unit is the least by which the margin moves. The result is made cheaper by leaving
// out the most expensive flips: from then on only flips below its cost are drawn. If costs are added up, this
// gives a first set where single flips hardly move the margin: for 784:64:64:64:10, 30 to 40 flips of
// hundreds in 0.1 s.
#include "bnnplan/verify/annealing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "bnnplan/base/random.hpp"

namespace bnnplan::verification {

namespace {

// Evaluations; each run is a quarter longer than the previous one.
constexpr std::uint64_t first_run = 10'000;
constexpr double hottest = 3, coldest = 0.4;
constexpr std::size_t coolings = 32;   // steps of the temperature in a run
constexpr std::size_t most_loss = 32;  // in units; more is never accepted

// All moves of the margin are multiples of this, for conditions on scores: the common divisor of their
// factors.
Margin unit_of(const Property& property) {
  Margin unit = 0;
  for (const ScoreCondition& condition : property.conditions) {
    for (const ScoreCondition::Term& term : condition.terms) unit = std::gcd(unit, term.factor);
  }
  return std::max<Margin>(unit, 1);
}

class Annealing {
 public:
  Annealing(const FlipQuestion& question, const FlipNetwork& network, const LocalSearchOptions& options,
            LimitWatch& watch)
      : question_(question),
        network_(network),
        options_(options),
        watch_(watch),
        random_(options.seed),
        scratch_(network.scratch()),
        unit_(unit_of(question.property)),
        next_(network.state_size()) {
    below_ = options.below.value_or(std::numeric_limits<std::int64_t>::max());
    if (question.budget) below_ = std::min(below_, *question.budget + 1);
    allow_below(below_);
  }

  std::optional<FlipSet> run() {
    for (std::uint64_t length = first_run; evaluations_ < options_.evaluations && allowed_ > 0;
         length += length / 4) {
      if (anneal(std::min(length, options_.evaluations - evaluations_))) take_cheaper();
      if (below_ <= options_.enough || watch_.should_stop()) break;
    }
    return std::move(best_);
  }

 private:
  void allow_below(std::int64_t cost) {
    allowed_ = 0;
    while (allowed_ < question_.flips.size() && question_.flips[allowed_].cost < cost) ++allowed_;
  }

  bool bit_after(std::size_t flip) const {
    return (question_.bits[question_.flips[flip].input] != 0) == taken_[flip];
  }

  Margin try_flip(std::size_t flip) {
    ++evaluations_;
    return network_.flip(question_.flips[flip].input, bit_after(flip), state_.data(), margin_, next_.data(),
                         scratch_);
  }

  void take(std::size_t flip, Margin margin) {
    state_.swap(next_);
    margin_ = margin;
    taken_[flip] = !taken_[flip];
  }

  // True if the property holds at the end.
  bool anneal(std::uint64_t length) {
    state_ = network_.start();
    margin_ = network_.start_margin();
    taken_.assign(question_.flips.size(), false);
    const std::uint64_t part = length / coolings + 1;
    for (std::size_t cooling = 0; cooling < coolings && margin_ < 0; ++cooling) {
      set_temperature(hottest * std::pow(coldest / hottest, static_cast<double>(cooling) / (coolings - 1)));
      for (std::uint64_t i = 0; i < part && margin_ < 0; ++i) {
        const std::size_t flip = random_.below(allowed_);
        const Margin margin = try_flip(flip);
        if (margin >= margin_ || is_accepted(margin_ - margin)) take(flip, margin);
      }
      if (watch_.should_stop()) break;
    }
    return margin_ >= 0;
  }

  void set_temperature(double temperature) {
    for (std::size_t loss = 0; loss < most_loss; ++loss)
      chances_[loss] =
          static_cast<std::uint32_t>(std::exp(-static_cast<double>(loss) / temperature) * 4294967295.0);
  }
  bool is_accepted(Margin loss) {
    const auto units = static_cast<std::size_t>(loss / unit_);
    return units < most_loss && static_cast<std::uint32_t>(random_.next() >> 32) < chances_[units];
  }

  // Takes back flips that are not needed, the most expensive first.
  void take_cheaper() {
    for (std::size_t flip = allowed_; flip-- > 0;) {
      if (!taken_[flip]) continue;
      const Margin margin = try_flip(flip);
      if (margin >= 0) take(flip, margin);
    }
    FlipSet set;
    for (std::uint32_t flip = 0; flip < allowed_; ++flip) {
      if (taken_[flip]) set.push_back(flip);
    }
    if (cost_of(question_, set) >= below_) return;
    below_ = cost_of(question_, set);
    best_ = std::move(set);
    allow_below(below_);
  }

  const FlipQuestion& question_;
  const FlipNetwork& network_;
  const LocalSearchOptions& options_;
  LimitWatch& watch_;
  Random random_;
  FlipNetwork::Scratch scratch_;
  Margin unit_;
  std::int64_t below_ = 0;   // only sets that cost less are of interest
  std::size_t allowed_ = 0;  // flips that are cheap enough; they come first
  std::array<std::uint32_t, most_loss> chances_ = {};
  std::uint64_t evaluations_ = 0;
  std::optional<FlipSet> best_;

  FlipState state_, next_;
  Margin margin_ = 0;
  std::vector<bool> taken_;
};

}  // namespace

std::optional<FlipSet> anneal_flips(const FlipQuestion& question, const FlipNetwork& network,
                                    const LocalSearchOptions& options, LimitWatch& watch) {
  return Annealing(question, network, options, watch).run();
}

}  // namespace bnnplan::verification
