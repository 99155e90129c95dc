#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/discover/world.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::discovery {

enum class Asking : std::uint8_t {
  by_plan,  // what plans rely on and, if there is no plan, what is newest
  // Random legal actions from the initial state, in episodes of 100 steps or the horizon if that is longer.
  random
};

// One turn: learn, plan, try.
struct DiscoverRound {
  std::size_t facts = 0;                 // the facts that the model was learned from
  std::size_t questions = 0;             // total number of questions asked by the end of this round
  Status status = Status::unknown;       // of the model's problem
  std::optional<std::int64_t> promised;  // the cost of its plan
  int parts = 0;             // the step after which the world's state differs from the plan's; 0: never
  bool holds = false;        // the plan was tried, and the world does what it predicts
  std::size_t explored = 0;  // questions asked for exploration
  double seconds = 0;        // since the start
};

struct DiscoverOptions {
  Asking asking = Asking::by_plan;
  std::size_t most_questions = 100'000;
  bool prove = false;  // continue until the plan is proved optimal in the world
  // Continue until a plan that holds costs no more than this, in units of the objective's integers.
  std::optional<std::int64_t> until_cost;
  Limits limits = whole_machine();                       // for the whole run
  std::function<engines::Outcome(const Problem&)> plan;  // the planner; required
  std::function<void(const DiscoverRound&)> round;       // called after every round
};

// How much is known about the plan in the world.
enum class WorldStatus : std::uint8_t {
  optimal,  // no plan is cheaper if the world is deterministic: every pair that one could begin with was seen
  // The world does what the model predicts; a cheaper plan may exist that the model does not believe in.
  valid,
  infeasible,  // there is no plan if the world is deterministic: everything that can be reached was seen
  none         // no plan that holds, or interrupted before the plan was replayed
};

struct Discovered {
  Problem problem;           // with the final network
  learning::DataSet data;    // every question once
  std::optional<Plan> plan;  // the best that holds
  std::int64_t cost = 0;     // of it
  engines::Outcome outcome;  // of the last planning; belongs to this plan if it is the model's optimum
  bool optimal_in_model = false;
  WorldStatus world = WorldStatus::none;
  // To the world; answers are remembered, so nothing is asked twice (except with Asking::random).
  std::size_t questions = 0;
  std::size_t unseen = 0;       // pairs that a cheaper plan could begin with and that were never seen
  bool unseen_complete = true;  // false: there are more
  std::string obstacle;         // why `world` can never become optimal here, if so
  StopReason stopped = StopReason::none;
  bool out_of_questions = false;
  std::vector<DiscoverRound> rounds;
};

// Learns the transitions for which the problem's network stands, from nothing, by asking the world. Only the
// inputs and outputs of that network are used (leave_open). Requires problem.horizon > 0. Throws InputError
// if the world refuses an action that the problem allows, leaves a bit open that is to be learned, cannot be
// asked, sends unsolicited output, or does not repeat what the plan predicts when the plan is replayed from
// the start at the end (which does not count as questions).
Discovered discover(Problem problem, World& world, const DiscoverOptions& options);

}  // namespace bnnplan::discovery
