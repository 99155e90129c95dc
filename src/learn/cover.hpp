#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

struct CoverOptions {
  bool few_inputs = false;  // conditions only over inputs that are needed to distinguish the facts
  bool only_ones = false;   // never the negation: an output is 0 unless something implies 1
  // Inputs from here on say which thing a fact is about; they are for exceptions. They are used only if the
  // earlier inputs do not distinguish the facts, and only negated: not this thing.
  std::size_t first_exception = ~std::size_t{0};
  std::size_t most_conditions = 4096;
  unsigned threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  std::optional<double> seconds;
};

// A network with one hidden layer that is right on every fact of the part (and so on every transition, unless
// lines contradict each other): a hidden neuron is a conjunction of inputs, an output neuron a disjunction of
// these, or its negation if that needs fewer. Empty if it would take more conditions than allowed, or if it
// is stopped before it is done. The result does not depend on the number of threads. Requires a non-empty
// part.
std::optional<Network> cover(const DataSet& data, const SampleSet& part, const CoverOptions& options = {});

}  // namespace bnnplan::learning
