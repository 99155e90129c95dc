#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bit_value.hpp"
#include "base/linear_row.hpp"
#include "base/literal.hpp"

namespace bnnplan {

// A constraint that is added `factor` times; factor > 0.
struct ProofSummand {
  std::uint64_t number;
  std::int64_t factor = 1;
};

// Where the solver says what it derives, step by step. ProofWriter makes a file of it; tests keep it in
// memory and check each step the moment it arrives.
class ProofSink {
 public:
  virtual ~ProofSink() = default;

  // A clause that follows by unit propagation from the formula and all clauses before that are not deleted.
  // Returns its number.
  virtual std::uint64_t add_clause(std::span<const Lit> literals) = 0;
  virtual void delete_clause(std::uint64_t number) = 0;

  // Defines a variable that nothing was said of before:  variable <-> sum >= bound,  over different variables
  // with positive coefficients, 0 < bound <= their sum. Returns the number of "variable -> sum >= bound"; the
  // next one is that of the other direction.
  virtual std::uint64_t define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) = 0;

  // The sum of constraints, divided and rounded up, and saturated: no coefficient is above the bound. Returns
  // its number.
  virtual std::uint64_t add_sum(std::span<const ProofSummand> summands, std::int64_t divisor) = 0;
  std::uint64_t add_sum(std::span<const ProofSummand> summands) { return add_sum(summands, 1); }

  // A solution (values of the formula's variables, or literals; unknown ones follow from the others);
  // everything after it has to be better. Without an objective it is the end. Returns the number of the
  // constraint that says so; 0 if there is none.
  std::uint64_t add_solution(std::span<const BitValue> values, bool objective);
  virtual std::uint64_t add_solution(std::span<const Lit> literals, bool objective) = 0;

  // The number of the constraint that demands something better than the last solution; 0 if there is none.
  virtual std::uint64_t last_solution() const { return last_solution_; }

  // The last step: nothing better than the last solution exists (`optimum`: the value of the formula's
  // objective), there is no solution at all, or a solution was all that was asked for.
  virtual void conclude_optimal(std::int64_t optimum) = 0;
  virtual void conclude_infeasible() = 0;
  virtual void conclude_satisfiable() = 0;

 protected:
  std::uint64_t last_solution_ = 0;
};

inline std::uint64_t ProofSink::add_solution(std::span<const BitValue> values, bool objective) {
  std::vector<Lit> literals;
  for (std::uint32_t v = 0; v < values.size(); ++v) {
    if (values[v] != unknown_bit) literals.push_back(Lit::of({v}, values[v] == 0));
  }
  return add_solution(literals, objective);
}

}  // namespace bnnplan
