#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.hpp"

namespace bnnplan {

// A problem over some of the bits of another, such that every plan of the other is, restricted to these bits,
// one of this: every row holds as far as the bits that are left out allow. Its costs are a part of the
// other's; each term of the other's objective is in one projection at most.
struct Projection {
  Problem problem;                   // all bits are Boolean variables; every initial state is allowed
  std::vector<std::uint32_t> state;  // the state bit of the whole problem that each of its state bits is
};

// Parts of the state that follow from themselves and the actions alone, as far as they are small and cost
// something: each of several computers, items or agents by itself. Empty where there are none.
std::vector<Projection> find_projections(const Problem& problem);

}  // namespace bnnplan
