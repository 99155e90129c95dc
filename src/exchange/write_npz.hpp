#pragma once

#include <string>

#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// A network as an archive of NumPy arrays (the bytes of a file), with the names that npz_network reads:
// weights as int8, thresholds as int32, and numbers as doubles, or as text (such as 1/255) if one of the
// array is not a double.
std::string npz_text(const Network& network);

}  // namespace bnnplan::exchange
