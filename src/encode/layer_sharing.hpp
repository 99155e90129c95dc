#pragma once

#include <array>
#include <span>
#include <vector>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/encode/sorting.hpp"

namespace bnnplan::encoding {

// A sorted block, or the same with all its literals negated.
struct BlockUse {
  int block = 0;
  bool negated = false;
};

// A set of literals that is sorted once for all its users: as the merge of two smaller blocks, or directly
// from its literals if `parts` is empty.
struct SharedBlock {
  std::vector<Lit> literals;
  std::vector<BlockUse> parts;
};

// Every neuron of the layer is the union of two blocks. Parts precede the blocks they are parts of.
struct LayerSharing {
  std::vector<SharedBlock> blocks;
  std::vector<std::array<BlockUse, 2>> neurons;
};

// The best way to build the neurons of a layer from blocks, by the given prices. Requires for each neuron n
// >= 2 and 1 <= threshold <= n. The neurons need not read the same inputs.
LayerSharing plan_layer_sharing(std::span<const ReifiedAtLeast> neurons, SortingPrices& prices);

// Writes all neurons of a layer, with both implications, built as planned. Propagation complete for each
// neuron. Requires the neurons and the prices that the plan was made with, and prices for both implications.
void write_shared_layer(std::span<const ReifiedAtLeast> neurons, const LayerSharing& sharing,
                        SortingPrices& prices, ClauseSink& sink);

}  // namespace bnnplan::encoding
