#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// A network over all actions and state bits that leaves the given state bits unchanged: the assumption before
// anything is known. Requires at least one bit.
Network staying_network(const Problem& variables, const std::vector<std::uint32_t>& state_bits);

// Gives the problem such a network for all bits without a known transition. Throws InputError if it has a
// network, and if nothing is open.
void leave_open(Problem& problem);

}  // namespace bnnplan
