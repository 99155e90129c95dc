// Search in a problem with interchangeable blocks, and why it is sound.
//
// Let P be the permutations of the blocks of all groups. Each p maps steps to steps of the same cost, and
// goal states to goal states (symmetry.cpp), so that for V(k, s), the least cost of k steps from s to a goal,
//
//   V(k, p s) = V(k, s)                                                                                   (1)
//
// So whenever the search reaches a state, it may continue from any image of it under some p; it takes the one
// with the blocks in ascending order, and by (1) all costs to go are unchanged. Actions and states cost the
// same as their images p a and p s, and the constraints and the goal treat them alike.
//
//   Estimates bound V from below at the canonical state, and by (1) at all states that it represents. They
//   may be smaller there than at the original state, so they are no longer consistent if they do not treat
//   all blocks alike. Best-first search does not rely on that: a node that is reached more cheaply later is
//   expanded again, and keys never fall.
//
//   Waiting: a step of extra cost 0 from a canonical state to a state that it represents can be repeated,
//   each time from the state the last one led to. Again (1) says that nothing else changes.
//
//   Last steps use states like any other code: they are canonical as soon as they are computed.
//
//   Actions. If p s = s, then a and p a lead from s to states that are images of each other, at the same
//   cost. So if two adjacent blocks are equal in the state, it is enough to consider actions that have them
//   in ascending order: of all p a with p s = s, the one that is least as a sequence of blocks suffices,
//   since in a canonical state equal blocks are adjacent.
//
//   Refused prefixes are about single actions and states, so (1) does not hold: symmetry is not used then.
//
// The initial state need not be symmetric, and a plan has to begin in it. RealPath (real_path.cpp) follows
// the canonical states of a plan and works out the real ones.
//
// Cost: two moves of bits for each field of a block if the blocks are out of order, and one if not.
#include "bnnplan/engines/search/canonical_state.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bnnplan::engines {

namespace {

constexpr unsigned most_neighbours = 64;

}  // namespace

CanonicalStates::CanonicalStates(const PackedProblem& problem, std::vector<BlockGroup> groups)
    : groups_(std::move(groups)) {
  for (const BlockGroup& group : groups_) {
    std::vector<std::vector<std::uint32_t>> state, action;
    for (const BlockGroup::Block& block : group.blocks) {
      state.push_back(block.state);
      action.push_back(block.action);
    }
    state_.push_back(make_layout(state, problem.state_words));
    action_.push_back(make_layout(action, problem.action_words));
  }
}

CanonicalStates::Layout CanonicalStates::make_layout(const std::vector<std::vector<std::uint32_t>>& blocks,
                                                     std::size_t words) {
  Layout layout;
  layout.width = words_for(blocks[0].size());
  layout.mask.assign(words, 0);
  for (const std::vector<std::uint32_t>& block : blocks) {
    BitWiring& gather = layout.gather.emplace_back();
    BitWiring& scatter = layout.scatter.emplace_back();
    for (std::uint32_t i = 0; i < block.size(); ++i) {
      gather.add(block[i], i);
      scatter.add(i, block[i]);
      set_bit(layout.mask.data(), block[i]);
    }
  }
  return layout;
}

void CanonicalStates::gather(const Layout& layout, const std::uint64_t* words, Words& numbers) {
  numbers.assign(layout.gather.size() * layout.width, 0);
  for (std::size_t i = 0; i < layout.gather.size(); ++i) {
    layout.gather[i].apply(words, numbers.data() + i * layout.width);
  }
}

void CanonicalStates::make_canonical(std::uint64_t* state, Words& scratch, Order* order) const {
  if (order != nullptr) order->clear();
  for (const Layout& layout : state_) {
    const std::size_t width = layout.width, blocks = layout.gather.size();
    gather(layout, state, scratch);
    if (order != nullptr) {
      order->emplace_back(blocks);
      std::iota(order->back().begin(), order->back().end(), 0);
    }
    // Insertion sort: blocks are few, and in order except for what the last step has changed.
    bool changed = false;
    for (std::size_t i = 1; i < blocks; ++i) {
      for (std::size_t j = i; j > 0; --j) {
        std::uint64_t* above = scratch.data() + (j - 1) * width;
        std::uint64_t* below = above + width;
        if (!std::lexicographical_compare(below, below + width, above, below)) break;
        std::swap_ranges(above, below, below);
        if (order != nullptr) std::swap(order->back()[j - 1], order->back()[j]);
        changed = true;
      }
    }
    if (!changed) continue;
    for (std::size_t i = 0; i < layout.mask.size(); ++i) state[i] &= ~layout.mask[i];
    for (std::size_t i = 0; i < blocks; ++i) layout.scatter[i].apply(scratch.data() + i * width, state);
  }
}

template <class Compare>
std::uint64_t CanonicalStates::compare_neighbours(const std::vector<Layout>& layouts,
                                                  const std::uint64_t* words, Words& scratch,
                                                  Compare compare) {
  std::uint64_t result = 0;
  unsigned position = 0;
  for (const Layout& layout : layouts) {
    gather(layout, words, scratch);
    for (std::size_t i = 1; i < layout.gather.size() && position < most_neighbours; ++i, ++position) {
      const std::uint64_t* first = scratch.data() + (i - 1) * layout.width;
      if (compare(first, first + layout.width, layout.width)) result |= std::uint64_t{1} << position;
    }
  }
  return result;
}

std::uint64_t CanonicalStates::equal_blocks(const std::uint64_t* state, Words& scratch) const {
  return compare_neighbours(state_, state, scratch,
                            [](const std::uint64_t* first, const std::uint64_t* second, std::size_t width) {
                              return std::equal(first, first + width, second);
                            });
}

std::uint64_t CanonicalStates::descending_blocks(const std::uint64_t* action, Words& scratch) const {
  return compare_neighbours(action_, action, scratch,
                            [](const std::uint64_t* first, const std::uint64_t* second, std::size_t width) {
                              return std::lexicographical_compare(second, second + width, first,
                                                                  first + width);
                            });
}

}  // namespace bnnplan::engines
