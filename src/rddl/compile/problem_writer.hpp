#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/compile/prime_cover.hpp"
#include "bnnplan/rddl/compile/tabulate.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

// The variable of the problem that a slot of the model stands for: it is 10^scale times the slot.
struct SlotVariable : Variable {
  bool next = false;
};

// Whole numbers with the same ratios: comparisons with 0 do not change. Throws OverflowError.
LinearForm without_fractions(const LinearForm& form);

// The section of a problem under construction that a constraint goes into.
enum class Section : std::uint8_t { constraints, transitions, goal };

// Writes linear forms and clauses over slots as expressions of a problem file, each once per section.
class ProblemWriter {
 public:
  void name_slot(std::uint32_t slot, SlotVariable variable) { slots_[slot] = std::move(variable); }
  const SlotVariable& variable(std::uint32_t slot) const { return slots_.at(slot); }
  bool has(std::uint32_t slot) const { return slots_.contains(slot); }

  void comparison(Section section, const LinearComparison& comparison);
  void equation(Section section, std::uint32_t target, const LinearForm& form);  // target == form
  // (bit of a slot, whether it is positive); at least one of them holds
  using Literal = std::pair<std::pair<std::uint32_t, int>, bool>;
  void clause(Section section, const std::vector<Literal>& literals);
  void falsity(Section section) { add(section, "0 >= 1"); }

  // The clause that excludes the cube: at least one of these literals is true unless the cube holds.
  std::vector<Literal> excluding(const Tabulation& table, const Cube& cube) const;

  std::string bit_text(std::uint32_t slot, int bit) const;  // as in an expression, with ' for the next state
  std::string sum_text(const LinearForm& form) const;       // requires that all numbers are decimal

  // Parses everything into the problem, whose variables must be complete.
  void finish(Problem& problem) const;

 private:
  std::string slot_text(std::uint32_t slot) const;
  void add(Section section, std::string text);

  std::map<std::uint32_t, SlotVariable> slots_;
  std::vector<std::pair<Section, std::string>> texts_;
  std::set<std::pair<Section, std::string>> seen_;
};

}  // namespace bnnplan::rddl
