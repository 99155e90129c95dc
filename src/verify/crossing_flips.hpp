#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/verify/flip_network.hpp"

namespace bnnplan::verification {

// A set of flips as bits, in the order of a question's flips.
using FlipBits = std::vector<std::uint64_t>;
inline bool has_flip(const FlipBits& bits, std::uint32_t flip) {
  return flip / 64 < bits.size() && (bits[flip / 64] >> flip % 64 & 1) != 0;
}

// Which neurons of a network's first layer can be changed by flips of the input within a budget, and by
// which.
class CrossingFlips {
 public:
  // A neuron that can change: when the flips that help, minus those that harm, are `need` or more.
  struct Neuron {
    std::uint32_t code = 0;  // 2 * neuron + its bit after the change
    std::int32_t need = 0;   // 1 or more
    FlipBits helping, harming;
  };

  // Keeps references. Requires costs that are added up, and a layer of neurons.
  CrossingFlips(const FlipQuestion& question, const FlipNetwork& network, std::int64_t budget);

  // Those with the largest need first. All other neurons stay as they are for any flips within the budget.
  const std::vector<Neuron>& neurons() const { return neurons_; }
  std::int64_t budget() const { return budget_; }
  FlipBits all_flips() const;  // those that cost no more than the budget

  // The largest number of these flips that the budget allows.
  std::int32_t affordable(const FlipBits& flips) const;
  // The same for those that help this neuron.
  std::int32_t affordable(const FlipBits& flips, std::uint32_t neuron) const;

  // For a set of these flips that is to change all these neurons (indices into neurons()): drops flips that
  // cannot be part of it. False if there is no such set; true proves nothing.
  bool restrict(FlipBits& flips, const std::vector<std::uint32_t>& changed) const;

  // A set of these flips within the budget that changes exactly these neurons; nothing if there is none, or
  // if `steps` ran out, which is then 0; a limit of `watch` ends it as well.
  std::optional<FlipSet> find(FlipBits flips, const std::vector<std::uint32_t>& changed, std::uint64_t& steps,
                              LimitWatch& watch) const;

 private:
  struct Choice;
  bool choose(Choice& choice, FlipBits flips, std::int64_t budget, std::uint64_t& steps,
              LimitWatch& watch) const;

  const FlipQuestion& question_;
  std::int64_t budget_;
  std::size_t flips_ = 0;  // those that cost no more than the budget; they come first
  std::vector<Neuron> neurons_;
  std::vector<std::int8_t> moves_;  // [flip][neuron]: 1 helps, -1 harms
};

}  // namespace bnnplan::verification
