#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::discovery {

// What was seen in a world: the state after each pair of a state and an action that was asked. Two pairs are
// the same if the inputs of the network are.
class WorldFacts {
 public:
  explicit WorldFacts(const Problem& problem);

  // Facts are numbered in the order in which they were added.
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t find(const BitValues& state, const BitValues& action) const;
  std::size_t add(BitValues state, BitValues action, BitValues next);  // requires that the pair is new

  struct Fact {
    BitValues state, action, next;  // next: all state bits
  };
  const Fact& operator[](std::size_t index) const { return facts_[index]; }
  std::size_t size() const { return facts_.size(); }

  // With the inputs and outputs of the problem's network, in their order.
  learning::DataSet data() const;

 private:
  std::string key(const BitValues& state, const BitValues& action) const;

  std::vector<std::string> input_names_, output_names_;
  std::vector<Bit> inputs_;
  std::vector<std::uint32_t> outputs_;
  std::vector<Fact> facts_;
  std::unordered_map<std::string, std::size_t> index_;
};

// Transitions as comma-separated values with a header, as `learn` reads them.
std::string data_text(const learning::DataSet& data);

}  // namespace bnnplan::discovery
