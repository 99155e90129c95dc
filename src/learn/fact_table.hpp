#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/learn/data_set.hpp"

namespace bnnplan::learning {

// A part of a data set as columns of bits. There is one fact per distinct input, which states its next state.
// If lines with the same inputs contradict each other, the more frequent value of each output counts (0 if
// both are equally frequent).
struct FactTable {
  std::size_t facts = 0;
  std::size_t words = 0;  // of a column
  // [input][word]; bit f % 64 of word f / 64 is that of fact f.
  std::vector<std::vector<std::uint64_t>> inputs;
  std::vector<std::vector<std::uint64_t>> outputs;  // [output][word]
  std::vector<std::uint32_t> rows;  // a distinct row of the data set that has the inputs of the fact

  bool input(std::size_t i, std::size_t fact) const {
    return ((inputs[i][fact / 64] >> (fact % 64)) & 1u) != 0;
  }
};

FactTable make_fact_table(const DataSet& data, const SampleSet& part);

}  // namespace bnnplan::learning
