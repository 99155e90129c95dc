#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/network/network.hpp"
#include "bnnplan/query/linear_query.hpp"

namespace bnnplan::verification {

// A query in VNN-LIB, 1.0 (X_0, Y_0, ...) or 2.0 (tensors of a network), whose conditions are linear: sat if
// there is an input with these properties. Inputs are real numbers, even if the network allows only some;
// bits are 0 or 1. Outputs are the scores.
struct VnnLibQuery {
  LinearQuery query;
  std::vector<std::string> input_names, output_names;  // as the file names them, by number
};

// Throws InputError with the line, also for valid features that are not supported: several networks, hidden
// nodes, products.
VnnLibQuery parse_vnnlib(std::string_view text, const std::string& file, const Network& network);

}  // namespace bnnplan::verification
