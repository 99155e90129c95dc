#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/search/packed_bits.hpp"
#include "bnnplan/engines/search/refused_trie.hpp"
#include "bnnplan/network/packed_inference.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// A sum of coefficient * bit over packed bits. Bits of equal coefficient are counted together.
class PackedSum {
 public:
  PackedSum() = default;
  explicit PackedSum(std::span<const Term> terms);

  // The pointers of places without terms may be null.
  std::int64_t evaluate(const std::uint64_t* action, const std::uint64_t* state,
                        const std::uint64_t* next) const;
  bool empty() const { return action_.empty() && state_.empty() && next_.empty(); }

 private:
  struct Group {
    std::int64_t coefficient;
    std::uint64_t mask;
    std::size_t word;
  };
  std::vector<Group> action_, state_, next_;
};

struct PackedConstraint {
  PackedSum sum;
  Comparison comparison;
  std::int64_t bound;

  bool holds(const std::uint64_t* action, const std::uint64_t* state) const {
    return compare(sum.evaluate(action, state, nullptr), comparison, bound);
  }
};

// Constraints over a state. Those that fix one bit, which most do, are compared a word at a time.
class StateConditions {
 public:
  void add(const LinearConstraint& constraint);
  bool hold(const std::uint64_t* state) const;

 private:
  struct Word {
    std::size_t index;
    std::uint64_t mask, value;
  };
  std::vector<Word> words_;
  std::vector<PackedConstraint> others_;
};

// A constraint of a step with bits that neither the state, the action nor the network determines.
struct OpenConstraint {
  PackedSum known;         // over action, state and learned next bits
  std::vector<Term> open;  // over auxiliary and other next bits
  Comparison comparison;
  std::int64_t bound;
};

// Copies bits to other places: to |= rotate(from) & mask, word by word.
class BitWiring {
 public:
  void add(std::uint32_t from, std::uint32_t to);
  void apply(const std::uint64_t* from, std::uint64_t* to) const {
    for (const Move& move : moves_) to[move.to] |= std::rotl(from[move.from], move.rotation) & move.mask;
  }

 private:
  struct Move {
    std::size_t from, to;
    int rotation;
    std::uint64_t mask;  // of the destination
  };
  std::vector<Move> moves_;
};

// A problem laid out for search, its constraints sorted by when they can be decided. Keeps a reference.
struct PackedProblem {
  explicit PackedProblem(const Problem& problem);

  // Whether state and action determine the whole step: the next state is the network's output.
  bool says_all() const {
    return open_constraints.empty() && unlearned.empty() && problem.auxiliary.bit_count() == 0;
  }

  const Problem& problem;
  // With refused prefixes, a search state consists of the problem's state and the path's position in their
  // trie: the trie node is the last of its words. Once the path has left the trie the node is 0, as if there
  // were no prefixes.
  RefusedTrie refused;
  std::size_t state_words, action_words;  // at least 1
  // Constraints over the action only are not here: ActionTable has no action that violates one.
  StateConditions state_constraints;                // over the state only (or over nothing)
  std::vector<PackedConstraint> joint_constraints;  // over state and action
  std::vector<OpenConstraint> open_constraints;     // with auxiliary or next-state bits
  StateConditions goal;
  std::vector<std::uint32_t> unlearned;  // next-state bits that are not network outputs

  std::optional<PackedNetwork> network;
  BitWiring state_to_input, action_to_input, output_to_next;

  PackedSum action_cost;             // places as in the objective
  PackedSum next_cost;               // takes a state as its `next`
  std::int64_t least_next_cost = 0;  // no state costs less
};

bool all_hold(std::span<const PackedConstraint> constraints, const std::uint64_t* action,
              const std::uint64_t* state);

}  // namespace bnnplan::engines
