#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::verification {

// The distance between two inputs, by the differences of their numbers; a bit is the number 0 or 1.
enum class Norm : std::uint8_t {
  l0,   // how many differ
  l1,   // the sum of the differences
  l2,   // the sum of their squares
  linf  // the largest
};
inline constexpr std::string_view norm_names[] = {"l0", "l1", "l2", "linf"};

// When an input counts as classified differently.
enum class TieRule : std::uint8_t {
  label_loses,  // another score is at least as large as the label's, as in published instances
  network       // the network's own answer differs
};
inline constexpr std::string_view tie_rule_names[] = {"label-loses", "network"};

// Is there an input near this one that is classified differently?
struct VerifyQuery {
  std::vector<mpq_class> values;           // one number per input
  std::size_t label = 0;                   // the class that the input should have
  std::optional<std::size_t> target = {};  // the class wanted; otherwise any but the label
  Norm norm = Norm::l0;
  // Is there one within this distance? Without it: how far is the nearest?
  std::optional<mpq_class> epsilon = {};
  TieRule ties = TieRule::label_loses;
};

// Inputs near a given one, or all inputs that a network takes.
struct Region {
  // The centre; otherwise all inputs.
  std::optional<std::vector<mpq_class>> values = {};
  Norm norm = Norm::linf;
  // Within this distance; otherwise at any distance, and the nearest is wanted.
  std::optional<mpq_class> epsilon = {};
};

// What must be the same for two networks to count as equal.
enum class Equality : std::uint8_t {
  classes,  // the class that each answers, by its own tie rule
  scores    // every score, or every output bit
};
inline constexpr std::string_view equality_names[] = {"classes", "scores"};

// Does an output of a network move only one way when an input grows, for any values of the others?
struct MonotoneQuery {
  std::size_t input = 0, output = 0;
  bool increasing = true;
  bool by_class = false;  // not the score: once the output is the network's answer, it stays so
  Region region = {};     // of the other inputs
};

// Distances or conditions do not fit into integers. The code that reads the numbers adds the name of their
// file.
struct TooFineError : InputError {
  using InputError::InputError;
};
template <class Function>
auto with_file_of_numbers(const std::string& file, const Function& function) {
  try {
    return function();
  } catch (const TooFineError& error) {
    throw InputError(file, error.message());
  }
}

}  // namespace bnnplan::verification
