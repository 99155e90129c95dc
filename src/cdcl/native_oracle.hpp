#pragma once

#include "bnnplan/cdcl/core_proof.hpp"
#include "bnnplan/cdcl/solver.hpp"
#include "bnnplan/maxsat/core_oracle.hpp"

namespace bnnplan::cdcl {

// Our solver as an oracle of core-guided search (maxsat/core_guided.hpp): a counter is one neuron for each
// requested output, a bounded sum is a row whose bound moves. Nothing becomes clauses.
class NativeOracle final : public maxsat::CoreOracle {
 public:
  // Keeps a reference. `row_in_proof` as in CoreProof.
  explicit NativeOracle(Solver& solver, std::uint64_t row_in_proof = 0) : solver_(solver) {
    if (solver.proof() != nullptr) proof_.emplace(*solver.proof(), row_in_proof);
  }

  using encoding::ClauseSink::add;
  Lit new_variable() override { return Lit::positive(solver_.new_variable()); }
  void add(std::span<const Lit> clause) override {
    if (proof_) proof_->add(clause);
    solver_.add_clause({clause.begin(), clause.end()});
  }
  std::uint32_t variables() const override { return solver_.variable_count(); }
  void prefer(Lit literal) override { solver_.set_phase(literal.var(), !literal.negated()); }

  using maxsat::CoreOracle::solve;
  SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) override;
  bool value(Lit literal) const override { return solver_.model_value(literal); }
  const std::vector<Lit>& core() const override { return core_; }

  Counter add_counter(std::span<const Lit> inputs) override;
  Lit output(const Counter& counter, std::size_t count) override;

  // Throws OverflowError if the sum of the weights needs more than 63 bits.
  BoundedSum add_bounded_sum(std::vector<maxsat::CostTerm> terms, formats::Weight largest) override;
  void tighten(const BoundedSum& sum, formats::Weight largest) override;

  void took_core(std::span<const Lit> cost_literals, formats::Weight weight) override;
  void about_to_harden() override { add_up(); }
  // Adds up the cores in the proof, if there is one: what they imply for a solution better than the best.
  void add_up() {
    if (proof_) proof_->add_up();
  }

  std::int64_t calls() const override { return calls_; }
  std::int64_t conflicts() const override {
    return static_cast<std::int64_t>(solver_.statistics().conflicts);
  }

 private:
  struct CountedInputs {
    std::vector<Lit> inputs, outputs;  // outputs[k]: at least k + 1, as far as requested
    std::size_t in_proof = 0;
  };
  struct Sum {
    std::uint32_t row;
    std::int64_t total;
  };

  Solver& solver_;
  std::optional<CoreProof> proof_;
  std::vector<Lit> core_;
  std::vector<CountedInputs> counters_;
  std::vector<Sum> sums_;
  std::int64_t calls_ = 0;
};

}  // namespace bnnplan::cdcl
