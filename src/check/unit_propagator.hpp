#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::checking {

// Unit propagation over linear constraints that come and go. What follows from the constraints alone (the
// root) is kept between queries; a query makes further assumptions and undoes them.
class UnitPropagator {
 public:
  explicit UnitPropagator(std::uint32_t variables);
  void grow(std::uint32_t variables);  // the new number of variables, not less than before

  std::uint32_t add(PbConstraint constraint);  // returns a number for remove()
  void remove(std::uint32_t constraint);
  PbConstraint constraint(std::uint32_t index) const { return {rows_[index].terms, rows_[index].bound}; }
  void settle();  // propagates at the root after additions and removals; the queries below call it first

  // Whether assuming the negation of the constraint leads to a contradiction.
  bool implies(const PbConstraint& constraint);

  // Whether these literals, and what follows from them, give every variable of every constraint a value and
  // satisfy all constraints. Then values() has the values. Variables for which `listed` is true must be among
  // the literals: it is not enough that they follow. `listed` may be shorter than the number of variables:
  // the rest is false.
  bool satisfied_by(std::span<const Lit> literals, std::vector<bool> listed);
  const std::vector<std::int8_t>& values() const { return solution_; }  // of literals: 1, -1, 0

 private:
  struct Row {
    std::vector<PbConstraint::Term> terms;  // largest coefficients first
    std::int64_t bound = 0, slack = 0;
    bool clause = false, alive = true;
    bool reason = false;  // has been the reason of an assignment
  };
  struct Place {
    std::uint32_t row;
    std::int64_t coefficient;
  };

  bool assign(Lit literal, std::uint32_t reason);  // false if the literal is already false
  bool propagate();
  bool visit(std::uint32_t row);
  bool visit_clauses(Lit literal);
  void undo(std::size_t to);
  void forget_removed();

  std::vector<Row> rows_;
  std::vector<std::vector<Place>> places_;  // of literals, in rows that are counted
  // Of literals: the clauses to visit when it becomes false.
  std::vector<std::vector<std::uint32_t>> watches_;
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

}  // namespace bnnplan::checking
