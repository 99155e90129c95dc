#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "base/stopwatch.hpp"
#include "learn/data_set.hpp"
#include "network/network.hpp"

namespace bnnplan {

struct CoverOptions {
  bool few_inputs = false;  // conditions only over inputs that are needed to tell the facts apart
  bool only_ones = false;   // never the negation: an output is 0 wherever nothing speaks for 1
  // Inputs from here on say which thing a fact is about: they are for exceptions. Used only where those before do not tell facts
  // apart, and only negated: not this thing.
  std::size_t first_exception = ~std::size_t{0};
  std::size_t most_conditions = 4096;
  unsigned threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  std::optional<double> seconds;
};

// A network with one hidden layer that is right on every fact of the part (and so on every transition, unless lines contradict
// each other): a hidden neuron is a conjunction of inputs, an output neuron a disjunction of them, or its negation where that
// needs fewer. None if it would take more conditions than allowed, or if it is stopped before it is done. The same for any
// number of threads. Requires that the part is not empty.
std::optional<Network> cover(const DataSet& data, const SampleSet& part, const CoverOptions& options = {});

}  // namespace bnnplan
