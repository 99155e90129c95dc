#pragma once

#include <string>
#include <string_view>

#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// A network as one C file (C99, no library except the headers <stddef.h> and <stdint.h>, no memory except the
// stack):
//
//   int  NAME_class(inputs)               for a classifier: the number of the class, from 0
//   void NAME_evaluate(inputs, outputs)   for any other: NAME_OUTPUTS bytes that are 0 or 1
//
// inputs are NAME_INPUTS bytes, 0 or not, or doubles if the network takes numbers. Requires is_c_name(name).
std::string c_text(const Network& network, std::string_view name);

bool is_c_name(std::string_view name);

// The nearest valid name to a text: "my-net.v2" becomes my_net_v2.
std::string c_name_of(std::string_view text);

}  // namespace bnnplan::exchange
