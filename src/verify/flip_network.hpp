#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/network/column_kernels.hpp"
#include "bnnplan/verify/question.hpp"

namespace bnnplan::verification {

// The state of a network after some flips: the counters of all layers. For neurons, agreeing inputs minus
// threshold (the bit is 1 if that is 0 or more); for scores, agreeing inputs.
using FlipState = std::vector<std::int16_t>;

// How well a question's property holds; below 0: it does not.
using Margin = std::int64_t;

// A network laid out for flips of single inputs: a changed bit adds its column to the counters of the next
// layer, and only bits that change as a result are propagated. Immutable; threads may share one, each with
// its own scratch.
class FlipNetwork {
 public:
  // Counters have 16 bits.
  static bool is_possible(const Network& network);

  // Keeps a reference to the question. Requires is_possible.
  explicit FlipNetwork(const FlipQuestion& question, InstructionSet set = best_instruction_set());

  class Scratch {
   private:
    friend class FlipNetwork;
    std::vector<std::uint32_t> changed_;
    std::vector<const std::int16_t*> columns_;
  };
  Scratch scratch() const;

  std::size_t state_size() const { return state_size_; }
  const FlipState& start() const { return start_; }  // no flips
  Margin start_margin() const { return start_margin_; }

  struct Layer {
    std::size_t width = 0;              // neurons, rounded up to whole blocks
    std::vector<std::int16_t> columns;  // [2 * input + its new bit][width]
    const std::int16_t* column(std::uint32_t code) const { return columns.data() + code * width; }
  };
  std::span<const Layer> layers() const { return layers_; }  // the last one is the scores
  const FlipQuestion& question() const { return question_; }

  // Flips input `input`, which becomes `bit`, from one state to another (which may be the same), both of
  // state_size() counters. Returns the new margin, given the old one.
  Margin flip(std::uint32_t input, bool bit, const std::int16_t* from, Margin margin, std::int16_t* to,
              Scratch& scratch) const;

  // The same for a neuron of the first layer, regardless of its inputs; states begin with the layer above it,
  // after first_width() counters. Requires a layer of neurons.
  Margin flip_neuron(std::uint32_t neuron, bool bit, const std::int16_t* from, Margin margin,
                     std::int16_t* to, Scratch& scratch) const;
  std::size_t first_width() const { return layers_.front().width; }

 private:
  // `code` changes below these layers.
  Margin change(std::span<const Layer> layers, std::uint32_t code, const std::int16_t* from, Margin margin,
                std::int16_t* to, Scratch& scratch) const;
  Margin margin(const std::int16_t* agreeing) const;

  const FlipQuestion& question_;
  const ColumnKernels& kernels_;
  std::vector<Layer> layers_;  // the last one is the scores
  std::size_t state_size_ = 0, widest_ = 0;
  FlipState start_;
  Margin start_margin_ = 0;
};

}  // namespace bnnplan::verification
