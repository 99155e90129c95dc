// Finding interchangeable parts. A symmetry of a problem is a permutation of its bits that maps steps to
// steps of the same cost, and goals to goals: what SymmetryCheck accepts. Symmetries form a group, so if
// exchanging block 1 with block i is one for every i, every permutation of the blocks is: these exchanges
// generate all.
//
// Colours tell where to look (ColourRefinement): bit a can only go to a bit of its colour, and for each of
// these, b, the colours propose an exchange, which mostly moves what is connected with a and b and nothing
// else. Those that pass the check and are their own inverse are combined into blocks. With S(i) the bits that
// exchange i moves, block 1 is what any two S(i) have in common, and block i is its image. If there is only
// one exchange, any choice of one bit from each pair that it swaps is a block: a reflection of a whole
// problem, for example, has two blocks.
//
// The bits of the blocks found are given colours of their own, and the search continues: groups have no bit
// in common. So a symmetry inside interchangeable blocks is not used in addition to that of the blocks.
//
// How the search uses it, and why that is sound: canonical_state.cpp.
#include "bnnplan/engines/search/symmetry.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "bnnplan/engines/search/colour_refinement.hpp"
#include "bnnplan/engines/search/symmetry_check.hpp"

namespace bnnplan::engines {

namespace {

// Terms and weights processed in total: some milliseconds. Giving up only loses time in the search.
constexpr std::uint64_t most_work = 8'000'000;

std::vector<std::uint32_t> moved_by(const BitPermutation& permutation) {
  std::vector<std::uint32_t> moved;
  for (std::uint32_t i = 0; i < permutation.size(); ++i) {
    if (permutation[i] != i) moved.push_back(i);
  }
  return moved;
}

bool is_own_inverse(const BitPermutation& permutation) {
  for (std::uint32_t i = 0; i < permutation.size(); ++i) {
    if (permutation[permutation[i]] != i) return false;
  }
  return true;
}

using Bits = std::vector<std::uint32_t>;

Bits image(const Bits& bits, const BitPermutation& permutation) {
  Bits result;
  for (const std::uint32_t bit : bits) result.push_back(permutation[bit]);
  return result;
}

// Blocks, as bits in corresponding order, that the exchanges (all of the same bit with others) permute in any
// way. Exchanges that do not fit are left out.
std::vector<Bits> make_blocks(std::vector<BitPermutation> exchanges) {
  std::stable_sort(exchanges.begin(), exchanges.end(), [](const BitPermutation& a, const BitPermutation& b) {
    return moved_by(a).size() < moved_by(b).size();
  });
  const Bits seed = moved_by(exchanges[0]);
  std::vector<Bits> blocks;
  std::vector<bool> taken(exchanges[0].size(), false);
  const auto add = [&](const Bits& block) {
    for (const std::uint32_t bit : block) taken[bit] = true;
    blocks.push_back(block);
  };
  for (std::size_t i = 1; i < exchanges.size(); ++i) {
    const Bits moved = moved_by(exchanges[i]);
    if (moved.size() != seed.size()) continue;
    Bits common;
    std::set_intersection(moved.begin(), moved.end(), seed.begin(), seed.end(), std::back_inserter(common));
    if (2 * common.size() != seed.size()) continue;
    if (blocks.empty()) {
      const Bits second = image(common, exchanges[0]);
      if (std::any_of(second.begin(), second.end(), [&](std::uint32_t bit) {
            return std::binary_search(common.begin(), common.end(), bit);
          })) {
        continue;
      }
      add(common);
      add(second);
    }
    const Bits block = image(common, exchanges[i]);
    if (common == blocks[0] &&
        std::none_of(block.begin(), block.end(), [&](std::uint32_t bit) { return taken[bit]; })) {
      add(block);
    }
  }
  if (!blocks.empty()) return blocks;
  Bits first;
  for (const std::uint32_t bit : seed) {
    if (bit < exchanges[0][bit]) first.push_back(bit);
  }
  return {first, image(first, exchanges[0])};
}

BlockGroup make_group(const std::vector<Bits>& blocks, const StepBits& bits) {
  BlockGroup group;
  for (const Bits& block : blocks) {
    BlockGroup::Block& made = group.blocks.emplace_back();
    for (const std::uint32_t bit : block) {
      if (bit < bits.first_state) {
        made.action.push_back(bit);
      } else if (bit < bits.first_auxiliary) {
        made.state.push_back(bit - bits.first_state);
      } else {
        made.auxiliary.push_back(bit - bits.first_auxiliary);
      }
    }
  }
  return group;
}

}  // namespace

std::vector<BlockGroup> find_symmetry(const Problem& problem) {
  std::vector<BlockGroup> groups;
  if (!problem.refused.empty()) return groups;
  ColourRefinement refinement(problem);
  auto colours = refinement.colours();
  if (!colours) return groups;
  const SymmetryCheck check(problem);
  const StepBits bits(problem);
  std::vector<bool> in_block(bits.count, false);
  const auto moves_a_block = [&](const BitPermutation& permutation) {
    const Bits moved = moved_by(permutation);
    return std::any_of(moved.begin(), moved.end(), [&](std::uint32_t bit) { return in_block[bit]; });
  };
  for (std::uint32_t first = 0; first < bits.count; ++first) {
    if (in_block[first]) continue;
    std::vector<BitPermutation> exchanges;
    for (std::uint32_t other = first + 1; other < bits.count && refinement.work() < most_work; ++other) {
      if (in_block[other] || (*colours)[other] != (*colours)[first]) continue;
      auto exchange = refinement.exchange(*colours, first, other);
      if (exchange && is_own_inverse(*exchange) && !moves_a_block(*exchange) &&
          check.is_symmetry(*exchange)) {
        exchanges.push_back(std::move(*exchange));
      }
    }
    if (exchanges.empty()) continue;
    const std::vector<Bits> blocks = make_blocks(std::move(exchanges));
    for (const Bits& block : blocks) {
      for (const std::uint32_t bit : block) {
        in_block[bit] = true;
        (*colours)[bit] ^= 0x9e3779b97f4a7c15 * (bit + 1);  // its own
      }
    }
    refinement.refine(*colours);
    const BlockGroup& group = groups.emplace_back(make_group(blocks, bits));
    if (group.blocks[0].action.empty() && group.blocks[0].state.empty()) groups.pop_back();
  }
  return groups;
}

}  // namespace bnnplan::engines
