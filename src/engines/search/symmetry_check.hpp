#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "bnnplan/engines/search/step_bits.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Decides whether a permutation of bits is a symmetry of a problem: see the .cpp. The initial state is
// ignored.
class SymmetryCheck {
 public:
  explicit SymmetryCheck(const Problem& problem);  // keeps a reference

  // Never true for a permutation that is not a symmetry. Also false for symmetries that show only in the
  // meaning of constraints or neurons, and not in how they are written.
  bool is_symmetry(const BitPermutation& permutation) const;

 private:
  using Row = std::vector<std::int64_t>;  // kind, bound, then bit and coefficient of each term, sorted

  // A layer of the network without duplicates: rows of (input, weight) with a bound on their sum.
  struct ReducedLayer {
    std::vector<Row> neurons;                   // all different
    std::map<Row, std::uint32_t> number;        // index of each in `neurons`
    std::vector<std::optional<bool>> constant;  // by neuron of the network: its value if constant
    std::vector<std::uint32_t> neuron;          // by neuron of the network: its index in `neurons`
  };

  Row make_row(const LinearConstraint& constraint, std::int64_t kind,
               const BitPermutation* permutation) const;
  bool keeps_places(const BitPermutation& permutation) const;
  bool keeps_rows(const BitPermutation& permutation) const;
  bool keeps_objective(const BitPermutation& permutation) const;
  bool keeps_network(const BitPermutation& permutation) const;
  void reduce_network();

  const Problem& problem_;
  StepBits bits_;
  std::vector<std::pair<const LinearConstraint*, std::int64_t>> constraints_;  // all, with their kind
  std::vector<Row> rows_;                                                      // sorted
  // By bit, and whether it is a next-state bit.
  std::map<std::pair<std::uint32_t, bool>, std::int64_t> objective_;
  std::vector<ReducedLayer> layers_;
  std::vector<std::uint32_t> input_of_, output_of_;  // by bit; `nowhere` if there is none
};

}  // namespace bnnplan::engines
