#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/base/literal.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/maxsat/cost_function.hpp"

namespace bnnplan::maxsat {

// What the search for an optimum asks of a solver: is there a model under these assumptions, and if not,
// which of them are to blame? Counters and bounded sums are constraints of their own, because one solver
// encodes them as clauses and another has them as neurons and rows. Everything is added between calls of
// solve().
//
// As a clause sink it takes hard clauses. Clauses may be added after models were found; a cost literal that
// no improvement can afford becomes a unit clause.
class CoreOracle : public encoding::ClauseSink {
 public:
  // All variables, including those of counters and sums, are below this.
  virtual std::uint32_t variables() const = 0;

  // Hints, which an oracle may ignore: the variable will be used again in clauses or assumptions; decide for
  // this literal rather than against it.
  virtual void freeze(Lit) {}
  virtual void prefer(Lit) {}

  // Solves under assumptions. `stopped` means that the conflict limit or a limit of the run was reached.
  virtual SatAnswer solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) = 0;
  SatAnswer solve(std::span<const Lit> assumptions) { return solve(assumptions, std::nullopt); }

  // Both refer to the last answer, which must have been satisfiable or unsatisfiable respectively. The core
  // is a sufficient subset of the assumptions, in the order in which they were given; empty only if no model
  // exists at all.
  virtual bool value(Lit literal) const = 0;
  virtual const std::vector<Lit>& core() const = 0;

  // Counts how many of its inputs are true.
  struct Counter {
    std::size_t index = 0;
    std::size_t size = 0;  // number of inputs
  };
  // Requires at least one input.
  virtual Counter add_counter(std::span<const Lit> inputs) = 0;
  // A literal that is true whenever at least `count` inputs are, and may be false whenever fewer are;
  // output(count + 1) implies output(count). Requires 1 <= count <= size. Always the same literal; it may be
  // an input of other counters. Its encoding is created when it is first requested.
  virtual Lit output(const Counter& counter, std::size_t count) = 0;

  // A sum that is bounded.
  struct BoundedSum {
    std::size_t index = 0;
  };
  // From now on the sum of the weights of the true literals is at most `largest`. All weights are positive.
  virtual BoundedSum add_bounded_sum(std::vector<CostTerm> terms, formats::Weight largest) = 0;
  // Requires that `largest` is less than before.
  virtual void tighten(const BoundedSum& sum, formats::Weight largest) = 0;

  // What core-guided search has found out, for all later calls. These are clauses, unless an oracle adds more
  // or has to record on which of its own assumptions they rest (assuming_oracle.hpp).
  //   add_core     one of these cost literals is true: a core that was taken
  //   add_count    this many inputs of the counter are true, as the last answer has shown
  //   exclude      no better model can afford this cost literal
  virtual void add_core(std::span<const Lit> cost_literals) { add(cost_literals); }
  virtual void add_count(const Counter& counter, std::size_t count) { add({output(counter, count)}); }
  virtual void exclude(Lit cost_literal) { add({~cost_literal}); }

  // For an oracle that writes a proof: these cost literals are a core (or a part of one that was found to be
  // enough), and each of them loses this much of its weight; cost literals that a better model cannot afford
  // are about to be made false.
  virtual void took_core(std::span<const Lit> /*cost_literals*/, formats::Weight /*weight*/) {}
  virtual void about_to_harden() {}

  virtual std::int64_t calls() const = 0;
  virtual std::int64_t conflicts() const = 0;
  // The cost of all calls so far, in conflicts; each call also has a cost of its own, higher in a large
  // formula. Unlike time this is the same in every run, so budgets may depend on it.
  std::int64_t effort() const {
    return conflicts() + calls() * (1 + static_cast<std::int64_t>(variables()) / 5000);
  }
};

}  // namespace bnnplan::maxsat
