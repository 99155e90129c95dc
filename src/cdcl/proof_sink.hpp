#pragma once

#include <cstdint>
#include <span>

#include "base/bit_value.hpp"
#include "base/literal.hpp"

namespace bnnplan {

// Where the solver says what it derives, step by step. ProofWriter makes a file of it; tests keep it in
// memory and check each step the moment it arrives.
class ProofSink {
 public:
  virtual ~ProofSink() = default;

  // A clause that follows by unit propagation from the formula and all clauses before that are not deleted.
  // Returns its number.
  virtual std::uint64_t add_clause(std::span<const Lit> literals) = 0;
  virtual void delete_clause(std::uint64_t number) = 0;

  // A solution (a value for each variable of the formula); everything after it has to be better. Without an
  // objective it is the end.
  virtual void add_solution(std::span<const BitValue> values, bool objective) = 0;

  // The last step: nothing better than the last solution exists (`optimum`: the value of the formula's
  // objective), there is no solution at all, or a solution was all that was asked for.
  virtual void conclude_optimal(std::int64_t optimum) = 0;
  virtual void conclude_infeasible() = 0;
  virtual void conclude_satisfiable() = 0;
};

}  // namespace bnnplan
