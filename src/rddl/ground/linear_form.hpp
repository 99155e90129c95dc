#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "bnnplan/rddl/ground/node_pool.hpp"

namespace bnnplan::rddl {

// constant + sum coefficient * slot, over slots of the value vector; no coefficient is 0.
struct LinearForm {
  std::map<std::uint32_t, Rational> terms;
  Rational constant;

  void add(const LinearForm& other, const Rational& factor);
};

LinearForm operator*(const LinearForm& form, const Rational& factor);

// Returns a slot that stands for a non-linear product of nodes (often just one), or nothing.
using SlotForProduct = std::function<std::optional<std::uint32_t>(const std::vector<NodeId>& factors)>;

// The expression as a linear form, if it is one: sums, multiples, negations of Booleans, and choices between
// constants by a linear condition. For parts that are not linear, calls `atom` (if given). Throws
// OverflowError.
std::optional<LinearForm> linear_form(const NodePool& pool, NodeId node, const SlotForProduct& atom = {});

// A comparison as  form <= 0, form < 0 or form == 0, with form = left - right; `negated` reverses the
// comparison. Nothing if it is not linear, as for a negated equation (unless it is between Booleans).
enum class FormComparison : std::uint8_t { at_most_zero, below_zero, zero };
struct LinearComparison {
  LinearForm form;
  FormComparison comparison = FormComparison::zero;
};
std::optional<LinearComparison> linear_comparison(const NodePool& pool, NodeId node, bool negated);

}  // namespace bnnplan::rddl
