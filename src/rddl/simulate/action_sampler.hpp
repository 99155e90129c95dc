#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/simulate/enumeration.hpp"
#include "bnnplan/rddl/simulate/legal_pairs.hpp"

namespace bnnplan::rddl {

// How hard each way of drawing is tried before the next one. Only tests change these.
struct SamplingLimits {
  std::size_t listed = 1000;         // joint actions that are tried in every state
  std::uint32_t rejections = 200;    // random actions until one is legal
  std::size_t enumerated = 20'000;   // partial assignments visited to find all legal actions
  std::size_t searched = 1'000'000;  // ... to find one
};

// Draws legal joint actions.
class ActionSampler {
 public:
  // Keeps references to everything except the limits.
  ActionSampler(Simulator& simulator, const BitLayout& layout, SimulationRandom& random,
                const SamplingLimits& limits = {});

  // Draws an action that is legal in this state; returns false if none is. All legal actions are drawn with
  // the same probability, or else the draw counts in searched(). Throws InputError if no legal action was
  // found, but it was not shown that there is none.
  bool draw(const StateValues& state, ActionValues& action);

  std::uint64_t searched() const { return searched_; }

 private:
  // The values of one action variable that are possible in the state, as far as conditions decide it without
  // the other variables: the default, a list of others, or all others in the range.
  struct Choice {
    bool by_default = false;
    bool whole_range = false;
    std::vector<std::int64_t> others;
    std::uint64_t other_count = 0;
  };

  bool read_choices(const StateValues& state);
  void weigh();
  void draw_candidate(ActionValues& action);
  std::int64_t draw_other(std::size_t variable);
  Enumeration::Ending enumerate(const StateValues& state, ActionValues& action, bool& found);
  bool search(const StateValues& state, ActionValues& action);

  Simulator& simulator_;
  SimulationRandom& random_;
  SamplingLimits limits_;
  std::optional<LegalActions> listed_;
  std::vector<std::uint32_t> legal_;
  Enumeration constraints_;
  Enumeration::Search order_;  // of the actions with a choice in the state
  std::vector<Choice> choices_;
  bool choices_known_ = false;       // they are the same in every state
  std::size_t most_others_ = 0;      // how many of the free variables may differ from the default
  std::vector<std::uint32_t> free_;  // the variables with a choice
  std::vector<double> ratios_;       // see weigh
  bool weighed_ = false;
  bool rejections_help_ = true;
  std::size_t enumerated_;  // limit for the next state
  std::uint64_t searched_ = 0;
};

}  // namespace bnnplan::rddl
