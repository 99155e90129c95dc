#pragma once

// Closed loop: plan, do the first steps in the domain as it is, look at the state, plan again.
//
//   bnnplan::ClosedLoopOptions options;
//   options.compile.determinization = bnnplan::parse_determinization("most-likely");
//   bnnplan::PolicyResult result = bnnplan::run_policy(domain, bnnplan::Policy::plan, options);

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include <bnnplan/domain.hpp>

#include "bnnplan/base/answer.hpp"

namespace bnnplan {

enum class Policy : std::uint8_t {
  plan,    // the first actions of a plan for the next steps
  random,  // every legal joint action alike, where that can be had
  noop     // the default action; where it is not legal, a random one
};
inline constexpr std::string_view policy_names[] = {"plan", "random", "noop"};

struct ClosedLoopOptions {
  std::optional<Policy> policy;  // only this one is wanted; run_policy() does not look at it
  std::uint64_t episodes = 30;
  std::uint64_t steps = 0;          // of each episode; 0: as many as the instance says
  std::uint64_t seed = 0;           // of what the domain draws: the same for all policies
  std::uint64_t lookahead = 4;      // steps of a plan
  std::uint64_t replan = 1;         // plan again after this number of steps, at most the lookahead
  CompileOptions compile;           // what to plan with: bits, determinization, a network; not its horizon
  Limits limits = whole_machine();  // of each plan: time, memory, threads
  std::function<void(std::uint64_t episode)> progress;  // before each episode
};

std::vector<Option> options_of(ClosedLoopOptions& options);

struct PolicyResult {
  std::uint64_t episodes = 0, decisions = 0;
  double mean = 0, deviation = 0;  // of the discounted sum of rewards of an episode
  double seconds = 0;              // for all decisions
  std::uint64_t proved = 0;        // decisions by a plan that is optimal for what was planned with
  // Decisions without a plan (there is none, or the state is outside of the ranges that plans are made for):
  // the default action, or if illegal a random one.
  std::uint64_t without_plan = 0;
  std::uint64_t ended = 0;  // episodes that ended early: terminated, an invariant broken, or no legal action
};

// Goals are not looked at: it is the reward that counts. Throws InputError, also where the domain cannot be
// compiled.
PolicyResult run_policy(Simulator& domain, Policy policy, const ClosedLoopOptions& options);

// What a policy got, its name among it, and a line about that.
Answer answer_of(Policy policy, const PolicyResult& result);

}  // namespace bnnplan
