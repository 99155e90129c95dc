#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/network/column_kernels.hpp"
#include "bnnplan/verify/flip_network.hpp"

namespace bnnplan::verification {

// One bit for each of 256 candidates.
inline constexpr std::size_t lanes = 256;
struct alignas(32) LaneBits {
  std::array<std::uint64_t, lanes / 64> words = {};
};

// Lanes that count if a change has no effect (none), raises (those that change), or lowers (those that do
// not).
using LaneParts = std::array<LaneBits, 3>;

// 256 candidates at once, each with its own changes in the first layer. One object per thread.
class LaneNetwork {
 public:
  // Keeps a reference to the network, which must have a layer of neurons.
  explicit LaneNetwork(const FlipNetwork& network, InstructionSet set = best_instruction_set());

  // A neuron of the first layer that changes in some of the candidates.
  struct Change {
    std::uint32_t code = 0;  // 2 * neuron + its new bit
    LaneBits in;
  };

  // `state` begins with the layer above the first and is that of a candidate without any change. Sets `holds`
  // to the candidates for which the question's property holds; false if there are none.
  bool evaluate(const std::int16_t* state, std::span<const Change> changes, LaneBits& holds);

 private:
  struct Layer {
    std::size_t width = 0, codes = 0;
    std::vector<std::int16_t> up;  // [code][width]: the columns of FlipNetwork where above 0
    // [neuron][code]: 0: a change leaves its counter, 1: raises it, 2: lowers it
    std::vector<std::uint8_t> moves;
  };
  void take_layer(const Layer& layer, const std::int16_t* counters);
  bool take_condition(std::size_t condition, std::int64_t slack, LaneBits& holds) const;

  const FlipNetwork& network_;
  const ColumnKernels& kernels_;
  void (*count_changes_)(std::span<const std::uint32_t> codes, const LaneParts* parts,
                         const std::uint8_t* moves, std::int32_t counter, LaneBits& changes);
  std::vector<Layer> layers_;  // between the first layer and the scores
  // [condition][code of the last neurons]: by how many units the slack grows.
  std::vector<std::int64_t> gains_;
  std::vector<std::int64_t> units_;  // by condition
  std::size_t last_codes_ = 0;
  std::vector<std::uint32_t> codes_, uncertain_;  // what changes in some lanes, and what may change next
  std::vector<LaneParts> parts_, next_;
  std::vector<const std::int16_t*> up_, down_;
  std::vector<LaneBits> nodes_;  // of the property
};

}  // namespace bnnplan::verification
