// Exploration: generates the transitions of data sets.
#include "bnnplan/rddl/simulate/explore.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/simulate/action_sampler.hpp"
#include "bnnplan/rddl/simulate/open_actions.hpp"

namespace bnnplan::rddl {

namespace {

// Random values within the ranges of the slots from `first` on.
void draw_values(SimulationRandom& random, const BitLayout& layout, std::uint32_t first,
                 std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Interval& range = layout.ranges[first + i];
    const auto count = static_cast<std::uint64_t>(range.high.numerator - range.low.numerator) + 1;
    values[i] = range.low.numerator + static_cast<std::int64_t>(random_below(random, count));
  }
}

// Draws a legal action; false if there is none (as far as the policy can determine).
class ActionSource {
 public:
  ActionSource(Simulator& simulator, const BitLayout& layout, const ExploreOptions& options,
               SimulationRandom& random)
      : simulator_(simulator), layout_(layout), random_(random) {
    const GroundModel& model = simulator.model();
    bool open = false;
    for (std::uint32_t slot = model.first_action(); slot < model.first_intermediate(); ++slot)
      open = open || !layout.ranges[slot].known;
    if (open) {
      open_.emplace(simulator, layout, random);
    } else if (options.policy == ExplorationPolicy::uniform_legal) {
      uniform_.emplace(simulator, layout, random);
    }
  }

  bool draw(const StateValues& state, ActionValues& action) {
    if (open_) return open_->draw(state, action);
    return uniform_ ? uniform_->draw(state, action) : draw_until_legal(state, action);
  }

  std::uint64_t searched() const { return uniform_ ? uniform_->searched() : 0; }

 private:
  bool draw_until_legal(const StateValues& state, ActionValues& action) {
    constexpr int attempts = 1000;
    action.resize(simulator_.model().action.size());
    for (int attempt = 0; attempt < attempts; ++attempt) {
      draw_values(random_, layout_, simulator_.model().first_action(), action);
      if (simulator_.legal(state, action)) return true;
    }
    action = simulator_.default_action();
    return simulator_.legal(state, action);
  }

  Simulator& simulator_;
  const BitLayout& layout_;
  SimulationRandom& random_;
  std::optional<ActionSampler> uniform_;
  std::optional<OpenActions> open_;
};

// Draws states that satisfy the invariants and may allow an action, all with the same probability: random
// values until they do or, if that would take too long (exactly one of 25 cells), one from the list of all
// such states.
class StateSource {
 public:
  StateSource(Simulator& simulator, const BitLayout& layout, SimulationRandom& random)
      : simulator_(simulator), constraints_(simulator.model(), layout), layout_(layout), random_(random) {
    for (const GroundCondition& constraint : simulator.model().constraints)
      constraints_.require(constraint.node);
    constexpr int tries = 1000, enough = 10;
    StateValues state;
    int good = 0;
    for (int i = 0; i < tries; ++i) good += draw_once(state) ? 1 : 0;
    if (good >= enough) return;
    for_each_state(simulator, layout, {}, [&](const StateValues& legal) { all_.push_back(legal); });
    if (all_.empty()) {
      throw InputError(*simulator.model().file_names.back(),
                       "no state satisfies the state invariants and allows an action");
    }
  }

  void draw(StateValues& state) {
    if (!all_.empty()) {
      state = all_[random_below(random_, all_.size())];
      return;
    }
    while (!draw_once(state)) {
    }
  }

 private:
  bool draw_once(StateValues& state) {
    state.resize(simulator_.model().state.size());
    draw_values(random_, layout_, 0, state);
    for (std::uint32_t i = 0; i < state.size(); ++i) constraints_.fix(i, state[i]);
    return constraints_.possible() && simulator_.broken_invariant(state).empty();
  }

  Simulator& simulator_;
  Enumeration constraints_;
  const BitLayout& layout_;
  SimulationRandom& random_;
  std::vector<StateValues> all_;
};

void refuse_broken(Simulator& simulator, const StateValues& next) {
  const std::string broken = simulator.broken_invariant(next);
  if (broken.empty()) return;
  const GroundModel& model = simulator.model();
  std::string text;
  for (std::size_t i = 0; i < next.size() && text.size() < 400; ++i) {
    if (next[i] == 0) continue;
    text += fmt::format("{}{} = ", text.empty() ? "" : ", ", model.state[i].name);
    text += model.state[i].kind == ValueKind::real ? fmt::format("{}", real_of_value(next[i]))
                                                   : std::to_string(next[i]);
  }
  throw InputError(*model.file_names.front(),
                   fmt::format("a legal step breaks the {}: it leads to {}", broken,
                               text.empty() ? "the state with all variables 0" : printable(text, 400)));
}

}  // namespace

ExplorationCounts explore(Simulator& simulator, const BitLayout& layout, const ExploreOptions& options,
                          const TransitionVisitor& visit) {
  SimulationRandom random(options.seed);
  ActionSource source(simulator, layout, options, random);
  std::optional<StateSource> states;
  if (options.start == EpisodeStart::anywhere) states.emplace(simulator, layout, random);
  ExplorationCounts counts;
  StateValues state, next;
  ActionValues action;
  // The first state and the first action of an episode.
  const auto begin = [&] {
    constexpr int attempts = 100'000;
    for (int attempt = 0; attempt < (states ? attempts : 1); ++attempt) {
      if (states) states->draw(state);
      if (source.draw(state, action)) return;
    }
    throw InputError(*simulator.model().file_names.back(),
                     states ? fmt::format("no action is legal in any of {} random states", attempts)
                            : "no action is legal in the initial state");
  };
  for (std::uint64_t episode = 0; episode < options.episodes; ++episode) {
    state = simulator.initial_state();
    begin();
    for (std::uint64_t step = 0; step < options.steps; ++step) {
      if (simulator.terminated(state)) {
        ++counts.terminated;
        break;
      }
      if (step > 0 && !source.draw(state, action)) {
        ++counts.dead_ends;
        break;
      }
      simulator.step(state, action, next, &random);
      if (options.details) options.details(simulator.step_reward(&random), simulator.intermediate_values());
      const bool left = !simulator.invariants_hold(next);
      if (left && !options.may_leave) refuse_broken(simulator, next);
      visit(state, action, next);
      ++counts.transitions;
      if (left) {
        ++counts.left;
        break;
      }
      std::swap(state, next);
    }
    if (options.episode_ended) options.episode_ended();
  }
  counts.searched = source.searched();
  return counts;
}

ExplorationCounts explore_exhaustively(Simulator& simulator, const BitLayout& layout,
                                       const TransitionVisitor& visit) {
  if (simulator.is_random()) {
    throw InputError(
        *simulator.model().file_names.front(),
        "the domain is random, so a pair of state and action has more than one next state: expected "
        "episodes");
  }
  const LegalActions actions(simulator, layout);
  ExplorationCounts counts;
  std::vector<std::uint32_t> legal;
  const AssignmentCount dead = for_each_state(simulator, layout, {}, [&](const StateValues& state) {
    actions.find(state, legal);
    if (legal.empty()) ++counts.dead_ends;
    for (const std::uint32_t number : legal) {
      const ActionValues& action = actions.candidates()[number];
      const StateValues next = simulator.step(state, action);
      if (!simulator.invariants_hold(next)) refuse_broken(simulator, next);
      visit(state, action, next);
      ++counts.transitions;
    }
  });
  counts.dead_ends += std::min(dead.count, std::numeric_limits<std::uint64_t>::max() - counts.dead_ends);
  counts.dead_ends_exact = dead.exact;
  return counts;
}

}  // namespace bnnplan::rddl
