#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/ground/node_pool.hpp"

namespace bnnplan::rddl {

// What an instruction does. Operands a and b and the result c are registers unless stated otherwise; a list
// is `b` registers from position `a` of the table of lists.
enum class CodeOperation : std::uint8_t {
  finish,      // the result is a
  jump,        // to c
  jump_table,  // to entry number a of a table of c addresses that starts at position b of the lists
  jump_if_zero,
  jump_if_not_zero,
  jump_if_equal,  // integers a and b; to c
  jump_if_not_equal,
  jump_if_less,
  jump_if_at_most,
  jump_if_reals_equal,
  jump_if_reals_not_equal,
  jump_if_real_less,
  jump_if_real_not_less,  // not the same as at_most with swapped operands: values may be NaN
  jump_if_real_at_most,
  jump_if_real_not_at_most,
  move,
  add,       // a + b
  multiply,  // a b
  minimum,
  maximum,
  add_list,  // c + all of the list
  absolute,
  sign,
  power,
  modulo,
  integer_division,
  require_nonzero,
  real_of_integer,
  add_reals,
  multiply_reals,
  minimum_of_reals,
  maximum_of_reals,
  add_list_of_reals,
  absolute_real,
  sign_of_real,
  divide_reals,
  power_of_reals,
  require_nonzero_real,
  floor_of_real,
  ceiling_of_real,
  rounded_real,
  function,  // Instruction::detail, of a and b
  store_real,
  draw_truth,    // a Bernoulli variable with the probability a
  draw_integer,  // Instruction::detail, with the parameters a and b
  draw_real,
  draw_number,   // of an object, with a list of weights
  tree_integer,  // the value of the expression, by evaluate.hpp
  tree_real
};

struct Instruction {
  CodeOperation operation = CodeOperation::finish;
  std::uint8_t detail = 0;  // a MathFunction or a Distribution
  std::uint32_t a = 0, b = 0, c = 0;
};

// The value of a real fluent is NaN.
struct NotANumber {
  std::uint32_t slot;
};

// Ground expressions as one flat program over a frame of 64-bit registers (values as in evaluate.hpp):
//
//   the value vector | temporaries | constants
//
// Built by CodeBuilder. It gives exactly the same values as evaluate.hpp, draws the same random numbers in
// the same order, and finds the same errors.
class ExpressionCode {
 public:
  std::size_t frame_size() const { return frame_size_; }
  void write_constants(std::span<std::int64_t> frame) const;

  // Runs from an address that the builder returned to a `finish`, and returns its register. Requires a frame
  // with its constants, the pool that the code was made from, and `random` if something is drawn. Throws
  // RddlError as evaluate.hpp does, NotANumber, and OverflowError instead of RddlError for numbers that do
  // not fit if `placed` is false.
  std::int64_t run(std::uint32_t address, const NodePool& pool, std::span<std::int64_t> frame,
                   SimulationRandom* random, bool placed = true) const;

 private:
  friend class CodeBuilder;

  // Instructions that compute a fraction as a multiple of 1 / D. If that does not fit, the fraction itself
  // may: then the expression is evaluated as a tree, and the code continues at `end`.
  struct Scaled {
    std::uint32_t begin, end;
    NodeId node;
    std::uint32_t result;
  };
  // Instructions from `begin` on belong to this expression.
  struct Root {
    std::uint32_t begin;
    NodeId node;
  };

  std::int64_t execute(std::uint32_t address, const NodePool& pool, std::span<std::int64_t> frame,
                       SimulationRandom* random) const;
  double drawn(std::uint32_t address, const NodePool& pool, const std::int64_t* frame,
               SimulationRandom* random) const;

  std::vector<Instruction> instructions_;
  std::vector<NodeId> origins_;       // of each instruction
  std::vector<std::uint32_t> lists_;  // registers and addresses
  std::vector<Scaled> scaled_;        // by increasing `end`; may be nested
  std::vector<Root> roots_;           // sorted by address
  std::vector<std::int64_t> constants_;
  std::size_t first_constant_ = 0, frame_size_ = 0;
  mutable std::uint32_t failed_ = 0;  // address of the instruction whose number did not fit
  mutable std::vector<double> weights_;
};

}  // namespace bnnplan::rddl
