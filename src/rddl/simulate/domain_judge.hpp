#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "bnnplan/problem/plan.hpp"
#include "bnnplan/rddl/simulate/legal_pairs.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

// Checks plans for a (learned) problem against the true domain: the domain may refuse them, or they may lead
// to other states there than the problem predicts.
class DomainJudge {
 public:
  // Keeps references. Throws InputError if the problem is not one of this domain.
  DomainJudge(Simulator& simulator, const Problem& problem);

  // The shortest prefix of its actions after which, as far as can be determined, no plan can succeed in the
  // domain, or after which problem and domain are in different states, whichever is shorter. It applies to
  // the values that the plan gives to the free initial bits of the problem. Nothing if the plan is valid and
  // every state is right.
  std::optional<Objection> operator()(const Plan& plan);

  // Whether it is certain that no `steps` legal actions lead from the state to a goal. Examines only a
  // limited number of steps; returns false if that is not enough.
  bool hopeless(const StateValues& state, int steps);

 private:
  bool reaches_goal(const StateValues& state, int steps);

  Simulator& simulator_;
  const Problem& problem_;
  ProblemBinding binding_;
  std::optional<LegalActions> actions_;                  // nothing if they cannot be enumerated
  std::map<std::pair<int, StateValues>, bool> reaches_;  // by steps left
  int too_many_steps_;                                   // steps left that are too many to examine
  std::uint64_t looked_at_ = 0;                          // steps examined for the current question
};

}  // namespace bnnplan::rddl
