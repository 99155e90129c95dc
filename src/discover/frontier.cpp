// Which questions to a world are open.
//
//   least(1, s) = 0 for the initial state
//   least(t + 1, s') = min over (s, a) seen of least(t, s) + cost(a, s')
//
// over pairs with  least(t, s) + cost of a + (the least cost of everything else) < below. Every plan that
// costs less than `below` takes, step by step, pairs of this set, until it takes one that was never seen. So
// if there is no such pair, and no cheaper plan among those seen (which the planner, whose model is right on
// everything seen, would have found), the plan of cost `below` is optimal in the world.
#include "bnnplan/discover/frontier.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::discovery {

namespace {

constexpr std::size_t most_actions = 100'000;  // of one state

// The least value that the objective can have over bits of this place.
std::int64_t least_part(const Objective& objective, Place place) {
  std::int64_t sum = 0;
  for (const Term& term : objective.terms) {
    if (term.bit.place == place) sum += std::min<std::int64_t>(term.coefficient, 0);
  }
  return sum;
}

class LegalActionsOfState {
 public:
  LegalActionsOfState(const Problem& problem, LimitWatch& watch)
      : actions_(problem.action.bit_count()),
        search_(actions_ + problem.state.bit_count() + problem.auxiliary.bit_count(), watch) {
    engines::add_step_constraints(search_, problem);
    for (std::uint32_t i = 0; i < actions_; ++i) choices_.push_back(i);
    for (std::uint32_t i = 0; i < problem.auxiliary.bit_count(); ++i)
      others_.push_back(actions_ + problem.state.bit_count() + i);
  }

  // Returns false if there are too many, or a limit was reached.
  bool list(const BitValues& state, std::vector<BitValues>& actions) {
    actions.clear();
    if (!search_.start()) return true;
    for (std::uint32_t bit = 0; bit < state.size(); ++bit) {
      if (!search_.assign(actions_ + bit, state[bit] == 1)) return true;
    }
    return search_.enumerate(choices_, others_, [&] {
      BitValues action(actions_);
      for (std::uint32_t i = 0; i < actions_; ++i) action[i] = search_.value(i);
      actions.push_back(std::move(action));
      return actions.size() < most_actions;
    });
  }

 private:
  std::uint32_t actions_;
  engines::BitSearch search_;
  std::vector<std::uint32_t> choices_, others_;
};

}  // namespace

std::string frontier_obstacle(const Problem& problem) {
  if (is_discounted(problem)) return "its costs are discounted";
  if (problem.auxiliary.bit_count() > 0) return "the problem has auxiliary variables";
  std::vector<bool> learned(problem.state.bit_count(), false);
  for (const std::uint32_t bit : problem.network_outputs) learned[bit] = true;
  for (std::uint32_t bit = 0; bit < learned.size(); ++bit) {
    if (!learned[bit])
      return fmt::format("'{}' is given by known transitions", printable(problem.state.bit_name(bit)));
  }
  if (std::find(problem.initial.begin(), problem.initial.end(), unknown_bit) != problem.initial.end())
    return "the initial state is not fully given";
  return "";
}

std::vector<BitValues> legal_actions(const Problem& problem, const BitValues& state, LimitWatch& watch) {
  std::vector<BitValues> actions;
  LegalActionsOfState(problem, watch).list(state, actions);
  return actions;
}

Frontier frontier(const Problem& problem, const WorldFacts& facts, std::optional<std::int64_t> below,
                  std::size_t most_pairs, LimitWatch& watch) {
  const Objective& objective = problem.objective;
  const std::int64_t least_next = objective.constant + least_part(objective, Place::next);
  const std::int64_t least_step = least_next + least_part(objective, Place::action);
  LegalActionsOfState legal(problem, watch);
  Frontier result;
  std::unordered_map<std::string, std::vector<BitValues>> actions_of;
  std::unordered_map<std::string, std::size_t> pair_of;  // places in result.pairs
  std::map<std::string, std::int64_t> layer{{std::string(problem.initial.begin(), problem.initial.end()), 0}};
  for (int step = 1; step <= problem.horizon && !layer.empty(); ++step) {
    const std::int64_t rest = least_step * (problem.horizon - step);
    std::map<std::string, std::int64_t> next_layer;
    for (const auto& [key, least] : layer) {
      const BitValues state(key.begin(), key.end());
      auto known = actions_of.find(key);
      if (known == actions_of.end()) {
        known = actions_of.emplace(key, std::vector<BitValues>()).first;
        if (!legal.list(state, known->second)) result.complete = false;
      }
      for (const BitValues& action : known->second) {
        const std::int64_t paid = evaluate(objective.terms, {action, state, {}, BitValues(state.size(), 0)});
        if (below && least + paid + least_next + rest >= *below) continue;
        const std::size_t fact = facts.find(state, action);
        if (fact == WorldFacts::none) {
          std::string pair_key = key;
          pair_key.append(action.begin(), action.end());
          if (!pair_of.emplace(std::move(pair_key), result.pairs.size()).second) continue;
          if (result.pairs.size() >= most_pairs) {
            result.complete = false;
            return result;
          }
          result.pairs.push_back({state, action, least + paid, static_cast<std::uint32_t>(step)});
          continue;
        }
        ++result.seen;
        const BitValues& next = facts[fact].next;
        const std::int64_t cost =
            least + objective.constant + evaluate(objective.terms, {action, state, {}, next});
        if (below && cost + rest >= *below) continue;
        const auto [at, added] = next_layer.emplace(std::string(next.begin(), next.end()), cost);
        if (!added) at->second = std::min(at->second, cost);
      }
      if (watch.should_stop()) {
        result.complete = false;
        return result;
      }
    }
    layer = std::move(next_layer);
  }
  return result;
}

}  // namespace bnnplan::discovery
