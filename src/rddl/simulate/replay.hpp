#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem/plan.hpp"
#include "problem/problem.hpp"
#include "rddl/simulate/simulator.hpp"

namespace bnnplan {

// The variables of a model found by name in a problem, which may have more of them.
class ProblemBinding {
 public:
  // Throws InputError if a state or action variable of the model is not in the problem, or is another kind of
  // variable there. A real of the model is a number there that may be scaled. Keeps no reference.
  ProblemBinding(const GroundModel& model, const Problem& problem);

  // From the bits of the problem. State bits that are unknown are taken from `fallback`, whole variables at a
  // time.
  ActionValues action_values(const BitValues& bits) const;
  StateValues state_values(const BitValues& bits, const StateValues& fallback) const;

  // Into bits of the problem, and of its copies for several futures, reals as the nearest number there. Throws InputError if a value does not fit.
  void put_state(const StateValues& state, BitValues& bits) const;

  // Whether the model has the variable of this state bit.
  bool has_state_bit(std::uint32_t bit) const;

 private:
  struct Place {
    std::uint32_t first_bit;
    Variable variable;
    bool real;
    std::vector<std::uint32_t> copies;  // first bits of NAME#2, NAME#3, ... (several futures)
  };
  static std::int64_t value_at(const Place& place, const BitValues& bits);
  static std::vector<Place> bind(const GroundModel& model, const std::vector<GroundVariable>& wanted,
                                 const VariableList& list, std::string_view what);

  std::vector<Place> state_, action_;
};

// What a plan does in the true domain.
struct Replay {
  std::vector<StateValues> states;    // from the initial one: one more than actions
  std::vector<ActionValues> actions;  // those that were executed
  std::vector<Rational> rewards;      // of each of them, discounted and multiplied as the problem does
  Rational reward;                    // their sum
  std::int64_t multiple = 1;          // by which they are multiplied
  std::optional<double> discounted;   // as the instance says, where that is another sum
  std::string violation;              // the first thing that goes wrong, or ""
  int step = 0;                       // where: 0 for the initial state, 1 .. H, H + 1 for the goal
  std::size_t refused_actions = 0;    // if something goes wrong: after so many actions it is bound to
  int diverges = 0;  // the first step after which the plan says another state than the domain; 0 if none
  std::string difference;  // how: "x is 1 in the plan and 0 in the domain, ..."
  std::string start;       // how the initial state is not that of the instance, likewise; "" if it is
};

// "x is 7, but its objects are 0 to 2": an integer of the problem may be a number that no object has; "" if there is none.
std::string missing_object(const std::vector<GroundVariable>& variables,
                           const std::vector<std::int64_t>& values);

// Executes the actions of a plan in the simulator, whatever the plan says of states, until an action is
// illegal, an invariant breaks or the plan ends without the goal. Starts in the initial state of the plan
// where it says one, otherwise in that of the instance. Throws InputError if the problem is not one of this
// domain.
Replay replay(Simulator& simulator, const Problem& problem, const Plan& plan);

// A few lines for the user: what the plan does in the domain, and where the plan and the domain part.
std::string replay_text(const Replay& replay);

}  // namespace bnnplan
