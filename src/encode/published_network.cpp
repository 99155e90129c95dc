// The bi-directional cardinality network of the paper that introduced planning with learned binarized
// networks (Say and Sanner 2018; Say, Devriendt, Nordstroem and Stuckey 2020), as published, for comparison.
//
// It is the cardinality network of Asin et al. (2011) with all six clauses of a comparator. For "at least k"
// let K be the next power of two. The inputs are padded with dummies, variables that are set to false, to a
// multiple of K; every K of them are sorted by odd-even merge sort; then the sorted blocks are merged one
// after the other by simplified merges, which compute the K + 1 largest of 2 K elements. The output is
// position k.
//
// Rounding up is what makes it large: k = 65 of n = 129 is sorted as 256 inputs. Propagation complete, like
// the other networks.

#include <bit>
#include <vector>

#include "bnnplan/encode/cardinality_encodings.hpp"

namespace bnnplan::encoding {

namespace {

using Lits = std::vector<Lit>;

void add_comparator(Lit one, Lit other, Lits& outputs, ClauseSink& sink) {
  const Lit maximum = sink.new_variable();
  const Lit minimum = sink.new_variable();
  sink.add({~one, maximum});
  sink.add({~other, maximum});
  sink.add({one, other, ~maximum});
  sink.add({one, ~minimum});
  sink.add({other, ~minimum});
  sink.add({~one, ~other, minimum});
  outputs.push_back(maximum);
  outputs.push_back(minimum);
}

Lits every_second(const Lits& literals, std::size_t from) {
  Lits chosen;
  for (std::size_t i = from; i < literals.size(); i += 2) chosen.push_back(literals[i]);
  return chosen;
}

// Merges sequences of equal length n, a power of two: all 2 n positions, or the first n + 1 if `simplified`.
Lits merge_powers_of_two(const Lits& a, const Lits& b, bool simplified, ClauseSink& sink) {
  Lits merged;
  if (a.size() == 1) {
    add_comparator(a[0], b[0], merged, sink);
    return merged;
  }
  const Lits odd = merge_powers_of_two(every_second(a, 0), every_second(b, 0), simplified, sink);
  const Lits even = merge_powers_of_two(every_second(a, 1), every_second(b, 1), simplified, sink);
  merged.push_back(odd[0]);
  for (std::size_t i = 0; i + 1 < odd.size(); ++i) add_comparator(odd[i + 1], even[i], merged, sink);
  if (!simplified) merged.push_back(even.back());
  return merged;
}

Lits sort_power_of_two(std::span<const Lit> inputs, ClauseSink& sink) {
  if (inputs.size() == 1) return {inputs[0]};
  const std::size_t half = inputs.size() / 2;
  return merge_powers_of_two(sort_power_of_two(inputs.first(half), sink),
                             sort_power_of_two(inputs.subspan(half), sink), false, sink);
}

}  // namespace

void encode_published_network(const ReifiedAtLeast& neuron, ClauseSink& sink) {
  const auto threshold = static_cast<std::size_t>(neuron.threshold);
  const std::size_t length = std::bit_ceil(threshold);
  Lits inputs = neuron.inputs;
  while (inputs.size() % length != 0) {
    inputs.push_back(sink.new_variable());
    sink.add({~inputs.back()});
  }
  Lits largest = sort_power_of_two(std::span(inputs).last(length), sink);
  for (std::size_t end = inputs.size() - length; end > 0; end -= length) {
    const Lits block = sort_power_of_two(std::span(inputs).subspan(end - length, length), sink);
    largest = merge_powers_of_two(block, largest, true, sink);
    largest.resize(length);
  }
  sink.add({~largest[threshold - 1], neuron.output});
  sink.add({largest[threshold - 1], ~neuron.output});
}

}  // namespace bnnplan::encoding
