#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "base/literal.hpp"

namespace bnnplan {

enum class SatAnswer : std::uint8_t { satisfiable, unsatisfiable, stopped };

// An incremental SAT solver (CaDiCaL) over our literals, which stops when a limit is reached.
class SatSolver {
 public:
  // `stable`: few restarts, instead of phases with few and with many in turn.
  SatSolver(LimitWatch& watch, std::uint64_t seed, bool stable = false);
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;
  ~SatSolver();

  Lit new_variable() { return Lit::positive({variables_++}); }
  std::uint32_t variables() const { return variables_; }

  void add(std::span<const Lit> clause);
  void add(std::initializer_list<Lit> clause) { add(std::span(clause.begin(), clause.size())); }

  // Says that the variable will be used again in clauses or assumptions: it is not eliminated.
  void freeze(Lit literal);
  // Decide for this literal rather than against it.
  void prefer(Lit literal);

  // Solves under assumptions. `stopped` means that the limit on conflicts or one of the watch was reached.
  SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit = {});

  bool value(Lit literal) const;  // requires that the last answer was satisfiable
  // Assumptions that are enough for the last answer, in the order in which they were given. Requires that it
  // was unsatisfiable.
  const std::vector<Lit>& core() const { return core_; }
  bool fixed(Lit literal) const;  // is it known to be true in all models?

  std::int64_t calls() const { return calls_; }
  std::int64_t conflicts() const;
  // What all calls cost so far, in conflicts; a call as such costs some too, more in a large formula.
  // Unlike time this is the same in every run, so budgets may depend on it.
  std::int64_t effort() const {
    return conflicts() + calls_ * (1 + static_cast<std::int64_t>(variables_) / 5000);
  }

 private:
  struct Backend;
  std::unique_ptr<Backend> backend_;
  std::uint32_t variables_ = 0;
  std::int64_t calls_ = 0;
  std::vector<Lit> core_;
};

}  // namespace bnnplan
