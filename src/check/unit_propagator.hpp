#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "check/pb_formula.hpp"

namespace bnnplan {

// Unit propagation over linear constraints that come and go. What follows from the constraints alone (the
// root) is kept between questions; a question assumes more and takes it back.
class UnitPropagator {
 public:
  explicit UnitPropagator(std::uint32_t variables);
  void grow(std::uint32_t variables);  // so many of them, no less than before

  std::uint32_t add(PbConstraint constraint);  // a number for remove()
  void remove(std::uint32_t constraint);
  PbConstraint constraint(std::uint32_t index) const { return {rows_[index].terms, rows_[index].bound}; }
  void settle();  // propagates at the root after additions and removals; the questions below do it first

  // Whether assuming the negation of the constraint leads to a contradiction.
  bool implies(const PbConstraint& constraint);

  // Whether these literals, and what follows from them, give every variable of every constraint a value and satisfy
  // them all. Then values() has them. Variables of which `listed` is true must be among the literals: what follows is
  // not enough. One may be missing there: it is false.
  bool satisfied_by(std::span<const Lit> literals, std::vector<bool> listed);
  const std::vector<std::int8_t>& values() const { return solution_; }  // of literals: 1, -1, 0

 private:
  struct Row {
    std::vector<PbConstraint::Term> terms;  // largest coefficients first
    std::int64_t bound = 0, slack = 0;
    bool clause = false, alive = true;
    bool reason = false;  // of something, at some time
  };
  struct Place {
    std::uint32_t row;
    std::int64_t coefficient;
  };

  bool assign(Lit literal, std::uint32_t reason);  // false if it is false
  bool propagate();
  bool visit(std::uint32_t row);
  bool visit_clauses(Lit literal);
  void undo(std::size_t to);
  void forget_removed();

  std::vector<Row> rows_;
  std::vector<std::vector<Place>> places_;           // of literals, in rows that are counted
  std::vector<std::vector<std::uint32_t>> watches_;  // of literals whose falsehood a clause waits for
  std::vector<std::int8_t> values_;
  std::vector<Lit> trail_;
  std::vector<std::uint32_t> reasons_;    // of trail entries
  std::vector<std::size_t> trail_place_;  // of variables that have a value
  std::size_t head_ = 0, root_ = 0;
  bool contradiction_ = false, stale_ = false;
  std::vector<std::uint32_t> added_;
  std::size_t alive_ = 0, removed_ = 0;  // rows in the lists
  std::vector<std::int8_t> solution_;
};

}  // namespace bnnplan
