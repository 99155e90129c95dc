#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "bnnplan/rddl/simulate/legal_pairs.hpp"

namespace bnnplan::rddl {

enum class ExplorationPolicy : std::uint8_t {
  uniform_legal,  // every legal joint action with the same probability, if possible
  random          // random values for every action variable, repeated until the action is legal
};

enum class EpisodeStart : std::uint8_t {
  initial,  // in the initial state
  // In a random state that satisfies the invariants and has a legal action, all with the same probability.
  anywhere
};

struct ExploreOptions {
  std::uint64_t episodes = 1;
  std::uint64_t steps = 100;  // of each episode
  std::uint64_t seed = 0;
  ExplorationPolicy policy = ExplorationPolicy::uniform_legal;
  EpisodeStart start = EpisodeStart::initial;
  // If false, a step that breaks an invariant is an error; if true, it ends the episode.
  bool may_leave = false;
  // Called before each visit of a transition, with its reward and the values of the intermediate variables.
  std::function<void(const Number& reward, std::span<const std::int64_t> intermediate)> details;
  std::function<void()> episode_ended;
};

using TransitionVisitor =
    std::function<void(const StateValues& state, const ActionValues& action, const StateValues& next)>;

struct ExplorationCounts {
  std::uint64_t transitions = 0;
  std::uint64_t terminated = 0;  // episodes that ended by a termination condition
  std::uint64_t left = 0;        // episodes that ended by breaking an invariant
  // Episodes that ended in a state without a legal action, or the number of such states.
  std::uint64_t dead_ends = 0;
  bool dead_ends_exact = true;  // if false, `dead_ends` is a lower bound
  std::uint64_t searched = 0;   // actions of uniform_legal that are legal, but were not drawn uniformly
};

// Runs episodes; the same options give the same transitions on every machine (up to the rounding of functions
// such as exp). An episode ends when the domain's termination condition holds. The layout may have ranges
// only, and unknown ones (make_known_ranges), unless episodes start anywhere. Throws InputError if there is
// nowhere to start (the initial state has no legal action, or no state with one was found) or a step breaks
// an invariant.
ExplorationCounts explore(Simulator& simulator, const BitLayout& layout, const ExploreOptions& options,
                          const TransitionVisitor& visit);

// Visits every legal pair of a state and an action, with the next state. The dead ends are the states that
// satisfy the invariants and have no legal action.
ExplorationCounts explore_exhaustively(Simulator& simulator, const BitLayout& layout,
                                       const TransitionVisitor& visit);

}  // namespace bnnplan::rddl
