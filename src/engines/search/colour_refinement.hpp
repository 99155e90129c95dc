#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/engines/search/step_bits.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Colours of the bits of a step such that a symmetry of the problem maps a bit only to one of the same
// colour. They suggest where symmetries may be, and prove nothing.
class ColourRefinement {
 public:
  explicit ColourRefinement(const Problem& problem);  // keeps a reference

  using Colours = std::vector<std::uint64_t>;  // by bit number

  // The coarsest colours; nothing if all bits differ, and hence there is no symmetry.
  std::optional<Colours> colours();

  // Splits colours until bits of equal colour see the same. Symmetries that preserve the given colours
  // preserve the refined ones, and corresponding colours are refined to corresponding colours.
  void refine(Colours& colours);

  // A permutation that exchanges two bits and fixes what it need not move, if the colours determine one.
  std::optional<BitPermutation> exchange(const Colours& colours, std::uint32_t a, std::uint32_t b);

  // Terms and weights processed so far.
  std::uint64_t work() const { return work_; }

 private:
  struct Term {
    std::uint32_t bit;
    std::uint64_t label;
  };
  void look_at_rows(const Colours& colours, Colours& seen);
  void look_at_network(const Colours& colours, std::size_t layers, Colours& seen);
  bool split(Colours& colours, std::size_t network_layers);

  const Problem& problem_;
  StepBits bits_;
  std::vector<std::uint32_t> row_end_;    // index into terms_
  std::vector<std::uint64_t> row_label_;  // kind and bound
  std::vector<Term> terms_;
  Colours start_;
  std::uint64_t work_ = 0;
};

}  // namespace bnnplan::engines
