#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/network.hpp"

namespace bnnplan {

// Networks made of networks, so that questions about two of them are questions about one.

// Both networks beside each other, as bits see them: input `places[j]` of the result is input j of `second`, those of
// `first` are the first ones. Neurons of the second that are the same as one of the first, or its opposite, are not there
// twice; nor are constant ones. The scores are those of the first, then those of the second that are none of the first at
// the same place. Numbers are left out. The names are not all different; it is for computing only. Requires classifiers.
struct JointNetwork {
  Network network;
  std::vector<std::uint32_t> second_scores;  // where the scores of the second are
};
JointNetwork beside(const Network& first, const Network& second, const std::vector<std::uint32_t>& places,
                    std::size_t inputs);

// The same network where the bit of an input is always this one; the input is not looked at any more.
Network with_fixed_bit(Network network, std::size_t input, bool bit);

// A network whose outputs are bits, as a classifier with these as its scores, 0 and 1; a classifier as it is.
Network with_scores(Network network);

}  // namespace bnnplan
