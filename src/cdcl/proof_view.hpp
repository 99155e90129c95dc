#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/cdcl/proof_sink.hpp"

namespace bnnplan::cdcl {

// The view that one of several solvers with the same model has of their common proof. Each solver numbers the
// variables that it defines from the model's last one on; in the proof each of them has its own number.
class ProofView final : public ProofSink {
 public:
  // Keeps references. `next` is the number of the next variable in the proof, a counter shared by all views,
  // which begins with the number of variables of the model.
  ProofView(ProofSink& sink, std::uint32_t& next, std::uint32_t model_variables)
      : sink_(sink), next_(next), own_from_(model_variables) {}

  std::uint64_t add_clause(std::span<const Lit> literals) override;
  void delete_clause(std::uint64_t number) override { sink_.delete_clause(number); }
  std::uint64_t define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) override;
  using ProofSink::add_sum;
  std::uint64_t add_sum(std::span<const ProofSummand> summands, std::int64_t divisor) override {
    return sink_.add_sum(summands, divisor);
  }
  void list_in_solutions(PrefixSums sums) override;
  std::uint64_t last_solution() const override { return sink_.last_solution(); }
  void conclude_optimal(std::int64_t optimum) override { sink_.conclude_optimal(optimum); }
  void conclude_infeasible() override { sink_.conclude_infeasible(); }
  void conclude_satisfiable() override { sink_.conclude_satisfiable(); }

 private:
  std::uint64_t log_solution(std::span<const Lit> literals, bool objective) override {
    return sink_.add_solution(literals, objective);
  }
  Lit in_proof(Lit literal) const;

  ProofSink& sink_;
  std::uint32_t& next_;
  std::uint32_t own_from_;
  std::vector<Var> names_;  // numbers in the proof of variables from own_from_ on
  std::vector<Lit> literals_;
};

}  // namespace bnnplan::cdcl
