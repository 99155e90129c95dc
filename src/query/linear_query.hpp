#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/query/property.hpp"
#include "bnnplan/query/verify_query.hpp"

namespace bnnplan::verification {

// A sum over the numbers that a network takes and its outputs: scores, or bits if it is not a classifier.
struct LinearSum {
  std::map<std::uint32_t, mpq_class> inputs, outputs;  // coefficients, none of them 0
  mpq_class constant = 0;

  void add(const LinearSum& other, const mpq_class& factor = 1);
  mpq_class value(std::span<const mpq_class> input_values, std::span<const mpq_class> output_values) const;
};

// sum >= 0, or sum > 0.
struct LinearCondition {
  LinearSum sum;
  bool strict = false;

  LinearCondition negated() const;
};
using LinearProperty = PropertyOf<LinearCondition>;

// left OP right as a node: one condition; two for == (all) and != (any).
enum class Relation : std::uint8_t { less, at_most, equal, different, at_least, more };
std::uint32_t add_relation(LinearProperty& property, const LinearSum& left, Relation relation,
                           const LinearSum& right);

// The opposite of a node, added to the same property.
std::uint32_t add_negated(LinearProperty& property, std::uint32_t node);

// Is there an input with this property, and which one has the least value of a sum?
struct LinearQuery {
  LinearProperty property;
  // Numbers may be anything, not only what the network allows; bits are still 0 or 1.
  bool any_number = false;
  std::optional<Region> region = {};  // the inputs that count
  std::optional<LinearSum> minimize = {};
  bool prove = false;  // for the text of answers: the property is the negation of what is to be proved
};

bool holds(const LinearProperty& property, std::uint32_t node, std::span<const mpq_class> inputs,
           std::span<const mpq_class> outputs);

}  // namespace bnnplan::verification
