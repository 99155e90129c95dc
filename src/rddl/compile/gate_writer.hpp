#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/rddl/compile/problem_writer.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

// Writes large expressions operation by operation, each result as an auxiliary variable that later
// expressions share, if a table over everything they depend on would be too large. Linear in the size of the
// expression.
class GateWriter {
 public:
  // Services of the compiler: a new auxiliary variable for integers within a range (Boolean if `boolean`),
  // and a definition to be tabulated later, which must be possible.
  struct Compiler {
    std::function<std::uint32_t(bool boolean, const Interval& range)> auxiliary;
    std::function<void(std::uint32_t slot, NodeId node)> tabulate;
    std::function<bool(NodeId node)> fits_table;
    std::function<Interval(NodeId node)> range;  // of an expression that fits
    // Decimals that functions are rounded to; if not given, they are refused.
    std::optional<int> function_decimals;
  };

  // Keeps references; `ranges` grows with the auxiliary variables.
  GateWriter(NodePool& pool, ProblemWriter& writer, const std::vector<Interval>& ranges, Compiler compiler)
      : pool_(pool), writer_(writer), ranges_(ranges), compiler_(std::move(compiler)) {}

  // A Boolean: a constant, or a slot that holds it or its negation.
  struct Truth {
    std::optional<bool> constant;
    std::uint32_t slot = 0;
    bool positive = true;
  };

  // All throw RddlError for unsupported operations, and OverflowError.
  Truth truth(NodeId node);
  LinearForm value(NodeId node);  // of a number or Boolean

  void define(std::uint32_t target, NodeId node);            // target == node
  void require(Section section, NodeId node, bool negated);  // the condition holds

 private:
  using Literal = ProblemWriter::Literal;

  Truth compute_truth(NodeId node);
  LinearForm compute_value(NodeId node);
  Truth conjunction(std::vector<Truth> operands);
  Truth comparison(LinearForm form, bool strict);  // form <= 0 or form < 0
  Truth equality(NodeId node);
  void clear_divisor(std::vector<NodeId>& sides);
  Truth choice_of_truths(std::span<const NodeId> operands);
  LinearForm choice(std::span<const NodeId> operands);
  LinearForm product(std::span<const NodeId> operands);
  LinearForm scaled(const Truth& truth, const LinearForm& form);  // the form if it is true, else 0
  LinearForm extreme(NodeId node);
  LinearForm rounded_down(NodeId node);
  LinearForm rounded_function(NodeId node);
  LinearForm of_one_variable(const LinearForm& form);
  LinearForm multiplied(const LinearForm& a, const LinearForm& b);
  NodeId argument_as_choice(NodeId node);
  NodeId selection_as_choice(NodeId node);
  std::uint32_t table(NodeId node);
  NodeId reduced(NodeId node, bool root);

  Interval range_of(const LinearForm& form) const;  // an OverflowError if it is unknown
  Truth new_truth();
  void clause(const std::vector<Truth>& literals);
  void at_most_zero(LinearForm form);
  void equate(std::uint32_t slot, LinearForm form);
  static constexpr Rational unit_factor = {1, 1}, negative_unit = {-1, 1};
  static std::vector<NodeId> copied(std::span<const NodeId> operands);
  static LinearForm constant_form(const Rational& number);
  static LinearForm slot_form(std::uint32_t slot, const Rational& factor = unit_factor);
  static Truth negation(Truth truth);
  static LinearForm form_of(const Truth& truth);

  NodePool& pool_;
  ProblemWriter& writer_;
  const std::vector<Interval>& ranges_;
  Compiler compiler_;
  std::map<NodeId, Truth> truths_;
  std::map<NodeId, LinearForm> values_;
};

}  // namespace bnnplan::rddl
