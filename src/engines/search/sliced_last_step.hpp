#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/network/sliced_layer.hpp"

namespace bnnplan::engines {

// Finds the pairs of state and action of a plan's last step that lead to the goal, for up to 512 states at a
// time and all actions of a class, by bit-sliced inference. Immutable; threads may share one, each with its
// own Workspace.
class SlicedLastStep {
 public:
  explicit SlicedLastStep(const PackedProblem& problem);  // keeps a reference

  // Whether the network determines the whole step, every action is allowed in every state, and the goal fixes
  // enough of its outputs for this to pay off. Nothing else may be called if it is false.
  bool useful() const { return useful_; }

  // The actions of a class, in groups whose members differ in two bits.
  class Actions {
   private:
    friend class SlicedLastStep;
    static constexpr std::uint16_t no_bit = 0xffff;
    struct Leaf {
      ActionId action;
      std::uint16_t first, second;  // network inputs set in addition to those of the group
    };
    struct Group {
      std::vector<std::uint16_t> set;  // inputs
      std::uint32_t begin, end;        // of the leaves
      std::uint32_t shifts;            // needed by the leaves: bit s + 2 for shift s
    };
    std::vector<Leaf> leaves_;
    std::vector<Group> groups_;
  };
  Actions prepare(const ActionTable& actions, ActionId begin, ActionId end) const;

  class Workspace {
   private:
    friend class SlicedLastStep;
    Words words_;
    std::vector<Plane> inputs_, shifted_;
    std::vector<std::vector<Plane>> sums_, outputs_;
    std::vector<const Plane*> pointers_;
  };

  // The network's outputs for up to 512 inputs, packed as in PackedNetwork.
  void evaluate(const std::uint64_t* inputs, std::size_t count, std::uint64_t* outputs,
                Workspace& workspace) const;

  // Calls found(state, action) for all pairs that give the goal's bits; other conditions of the goal are not
  // checked. Throws LimitReached.
  void find(std::span<const std::uint64_t* const> states, const Actions& actions, LimitWatch& watch,
            Workspace& workspace, const std::function<void(std::size_t, ActionId)>& found) const;

 private:
  void order_wanted();
  void prepare(Workspace& workspace) const;
  void put_inputs(const std::uint64_t* words, std::size_t count, Workspace& workspace) const;
  bool reaches_goal(const Actions::Leaf& leaf, Workspace& workspace, Plane& alive) const;

  const PackedProblem& problem_;
  bool useful_ = false;
  std::vector<SlicedLayer> layers_;
  std::vector<std::vector<std::int8_t>> weights_;  // [input][neuron] of the first layer
  std::vector<bool> is_action_;                    // by input
  bool absent_ = false;                            // some weight of an action bit is 0
  std::vector<WantedOutput> wanted_;
  Plane zeros_{}, ones_{};
};

}  // namespace bnnplan::engines
