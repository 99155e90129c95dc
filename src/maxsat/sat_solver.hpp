#pragma once

#include <functional>
#include <memory>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/maxsat/core_oracle.hpp"
#include "bnnplan/maxsat/incremental_totalizer.hpp"
#include "bnnplan/maxsat/objective_bound.hpp"

namespace bnnplan::maxsat {

// The oracle that has only clauses: an incremental SAT solver (CaDiCaL), which stops when a limit is reached.
// Counters and bounded sums are encoded.
class SatSolver final : public CoreOracle {
 public:
  // `stable`: few restarts, instead of alternating phases of few and many.
  SatSolver(LimitWatch& watch, std::uint64_t seed, bool stable = false);
  // Sets another watch for the following calls, and a function that is called between conflicts to ask
  // whether to stop (may be empty); stopping that way counts as an interruption.
  void watch_by(LimitWatch& watch, std::function<bool()> ask);
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;
  ~SatSolver() override;

  using encoding::ClauseSink::add;
  Lit new_variable() override { return Lit::positive({variables_++}); }
  void add(std::span<const Lit> clause) override;
  std::uint32_t variables() const override { return variables_; }

  // A frozen variable is not eliminated.
  void freeze(Lit literal) override;
  void prefer(Lit literal) override;

  using CoreOracle::solve;
  SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) override;
  bool value(Lit literal) const override;
  const std::vector<Lit>& core() const override { return core_; }

  Counter add_counter(std::span<const Lit> inputs) override;
  Lit output(const Counter& counter, std::size_t count) override;
  BoundedSum add_bounded_sum(std::vector<CostTerm> terms, formats::Weight largest) override;
  void tighten(const BoundedSum& sum, formats::Weight largest) override;

  std::int64_t calls() const override { return calls_; }
  std::int64_t conflicts() const override;

 private:
  struct Backend;
  std::unique_ptr<Backend> backend_;
  std::uint32_t variables_ = 0;
  std::int64_t calls_ = 0;
  std::vector<Lit> core_;
  std::vector<IncrementalTotalizer> counters_;
  std::vector<ObjectiveBound> bounds_;
};

}  // namespace bnnplan::maxsat
