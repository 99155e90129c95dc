#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "problem/plan.hpp"
#include "rddl/simulate/legal_pairs.hpp"
#include "rddl/simulate/replay.hpp"
#include "rddl/simulate/simulator.hpp"

namespace bnnplan {

// Says what the true domain has against plans for a (learned) problem: that it refuses them, or that they
// lead to other states there than the problem says.
class DomainJudge {
 public:
  // Keeps references. Throws InputError if the problem is not one of this domain.
  DomainJudge(Simulator& simulator, const Problem& problem);

  // The shortest prefix of its actions after which, as far as can be seen, no plan can succeed in the domain,
  // or after which problem and domain are in different states, whichever is shorter. It is for the free
  // initial bits of the problem as the plan has them. Nothing if the plan is valid and every state is right.
  std::optional<Objection> operator()(const Plan& plan);

  // Whether it is certain that no `steps` legal actions lead from the state to a goal. Looks at a limited
  // number of steps only; where that is not enough the answer is false.
  bool hopeless(const StateValues& state, int steps);

 private:
  bool reaches_goal(const StateValues& state, int steps);

  Simulator& simulator_;
  const Problem& problem_;
  ProblemBinding binding_;
  std::optional<LegalActions> actions_;                  // nothing if they cannot be enumerated
  std::map<std::pair<int, StateValues>, bool> reaches_;  // by steps left
  int too_many_steps_;                                   // left, to be looked through
  std::uint64_t looked_at_ = 0;                          // steps, for the question at hand
};

}  // namespace bnnplan
