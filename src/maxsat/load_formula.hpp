#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/maxsat/core_oracle.hpp"
#include "bnnplan/maxsat/cost_function.hpp"

namespace bnnplan::maxsat {

// Maps the variables of a formula to those of the oracle. Variables that occur nowhere are not mapped.
class VariableMap {
 public:
  explicit VariableMap(std::uint32_t variables) : oracle_variable_(variables, absent) {}

  bool contains(Var v) const { return oracle_variable_[v.index] != absent; }
  // Requires contains().
  Lit operator()(Lit lit) const { return Lit::of({oracle_variable_[lit.var().index]}, lit.negated()); }
  Lit operator()(Lit lit, CoreOracle& oracle) {  // maps the variable first if necessary
    std::uint32_t& variable = oracle_variable_[lit.var().index];
    if (variable == absent) variable = oracle.new_variable().var().index;
    return Lit::of({variable}, lit.negated());
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(oracle_variable_.size()); }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> oracle_variable_;
};

struct LoadedFormula {
  VariableMap map;
  CostFunction objective;  // over literals of the oracle
};

// Adds the hard clauses to the oracle and turns the soft ones into an objective. Incomplete, with
// watch.should_stop() true, if a limit was reached.
LoadedFormula load_formula(const formats::Wcnf& formula, CoreOracle& oracle, LimitWatch& watch);

}  // namespace bnnplan::maxsat
