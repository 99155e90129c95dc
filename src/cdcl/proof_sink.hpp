#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/base/literal.hpp"

namespace bnnplan::cdcl {

// A constraint that is added `factor` times; factor > 0.
struct ProofSummand {
  std::uint64_t number;
  std::int64_t factor = 1;
};

// Variables that are true if the first `terms` terms of a sum reach a value.
struct PrefixSums {
  struct Reached {
    Var variable;
    std::size_t terms;
    std::int64_t value;
  };
  std::vector<WeightedLit> sum;
  std::vector<Reached> reached;  // in any order
};

// Receives what the solver derives, step by step. ProofWriter writes it to a file; tests keep it in memory
// and check each step as it arrives.
class ProofSink {
 public:
  virtual ~ProofSink() = default;

  // A clause that follows by unit propagation from the formula and all earlier clauses that are not deleted.
  // Returns its number.
  virtual std::uint64_t add_clause(std::span<const Lit> literals) = 0;
  virtual void delete_clause(std::uint64_t number) = 0;

  // Defines a variable that has not occurred before:  variable <-> sum >= bound,  over different variables
  // with positive coefficients, 0 < bound <= their sum. Returns the number of "variable -> sum >= bound"; the
  // next number is that of the other direction.
  virtual std::uint64_t define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) = 0;

  // The sum of constraints, divided and rounded up, and saturated: no coefficient exceeds the bound. Returns
  // its number.
  virtual std::uint64_t add_sum(std::span<const ProofSummand> summands, std::int64_t divisor) = 0;
  std::uint64_t add_sum(std::span<const ProofSummand> summands) { return add_sum(summands, 1); }

  // A solution (values of the formula's variables, or literals; unknown ones follow from the others);
  // everything after it has to be better. Without an objective it ends the proof. Returns the number of the
  // constraint that demands this; 0 if there is none.
  std::uint64_t add_solution(std::span<const BitValue> values, bool objective);
  std::uint64_t add_solution(std::span<const Lit> literals, bool objective);

  // Solutions must give or imply the value of every variable in the proof. The definitions of these variables
  // are deleted, so their values are added to each solution from now on. Requires that solutions give the
  // literals of the sum.
  virtual void list_in_solutions(PrefixSums sums) { listed_ = std::move(sums); }

  // The number of the constraint that demands something better than the last solution; 0 if there is none.
  virtual std::uint64_t last_solution() const { return last_solution_; }

  // The last step: no solution is better than the last one (`optimum`: the value of the formula's objective),
  // there is no solution at all, or any solution was enough.
  virtual void conclude_optimal(std::int64_t optimum) = 0;
  virtual void conclude_infeasible() = 0;
  virtual void conclude_satisfiable() = 0;

 protected:
  virtual std::uint64_t log_solution(std::span<const Lit> literals, bool objective) = 0;

  std::uint64_t last_solution_ = 0;

 private:
  PrefixSums listed_;
};

}  // namespace bnnplan::cdcl
