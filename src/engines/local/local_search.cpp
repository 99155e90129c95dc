// Tabu search (Glover: Tabu search, 1989) over sequences of actions. A move flips an action bit of some step,
// exchanges two (one is cleared and another set, since often at most one action is allowed), or flips a free
// bit of the initial state. In each iteration all moves, or a large sample, are replayed together
// (PlanReplay), and the best one is made, even if it improves nothing, unless it undoes one of the last
// moves; a move to a better plan than all so far is always allowed.
//
// The value of a sequence is its cost plus a weight times its violation; once there is a plan, costing no
// less than that plan is a violation as well, which drives the search to cheap plans rather than any plan.
// The weight rises while no plan is met and falls while plans are met, so that the search moves along the
// border of what is allowed. After many moves without a better value it restarts, from a sequence that
// does nothing or from the best plan, with some bits flipped.
#include "bnnplan/engines/local/local_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/local/plan_replay.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::uint64_t effort_in_portfolio = 4'000'000;
constexpr int most_steps = 4096;
constexpr std::size_t most_changes = 1024, least_changes = 32;     // replayed together
constexpr std::size_t most_steps_together = std::size_t{1} << 17;  // in one replay
constexpr std::uint64_t moves_of_a_start = 1000;                   // without a better value, before a restart
constexpr std::size_t most_flips = 8;                              // at a restart
constexpr std::uint64_t moves_to_heavier = 20, moves_to_lighter = 5;

class LocalSearch {
 public:
  LocalSearch(const Problem& problem, LimitWatch& watch, const LocalSearchEvents& events)
      : problem_(problem),
        watch_(watch),
        events_(events),
        replay_(problem, watch),
        random_(watch.limits().seed),
        bits_(replay_.action_bits()),
        together_(std::clamp(most_steps_together / replay_.horizon(), least_changes, most_changes)),
        tabu_until_(replay_.horizon() * std::size_t{bits_} + problem.state.bit_count(), 0) {
    for (const Term& term : problem.objective.terms) {
      unit_ = std::max(unit_, weights_.of(1) * std::abs(term.coefficient));
    }
    list_changes();
  }

  LocalSearchStatistics run(std::uint64_t effort) {
    try {
      while (!all_changes_.empty() && goes_on(effort)) start(effort);
    } catch (const LimitReached&) {  // in the middle of a replay: nothing found so far is lost
    }
    statistics_.evaluations = replay_.evaluations();
    return statistics_;
  }

 private:
  // One start: moves until there has been no improvement for long.
  void start(std::uint64_t effort) {
    ++statistics_.starts;
    begin();
    weight_ = unit_;
    std::fill(tabu_until_.begin(), tabu_until_.end(), 0);
    Standing now = replay_.replay();
    Value best = value(now);
    consider(now);
    std::uint64_t since = 0, without = 0, with = 0;
    while (since < moves_of_a_start && goes_on(effort)) {
      const Change change = best_change();
      replay_.apply(change);
      forbid(change);
      now = replay_.replay();
      ++statistics_.moves;
      ++since;
      if (consider(now)) since = 0;
      if (value(now) < best) {
        best = value(now);
        since = 0;
      }
      without = now.violation > 0 ? without + 1 : 0;
      with = now.violation > 0 ? 0 : with + 1;
      if (without >= moves_to_heavier && weight_ < most_weight) {
        weight_ *= 2;
        without = 0;
        best = value(now);
      }
      if (with >= moves_to_lighter && weight_ > unit_) {
        weight_ /= 2;
        with = 0;
        best = value(now);
      }
    }
  }

  bool goes_on(std::uint64_t effort) {
    return !enough_ && replay_.evaluations() < effort && !watch_.should_stop();
  }

  void begin() {
    replay_.clear();
    if (statistics_.starts == 1) return;
    if (statistics_.starts % 3 == 0) {
      for (const Change& change : best_) replay_.apply(change);
    }
    const std::size_t flips = 1 + random_.below(most_flips);
    for (std::size_t i = 0; i < flips; ++i) replay_.apply(all_changes_[random_.below(all_changes_.size())]);
  }

  using Value = __int128;
  Value value(const Standing& standing) const {
    Value violation = standing.violation;
    if (standing.cost >= upper_) violation += (standing.cost - upper_) / unit_ + 1;
    return standing.cost + weight_ * violation;
  }

  // All flips of one bit.
  void list_changes() {
    for (std::uint32_t t = 0; t < replay_.horizon(); ++t) {
      for (std::uint32_t bit = 0; bit < bits_; ++bit) all_changes_.push_back({.step = t, .first = bit});
    }
    for (const std::uint32_t bit : replay_.free_initial()) all_changes_.push_back({.initial = bit});
  }

