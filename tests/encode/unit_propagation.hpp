#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/implication.hpp"

namespace bnnplan::encoding {

inline constexpr Implication every_implication[] = {Implication::both, Implication::to_output,
                                                    Implication::from_output};

// Unit propagation and nothing else, as simple as it gets: every clause counts its literals that are not
// false. The reference that says what an encoding propagates.
class UnitPropagation {
 public:
  // Requires that no variable of the clauses is above `variables`.
  UnitPropagation(const CollectingSink& formula, std::uint32_t variables)
      : formula_(formula),
        value_(2 * variables, 0),
        occurrences_(2 * variables),
        not_false_(formula.clauses()),
        satisfied_(formula.clauses()) {
    for (std::uint32_t i = 0; i < formula.clauses(); ++i) {
      not_false_[i] = static_cast<int>(formula.clause(i).size());
      for (const Lit lit : formula.clause(i)) occurrences_[lit.code].push_back(i);
    }
    for (std::uint32_t i = 0; i < formula.clauses(); ++i) visit_if_short(i);
    propagate();
    root_ = trail_.size();
    root_conflict_ = conflict_;
  }

  // Makes the literals true and propagates; false on a conflict. Starts from what the clauses alone imply.
  bool assume(std::span<const Lit> literals) {
    undo_to(root_);
    conflict_ = root_conflict_;
    return extend(literals);
  }

  bool is_true(Lit lit) const { return value_[lit.code] != 0; }
  bool is_false(Lit lit) const { return value_[lit.code ^ 1] != 0; }

  // Whether the clauses have a solution with these literals: by branching where propagation leaves a choice.
  bool satisfiable(std::vector<Lit> literals) {
    if (!assume(literals)) return false;
    for (std::uint32_t i = 0; i < formula_.clauses(); ++i) {
      if (satisfied_[i] > 0) continue;
      for (const Lit lit : formula_.clause(i)) {
        if (is_false(lit)) continue;
        literals.push_back(lit);
        if (satisfiable(literals)) return true;
        literals.back() = ~lit;
        return satisfiable(literals);
      }
    }
    return true;
  }

 private:
  bool extend(std::span<const Lit> literals) {
    for (const Lit lit : literals) assign(lit);
    propagate();
    return !conflict_;
  }

  void assign(Lit lit) {
    if (is_true(lit)) return;
    if (is_false(lit)) {
      conflict_ = true;
      return;
    }
    value_[lit.code] = 1;
    trail_.push_back(lit);
  }

  void propagate() {
    for (; done_ < trail_.size(); ++done_) {
      const Lit lit = trail_[done_];
      for (const std::uint32_t i : occurrences_[lit.code]) ++satisfied_[i];
      for (const std::uint32_t i : occurrences_[(~lit).code]) --not_false_[i];
      for (const std::uint32_t i : occurrences_[(~lit).code]) visit_if_short(i);
    }
  }

  void visit_if_short(std::uint32_t i) {
    if (not_false_[i] > 1 || satisfied_[i] > 0) return;
    for (const Lit lit : formula_.clause(i)) {
      if (!is_false(lit)) return assign(lit);
    }
    conflict_ = true;
  }

  void undo_to(std::size_t length) {
    while (trail_.size() > length) {
      const Lit lit = trail_.back();
      trail_.pop_back();
      value_[lit.code] = 0;
      if (trail_.size() < done_) {
        for (const std::uint32_t i : occurrences_[lit.code]) --satisfied_[i];
        for (const std::uint32_t i : occurrences_[(~lit).code]) ++not_false_[i];
      }
    }
    done_ = trail_.size();
  }

  const CollectingSink& formula_;
  std::vector<char> value_;
  std::vector<std::vector<std::uint32_t>> occurrences_;
  std::vector<int> not_false_;
  std::vector<int> satisfied_;
  std::vector<Lit> trail_;
  std::size_t done_ = 0;
  std::size_t root_ = 0;
  bool conflict_ = false;
  bool root_conflict_ = false;
};

}  // namespace bnnplan::encoding
