#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

// Detects assignments to a few slots that break a condition for all values of the other slots within their
// ranges.
class RowFilter {
 public:
  // Requires that the slots of the filter have their values in both. May return false for an assignment that
  // breaks a condition, but never true for one that can satisfy all of them.
  bool impossible(const NodePool& pool, std::span<const std::int64_t> values,
                  std::span<const Interval> intervals) const;

 private:
  friend class StepConditions;

  // A linear condition, with the slots outside of the filter summed up.
  struct LinearPart {
    std::vector<std::pair<std::uint32_t, Rational>> terms;
    Rational low, high;  // of the rest and the constant
    FormComparison comparison;
  };
  struct FormulaPart {
    NodeId node;
    bool negated;
  };

  std::vector<LinearPart> linear_;
  std::vector<FormulaPart> formulas_;
};

// Conditions that hold at every legal step, split into their conjuncts once.
class StepConditions {
 public:
  void add(const NodePool& pool, NodeId condition);

  // A filter for assignments to these slots, made of the conjuncts that mention one of them.
  RowFilter about(std::span<const std::uint32_t> slots, std::span<const Interval> ranges) const;

 private:
  void add_conjunct(const NodePool& pool, NodeId node, bool negated);

  struct Conjunct {
    NodeId node;
    bool negated;
    std::optional<LinearComparison> linear;
  };

  std::vector<Conjunct> conjuncts_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_slot_;
};

}  // namespace bnnplan::rddl
