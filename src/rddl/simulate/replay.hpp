#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

// Finds the variables of a model by name in a problem, which may have more of them.
class ProblemBinding {
 public:
  // Throws InputError if a state or action variable of the model is not in the problem, or is a different
  // kind of variable there. A real of the model is a number in the problem that may be scaled. Keeps no
  // reference.
  ProblemBinding(const GroundModel& model, const Problem& problem);

  // From the bits of the problem. A state variable with unknown bits takes its whole value from `fallback`.
  ActionValues action_values(const BitValues& bits) const;
  StateValues state_values(const BitValues& bits, const StateValues& fallback) const;

  // Into bits of the problem, and of its copies for several futures; a real becomes the nearest number there.
  // Throws InputError if a value does not fit.
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

// The execution of a plan in the true domain.
struct Replay {
  std::vector<StateValues> states;    // including the initial one: one more than actions
  std::vector<ActionValues> actions;  // those that were executed
  std::vector<Rational> rewards;      // of each of them, discounted and multiplied as the problem does
  Rational reward;                    // their sum
  std::int64_t multiple = 1;          // the factor by which the problem multiplies rewards
  std::optional<double> discounted;   // with the discount of the instance, if the problem's differs
  std::string violation;              // the first thing that goes wrong, or ""
  int step = 0;                       // where: 0 for the initial state, 1 .. H, H + 1 for the goal
  std::size_t refused_actions = 0;    // on failure: the number of actions after which it is inevitable
  int diverges = 0;        // the first step after which the states of plan and domain differ; 0 if none
  std::string difference;  // how: "x is 1 in the plan and 0 in the domain, ..."
  // How the initial state differs from that of the instance, in the same form; "" if it does not.
  std::string start;
};

// "x is 7, but its objects are 0 to 2": an integer of the problem may be a number that no object has. "" if
// all are valid.
std::string missing_object(const std::vector<GroundVariable>& variables,
                           const std::vector<std::int64_t>& values);

// Executes the actions of a plan in the simulator, regardless of the states in the plan, until an action is
// illegal, an invariant breaks or the plan ends without the goal. Starts in the initial state of the plan;
// variables that it leaves open have their values of the instance. Throws InputError if the problem does not
// belong to this domain.
Replay replay(Simulator& simulator, const Problem& problem, const Plan& plan);

// A few lines for the user: what the plan does in the domain, and where plan and domain diverge.
std::string replay_text(const Replay& replay);

}  // namespace bnnplan::rddl
