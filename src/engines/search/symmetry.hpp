#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Parts of a problem that can be exchanged for each other in any way: bit i of one block becomes bit i of
// another.
struct BlockGroup {
  struct Block {
    std::vector<std::uint32_t> action, state, auxiliary;  // indices of bits; the same number in every block
  };
  std::vector<Block> blocks;  // at least two
};

// Groups of interchangeable blocks, no bit in two of them: every permutation of the blocks of a group is a
// symmetry of the problem, which was proved (SymmetryCheck). Empty if prefixes are refused.
std::vector<BlockGroup> find_symmetry(const Problem& problem);

}  // namespace bnnplan::engines
