#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/network/network.hpp"

namespace bnnplan::verification {

// Networks made of networks, so that questions about two of them are questions about one.

// Both networks side by side, in terms of bits: input `places[j]` of the result is input j of `second`, those
// of `first` come first. Neurons of the second that equal one of the first, or its opposite, are shared;
// constant ones are left out. The scores are those of the first, then those of the second that differ from
// the first's at the same place. Numbers are left out. The names are not unique; it is for computing only.
// Requires classifiers.
struct JointNetwork {
  Network network;
  std::vector<std::uint32_t> second_scores;  // the positions of the second network's scores
};
JointNetwork beside(const Network& first, const Network& second, const std::vector<std::uint32_t>& places,
                    std::size_t inputs);

// The same network with the bit of an input fixed; the input is no longer read.
Network with_fixed_bit(Network network, std::size_t input, bool bit);

// A network whose outputs are bits, as a classifier with these as its scores, 0 and 1; a classifier
// unchanged.
Network with_scores(Network network);

}  // namespace bnnplan::verification
