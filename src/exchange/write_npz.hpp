#pragma once

#include <string>

#include "network/network.hpp"

namespace bnnplan {

// A network as an archive of NumPy arrays (the bytes of a file), by the names that npz_network reads: weights as int8,
// thresholds as int32, and numbers as doubles, or as text (such as 1/255) where one of an array is no double.
std::string npz_text(const Network& network);

}  // namespace bnnplan
