#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace bnnplan::rddl {

// A Boolean function of `inputs` bits as the list of its values: bit r of the words is the value for the
// assignment in which input i is bit i of r.
struct TruthTable {
  int inputs = 0;
  std::vector<std::uint64_t> words;

  explicit TruthTable(int input_count)
      : inputs(input_count), words(input_count <= 6 ? 1 : std::size_t{1} << (input_count - 6), 0) {}

  std::size_t rows() const { return std::size_t{1} << inputs; }
  bool operator[](std::size_t row) const { return (words[row / 64] >> (row % 64) & 1) != 0; }
  void set(std::size_t row) { words[row / 64] |= std::uint64_t{1} << (row % 64); }
};

// A conjunction of literals: the inputs in `mask` have the values in `values` (a subset of `mask`).
struct Cube {
  std::uint32_t mask = 0, values = 0;

  friend auto operator<=>(const Cube&, const Cube&) = default;
};

constexpr int prime_cover_inputs = 24;

// Cubes that together cover `lower` and nothing outside of `upper`. Every cube is a prime implicant of
// `upper` (no literal can be dropped) and none is redundant (each covers a row of `lower` that no other
// does). Nothing if there would be more than `limit` cubes. Requires lower <= upper, the same number of
// inputs, at most prime_cover_inputs.
// Calls `tick` regularly; it may throw to end the work.
std::optional<std::vector<Cube>> prime_cover(const TruthTable& lower, const TruthTable& upper,
                                             std::size_t limit, const std::function<void()>& tick = {});

}  // namespace bnnplan::rddl
