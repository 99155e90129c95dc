#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "bnnplan/rddl/simulate/expression_code.hpp"

namespace bnnplan::rddl {

// Translates ground expressions into code, one after the other.
class CodeBuilder {
 public:
  // Keeps a reference to the pool.
  CodeBuilder(const NodePool& pool, std::size_t slots);

  // Each returns the address to run from.
  // 1 if all conditions hold, else 0; those after the first that fails are not evaluated.
  std::uint32_t add_conjunction(std::span<const NodeId> conditions);
  std::uint32_t add_truth(NodeId condition) { return add_conjunction({&condition, 1}); }
  // Assigns each slot the value of its expression, in this order.
  struct Definition {
    std::uint32_t slot;
    NodeId node;
    bool real;
  };
  std::uint32_t add_definitions(std::span<const Definition> definitions);
  // A floating expression, as the bits of a double.
  std::uint32_t add_real(NodeId node);
  // A fraction as a multiple of 1 / scale; nothing if that is not possible.
  struct ScaledEntry {
    std::uint32_t address;
    std::int64_t scale;
  };
  std::optional<ScaledEntry> add_scaled(NodeId node);

  ExpressionCode finish();  // nothing may be added afterwards

 private:
  using Register = std::uint32_t;
  using Label = std::uint32_t;
  struct NotScaled {};
  struct TooLarge {};  // more temporaries or instructions than allowed
  // What has been emitted so far, to roll back to if something turns out to be impossible.
  struct Mark {
    std::size_t instructions, lists, scaled, labels;
    Register temporaries;
  };

  Mark mark() const;
  void rewind(const Mark& mark);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions_.size()); }
  std::uint32_t emit(CodeOperation operation, NodeId origin, Register a, Register b, std::uint32_t c,
                     std::uint8_t detail = 0);
  std::uint32_t begin(NodeId root);
  void tree_into(NodeId id, Register target, bool wanted_real);

  Label new_label();
  void bind(Label label);
  void jump(CodeOperation operation, NodeId origin, Register a, Register b, Label label);

  Register temporary();
  Register constant(std::int64_t value);
  Register constant_real(double value);
  // The first position of the list in the table of lists.
  std::uint32_t add_list(const std::vector<std::uint32_t>& list);
  // The register that holds the value already, for a fluent or a constant.
  std::optional<Register> direct(NodeId id, bool wanted_real);

  // Jumps to `yes` or to `no`; the code that follows is that of `yes` if `yes_follows`, else that of `no`.
  void condition(NodeId id, Label yes, Label no, bool yes_follows);
  void branch(NodeId id, Register truth, Label yes, Label no, bool yes_follows);
  void comparison(NodeId id, Label yes, Label no, bool yes_follows);
  void truth_into(NodeId id, Register target);

  // The value as an integer, or as a double if `wanted_real`.
  Register value(NodeId id, bool wanted_real);
  Register integer(NodeId id) { return value(id, false); }
  Register real(NodeId id) { return value(id, true); }
  void value_into(NodeId id, Register target, bool wanted_real);
  void value_or_tree_into(NodeId node, Register target, bool wanted_real);  // if the code is too large
  void whole_into(NodeId id, Register target);
  void function_into(NodeId id, Register target);
  void sum_into(NodeId id, Register target, bool wanted_real);
  void random_into(NodeId id, Register target, bool wanted_real);
  // The branches of an if or a switch, and of a choice by index; branch_into emits the code of one.
  void choice_into(NodeId id, const std::function<void(NodeId)>& branch_into);
  void selection_into(NodeId id, const std::function<void(NodeId)>& branch_into);

  // D such that D times the value is always whole. Throws NotScaled.
  std::int64_t scale_of(NodeId id);
  std::int64_t find_scale(NodeId id);
  void scaled_into(NodeId id, std::int64_t scale, Register target);
  void scaled_comparison_into(NodeId id, Register target);

  const NodePool& pool_;
  ExpressionCode code_;
  std::size_t slots_;
  Register next_temporary_;
  std::vector<std::vector<std::uint32_t>> labels_;  // the jumps to each label that is not bound yet
  std::map<std::int64_t, Register> constants_;
  std::unordered_map<NodeId, std::int64_t> scales_;
};

}  // namespace bnnplan::rddl
