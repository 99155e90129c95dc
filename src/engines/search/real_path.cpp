// Undoing symmetry. The search knows canonical states r(t), and for each step an action a(t) that leads from
// r(t) to some state x whose canonical form is r(t+1). The real state s(t) has the same blocks as r(t) in a
// different order, r(t) = p(t) s(t). So the real action is a(t) with its blocks put back by p(t), the real
// next state is x put back in the same way, and p(t+1) is p(t) followed by what made x canonical. Which x it
// was is not stored: it is recomputed from r(t) and a(t).
//
// The first p: r(0) comes from an initial state, which may have free bits. Each block of r(0) must be
// assigned to one whose known initial bits it agrees with: a matching, group by group. There is one, and
// since symmetries preserve constraints, any will do.
#include "bnnplan/engines/search/real_path.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace bnnplan::engines {

namespace {

constexpr std::uint32_t no_block = 0xffffffff;

}  // namespace

RealPath::RealPath(const PackedProblem& problem, const CanonicalStates& symmetry, const std::uint64_t* first)
    : problem_(problem), symmetry_(symmetry) {
  find_initial_owners(first);
  state_ = real_bits(first, problem.state_words, true);
}

void RealPath::find_initial_owners(const std::uint64_t* first) {
  const BitValues& initial = problem_.problem.initial;
  for (const BlockGroup& group : symmetry_.groups()) {
    const auto count = static_cast<std::uint32_t>(group.blocks.size());
    const auto fits = [&](std::uint32_t block, std::uint32_t real) {
      const auto &from = group.blocks[block].state, &to = group.blocks[real].state;
      for (std::size_t i = 0; i < from.size(); ++i) {
        const BitValue known = initial[to[i]];
        if (known != unknown_bit && (known == 1) != bit_of(first, from[i])) return false;
      }
      return true;
    };
    // Kuhn's algorithm: a block takes a real one from another block if that one can find a different one.
    std::vector<std::uint32_t> block_of(count, no_block);
    std::vector<bool> asked;
    const std::function<bool(std::uint32_t)> place = [&](std::uint32_t block) {
      for (std::uint32_t real = 0; real < count; ++real) {
        if (asked[real] || !fits(block, real)) continue;
        asked[real] = true;
        if (block_of[real] != no_block && !place(block_of[real])) continue;
        block_of[real] = block;
        return true;
      }
      return false;
    };
    for (std::uint32_t block = 0; block < count; ++block) {
      asked.assign(count, false);
      if (!place(block)) throw std::logic_error("the canonical state of no initial state");
    }
    std::vector<std::uint32_t>& owner = owner_.emplace_back(count);
    for (std::uint32_t real = 0; real < count; ++real) owner[block_of[real]] = real;
  }
}

void RealPath::follow(StepSolver& steps, const std::uint64_t* state, const std::uint64_t* action,
                      const std::uint64_t* next) {
  action_ = real_bits(action, problem_.action_words, false);
  if (symmetry_.empty()) {
    state_.assign(next, next + problem_.state_words);
    return;
  }
  Words reached = successor(steps, state, action, next), scratch;
  state_ = real_bits(reached.data(), problem_.state_words, true);
  CanonicalStates::Order order;
  symmetry_.make_canonical(reached.data(), scratch, &order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t& block : order[i]) block = owner_[i][block];
  }
  owner_ = std::move(order);
}

// A state that the action leads to and whose canonical form is `next`.
Words RealPath::successor(StepSolver& steps, const std::uint64_t* state, const std::uint64_t* action,
                          const std::uint64_t* next) {
  const std::size_t words = problem_.state_words;
  Words learned(words, 0), found, scratch;
  if (problem_.network) {
    Words inputs(problem_.network->input_words(), 0), outputs(problem_.network->output_words(), 0);
    problem_.state_to_input.apply(state, inputs.data());
    problem_.action_to_input.apply(action, inputs.data());
    Workspace workspace;
    problem_.network->evaluate(inputs.data(), 1, outputs.data(), workspace);
    problem_.output_to_next.apply(outputs.data(), learned.data());
  }
  if (steps.trivial()) {
    found = learned;
  } else {
    steps.append_successors(state, action, learned.data(), found);
  }
  for (std::size_t at = 0; at < found.size(); at += words) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(at);
    Words reached(begin, begin + static_cast<std::ptrdiff_t>(words)), canonical = reached;
    symmetry_.make_canonical(canonical.data(), scratch);
    if (std::equal(canonical.begin(), canonical.end(), next)) return reached;
  }
  throw std::logic_error("no step between two states of a plan");
}

// The bits of a canonical state or its action, with every block in its real place.
Words RealPath::real_bits(const std::uint64_t* words, std::size_t count, bool of_state) const {
  Words real(words, words + count);
  for (std::size_t g = 0; g < owner_.size(); ++g) {
    const std::vector<BlockGroup::Block>& blocks = symmetry_.groups()[g].blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const BlockGroup::Block& to_block = blocks[owner_[g][i]];
      const auto& from = of_state ? blocks[i].state : blocks[i].action;
      const auto& to = of_state ? to_block.state : to_block.action;
      for (std::size_t bit = 0; bit < from.size(); ++bit) {
        const std::uint64_t mask = std::uint64_t{1} << (to[bit] % 64);
        real[to[bit] / 64] &= ~mask;
        if (bit_of(words, from[bit])) set_bit(real.data(), to[bit]);
      }
    }
  }
  return real;
}

}  // namespace bnnplan::engines
