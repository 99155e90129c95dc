#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "discover/world.hpp"
#include "engines/engine.hpp"
#include "learn/data_set.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

enum class Asking : std::uint8_t {
  by_plan,  // what plans rely on, and where there is no plan, what is newest
  random  // random legal actions from the initial state on, in episodes of 100 steps, or as many as the horizon has
};

// One turn: learn, plan, try.
struct DiscoverRound {
  std::size_t facts = 0;                 // that the model was learned from
  std::size_t questions = 0;             // asked after this round, all together
  Status status = Status::unknown;       // of the model's problem
  std::optional<std::int64_t> promised;  // the cost of its plan
  int parts = 0;       // the step after which the world is in another state than the plan says; 0: never
  bool holds = false;  // the plan is tried, and the world does what it says
  std::size_t explored = 0;  // questions that were asked for their own sake
  double seconds = 0;        // since the beginning
};

struct DiscoverOptions {
  Asking asking = Asking::by_plan;
  std::size_t most_questions = 100'000;
  bool prove = false;  // go on until the plan is proved optimal in the world
  std::optional<std::int64_t>
      until_cost;  // go on until a plan that holds costs no more, in units of the objective's integers
  std::uint64_t seed = 0;
  unsigned threads = 1;
  Limits limits;                                    // for everything
  std::function<Outcome(const Problem&)> plan;      // how to plan; must be given
  std::function<void(const DiscoverRound&)> round;  // after every round
};

// How much is known about the plan in the world.
enum class WorldStatus : std::uint8_t {
  optimal,  // no plan is cheaper in a world that always answers alike: everything that one could begin with was seen
  valid,       // it does what the model says; a cheaper plan may exist that the model does not believe in
  infeasible,  // there is no plan in such a world: everything that can be reached was seen
  none         // no plan that holds, or interrupted before it was played once more
};

struct Discovered {
  Problem problem;           // with the network at the end
  DataSet data;              // every question once
  std::optional<Plan> plan;  // the best that holds
  std::int64_t cost = 0;     // of it
  Outcome outcome;           // of the last planning: of this plan if it is the model's optimum
  bool optimal_in_model = false;
  WorldStatus world = WorldStatus::none;
  std::size_t questions =
      0;  // to the world; answers are remembered, nothing is asked twice (but by Asking::random)
  std::size_t unseen = 0;       // pairs that a cheaper plan could begin with and that were never seen
  bool unseen_complete = true;  // or there are more
  std::string obstacle;         // why `world` cannot be known to be optimal here, if it cannot
  StopReason stopped = StopReason::none;
  bool out_of_questions = false;
  std::vector<DiscoverRound> rounds;
};

// Learns the transitions of a problem that its network stands for, from nothing, by asking the world. The problem's network is
// only looked at for its inputs and outputs (leave_open). Requires problem.horizon > 0. Throws InputError if the world refuses an
// action that the problem allows, leaves a bit open that is to be learned, cannot be asked, says more than it is asked, or does not
// do again what the plan says when it is played from the start in the end (which does not count as questions).
Discovered discover(Problem problem, World& world, const DiscoverOptions& options);

}  // namespace bnnplan
