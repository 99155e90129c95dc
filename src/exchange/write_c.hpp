#pragma once

#include <string>
#include <string_view>

#include "network/network.hpp"

namespace bnnplan {

// A network as one file of C (C99, no library but the headers <stddef.h> and <stdint.h>, no memory but the stack):
//
//   int  NAME_class(inputs)               of a classifier: the number of the class, from 0
//   void NAME_evaluate(inputs, outputs)   of any other: NAME_OUTPUTS bytes that are 0 or 1
//
// inputs are NAME_INPUTS bytes, 0 or not, or doubles if the network takes numbers. Requires is_c_name(name).
std::string c_text(const Network& network, std::string_view name);

bool is_c_name(std::string_view name);

// The nearest to a text that is such a name: "my-net.v2" is my_net_v2.
std::string c_name_of(std::string_view text);

}  // namespace bnnplan
