#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

// How often a network is wrong on some samples.
struct Errors {
  std::uint64_t samples = 0;
  std::uint64_t wrong_transitions = 0;  // samples with at least one wrong bit
  std::uint64_t bits = 0;               // samples * outputs
  std::uint64_t wrong_bits = 0;

  double transition_rate() const { return ratio(wrong_transitions, samples); }
  double bit_rate() const { return ratio(wrong_bits, bits); }

 private:
  static double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  }
};

// Uses the planner's own packed inference. Requires a network with the inputs and outputs of the data, in
// that order.
Errors evaluate(const Network& network, const DataSet& data, const SampleSet& samples);

// Calls visit(i, outputs) for every index i into part.rows, in order, with the network's packed outputs for
// that row.
void for_each_answer(const Network& network, const DataSet& data, const SampleSet& part,
                     const std::function<void(std::size_t, const std::uint64_t*)>& visit);

// How often each output is wrong, in samples.
std::vector<std::uint64_t> wrong_by_output(const Network& network, const DataSet& data,
                                           const SampleSet& part);

// The number of non-zero weights.
std::uint64_t weight_count(const Network& network);

// The share of non-zero weights.
double density(const Network& network);

}  // namespace bnnplan::learning
