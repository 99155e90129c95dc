#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// A problem over some of the bits of another, such that every plan of the other, restricted to these bits, is
// a plan of this one: every row holds as far as the bits left out allow. Its costs are a part of the other's;
// each term of the other's objective is in at most one projection.
struct Projection {
  Problem problem;                   // all bits are Boolean variables; every initial state is allowed
  std::vector<std::uint32_t> state;  // by state bit of the projection: its bit in the whole problem
};

// Parts of the state that depend only on themselves and the actions, if they are small and have costs: each
// of several computers, items or agents by itself. Empty if there are none.
std::vector<Projection> find_projections(const Problem& problem);

}  // namespace bnnplan::engines
