#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "bnnplan/cdcl/proof_sink.hpp"
#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/check/unit_propagator.hpp"

namespace bnnplan::testing {

// A proof that is kept in memory and checked while it is made: a clause must follow by unit propagation from
// the formula and the clauses before it at the moment it is learned, a definition must be one, a solution
// must be one, with the values of variables that have lost a definition, and better than the last, a
// conclusion must be true. Throws std::logic_error, with the step, at the first that is not so.
class MemoryProof final : public cdcl::ProofSink {
 public:
  explicit MemoryProof(checking::PbFormula formula);

  std::uint64_t add_clause(std::span<const Lit> literals) override;
  void delete_clause(std::uint64_t number) override;
  std::uint64_t define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) override;
  using cdcl::ProofSink::add_sum;
  std::uint64_t add_sum(std::span<const cdcl::ProofSummand> summands, std::int64_t divisor) override;
  void conclude_optimal(std::int64_t optimum) override;
  void conclude_infeasible() override;
  void conclude_satisfiable() override;

  bool follows(std::span<const Lit> clause);  // by unit propagation

  const std::vector<std::vector<Lit>>& clauses() const { return clauses_; }  // all that were ever learned
  std::size_t deleted() const { return deleted_; }
  std::size_t definitions() const { return definitions_; }
  std::size_t solutions() const { return solutions_; }
  std::optional<std::int64_t> value() const { return value_; }  // of the last solution
  bool concluded() const { return concluded_; }

 private:
  std::uint64_t log_solution(std::span<const Lit> literals, bool objective) override;
  [[noreturn]] void refuse(const char* what) const;
  std::uint64_t add(const checking::PbConstraint& constraint);  // which follows
  void conclude();

  checking::PbFormula formula_;
  checking::UnitPropagator propagator_;
  std::vector<std::vector<Lit>> clauses_;
  std::map<std::uint64_t, std::uint32_t> numbers_;  // of what is not deleted; in the propagator
  std::map<std::uint64_t, Var> halves_;             // of definitions
  std::vector<bool> listed_;                        // variables that have lost one
  std::uint32_t variables_;                         // of the formula, and defined
  std::size_t deleted_ = 0, definitions_ = 0;
  std::uint64_t last_number_;
  std::size_t solutions_ = 0;
  std::optional<std::int64_t> value_;
  bool concluded_ = false;
};

}  // namespace bnnplan::testing
