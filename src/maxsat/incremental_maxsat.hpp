#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/maxsat/assuming_oracle.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "bnnplan/maxsat/sat_solver.hpp"

namespace bnnplan::maxsat {

// Weighted MaxSAT for a sequence of formulas: clauses are added, weights change, assumptions come and go, and
// what was learned stays. Core-guided search over CaDiCaL.
//
// As a clause sink it takes hard clauses, which are permanent; a clause to be retracted later gets a literal
// of its own that is assumed as long as the clause holds.
class IncrementalMaxSat final : public encoding::ClauseSink {
 public:
  // strategy and at_most_one_detection of the options are not used.
  explicit IncrementalMaxSat(const MaxSatOptions& options = {}, std::uint64_t seed = 0);

  using encoding::ClauseSink::add;
  Lit new_variable() override;
  void add(std::span<const Lit> clause) override;  // requires variables from new_variable()

  // From now on the literal costs this much when it is true; 0 for no cost. A literal and its negation may
  // both have a cost. Throws OverflowError, and changes nothing, if the sum of all weights would exceed
  // largest_weight_sum.
  void set_weight(Lit literal, formats::Weight weight);

  struct Request {
    Limits limits;                      // of this call; threads and seed are not used
    std::function<bool()> should_stop;  // called regularly; may be empty
    // Any model will do: the status is then `satisfiable`.
    bool first = false;
    MaxSatCallbacks callbacks;
  };
  // The cheapest model of all clauses in which the assumptions are true. The outcome is like that of
  // solve_maxsat; `unsatisfiable` means: under these assumptions. Its model has all current variables. After
  // a call that was stopped, the next one continues from what was learned.
  MaxSatOutcome solve(std::span<const Lit> assumptions, const Request& request);

  std::uint32_t variables() const { return static_cast<std::uint32_t>(in_solver_.size()); }
  // Of the last call: cores of earlier calls that were used again.
  std::size_t reused_cores() const { return reused_cores_; }

 private:
  Lit in_solver(Lit literal) const {
    return Lit::of(in_solver_[literal.var().index].var(), literal.negated());
  }
  formats::Weight cost_in(const CoreOracle& oracle) const;
  MaxSatModel read_model(const CoreOracle& oracle, std::span<const Lit> assumptions,
                         formats::Weight cost) const;

  MaxSatOptions options_;
  LimitWatch no_limits_{Limits{}};
  SatSolver solver_;
  AssumingOracle oracle_;
  std::vector<Lit> in_solver_;  // by variable; counters have variables in the solver as well
  formats::ClauseList clauses_;
  std::vector<formats::Weight> weights_;  // by code of the literal
  std::vector<bool> was_costly_;  // by code of the literal: it had a weight at some time, and is in costly_
  std::vector<Lit> costly_;
  formats::Weight weight_sum_ = 0;
  std::size_t reused_cores_ = 0;
};

}  // namespace bnnplan::maxsat