  Change best_change() {
    changes_.clear();
    if (all_changes_.size() <= together_ / 2) {
      changes_ = all_changes_;
    } else {
      for (std::size_t i = 0; i < together_ / 2; ++i) {
        changes_.push_back(all_changes_[random_.below(all_changes_.size())]);
      }
    }
    add_exchanges();
    replay_.evaluate(changes_, standings_);
    const std::size_t first = random_.below(changes_.size());  // random tie-breaking
    std::size_t best = first;
    bool found = false;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const std::size_t at = (first + i) % changes_.size();
      const Standing& standing = standings_[at];
      if (is_forbidden(changes_[at]) && (standing.violation > 0 || standing.cost >= upper_)) continue;
      if (!found || value(standing) < value(standings_[best])) best = at;
      found = true;
    }
    return changes_[best];
  }

  // Pairs of a set and an unset bit in the same step.
  void add_exchanges() {
    exchanges_.clear();
    for (std::uint32_t t = 0; t < replay_.horizon(); ++t) {
      for (std::uint32_t set = 0; set < bits_; ++set) {
        if (!replay_.action_bit(t, set)) continue;
        for (std::uint32_t other = 0; other < bits_; ++other) {
          if (!replay_.action_bit(t, other)) exchanges_.push_back({.step = t, .first = set, .second = other});
        }
      }
    }
    const std::size_t room = together_ - changes_.size();
    for (std::size_t i = 0; i < exchanges_.size() && i < room; ++i) {
      std::swap(exchanges_[i], exchanges_[i + random_.below(exchanges_.size() - i)]);
      changes_.push_back(exchanges_[i]);
    }
  }

  std::size_t place(std::uint32_t step, std::uint32_t bit) const { return step * std::size_t{bits_} + bit; }
  std::uint64_t& tabu_of_initial(std::uint32_t bit) {
    return tabu_until_[replay_.horizon() * std::size_t{bits_} + bit];
  }

  void forbid(const Change& change) {
    const std::uint64_t until = statistics_.moves + 4 + random_.below(4 + all_changes_.size() / 32);
    if (change.first != Change::none) tabu_until_[place(change.step, change.first)] = until;
    if (change.second != Change::none) tabu_until_[place(change.step, change.second)] = until;
    if (change.initial != Change::none) tabu_of_initial(change.initial) = until;
  }
  bool is_forbidden(const Change& change) {
    const auto tabu = [&](std::uint64_t until) { return until > statistics_.moves; };
    return (change.first != Change::none && tabu(tabu_until_[place(change.step, change.first)])) ||
           (change.second != Change::none && tabu(tabu_until_[place(change.step, change.second)])) ||
           (change.initial != Change::none && tabu(tabu_of_initial(change.initial)));
  }

  // Records the sequence if it is a better plan than all before. Returns whether it is.
  bool consider(const Standing& standing) {
    if (events_.upper) {
      const std::int64_t outside = events_.upper();
      if (outside < std::numeric_limits<std::int64_t>::max()) upper_ = std::min(upper_, outside - constant());
    }
    if (standing.violation > 0 || standing.cost >= upper_) return false;
    auto plan = replay_.plan();
    if (!plan) return false;
    const checking::PlanCheck check = checking::check_plan(problem_, *plan);
    if (!check.accepted) return false;
    upper_ = standing.cost;
    best_.clear();
    for (const Change& change : all_changes_) {
      const bool set = change.initial != Change::none ? replay_.initial_bit(change.initial)
                                                      : replay_.action_bit(change.step, change.first);
      if (set) best_.push_back(change);
    }
    enough_ = !events_.improved(check.plan, check.cost);
    return true;
  }
  std::int64_t constant() const {
    return total_weight(weights_, problem_.horizon) * problem_.objective.constant;
  }

  static constexpr std::int64_t most_weight = std::int64_t{1} << 60;

  const Problem& problem_;
  StepWeights weights_ = step_weights(problem_);
  LimitWatch& watch_;
  const LocalSearchEvents& events_;
  PlanReplay replay_;
  Random random_;
  std::uint32_t bits_;
  std::size_t together_;                     // changes considered per move
  std::vector<Change> all_changes_;          // flips of one bit
  std::vector<Change> changes_, exchanges_;  // considered for this move
  std::vector<Standing> standings_;
  std::vector<std::uint64_t> tabu_until_;  // for each bit, as a move number
  std::vector<Change> best_;               // the changes from doing nothing to the best plan
  bool enough_ = false;
  std::int64_t unit_ = 1;  // the largest cost of a bit
  std::int64_t weight_ = 1;
  std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();  // without the constant
  LocalSearchStatistics statistics_;
};

}  // namespace

LocalSearchStatistics local_search(const Problem& problem, LimitWatch& watch, std::uint64_t effort,
                                   const LocalSearchEvents& events) {
  return LocalSearch(problem, watch, events).run(effort);
}

bool suits_local_search(const Problem& problem) { return problem.horizon <= most_steps; }

Outcome run_local_search(const Problem& problem, const EngineRequest& request) {
  LimitWatch watch(request.limits);
  BoundLog bounds(request);
  Outcome outcome;
  outcome.engine = "local";
  LocalSearchEvents events;
  events.improved = [&](const Plan& plan, std::int64_t cost) {
    outcome.plan = plan;
    outcome.cost = cost;
    outcome.status = Status::feasible;
    bounds.improve({watch.seconds(), cost, [&] { return plan; }});
    return !request.first && !problem.objective.terms.empty();
  };
  events.upper = [&] { return request.shared_upper(); };
  const LocalSearchStatistics done = local_search(problem, watch, effort_in_portfolio, events);
  outcome.stopped = watch.reason();
  outcome.seconds = watch.seconds();
  outcome.bounds = bounds.finish(outcome.seconds);
  outcome.statistics.emplace_back("evaluations", static_cast<std::int64_t>(done.evaluations));
  outcome.statistics.emplace_back("moves", static_cast<std::int64_t>(done.moves));
  outcome.statistics.emplace_back("starts", static_cast<std::int64_t>(done.starts));
  return outcome;
}

}  // namespace bnnplan::engines
