#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/cdcl/proof_sink.hpp"

namespace bnnplan::cdcl {

// What core-guided search adds to a proof, beyond what the solver learns: cores and their sum.
class CoreProof {
 public:
  // Keeps a reference. `row`: a constraint of the formula instead of the demand for a better solution.
  CoreProof(ProofSink& sink, std::uint64_t row) : sink_(sink), row_(row) {}

  // A clause that follows by unit propagation from the proof so far. Those of show() are deleted at the next
  // take().
  void add(std::span<const Lit> clause) { sink_.add_clause(clause); }
  void show(std::span<const Lit> clause) { shown_.push_back(sink_.add_clause(clause)); }

  // A core that was shown: one of its literals is true, and each costs at least `weight`.
  void take(std::span<const Lit> cost_literals, std::int64_t weight);

  // The counter of a core that was taken. add_output: the counter now has a literal for "at least `count`",
  // defined by the constraints of this number and the next; the one for count - 1 was added before it.
  std::size_t begin_counter(std::span<const Lit> cost_literals);
  void add_output(std::size_t counter, std::size_t count, std::uint64_t definition);

  // Adds up all cores and the demand for a better solution, if there was one, or the row. Then the following
  // is derived by unit propagation: no cost literal is true that such a solution cannot afford; and a
  // contradiction, if the cores cost as much as the best solution.
  void add_up();

 private:
  struct Core {
    std::vector<Lit> literals;
    std::int64_t weight;
    std::uint64_t row;  // true literals >= 1 + true outputs from 2 on
    bool counted = false;
    std::uint64_t last_definition = 0;  // of the last output
  };

  ProofSink& sink_;
  std::uint64_t row_;
  std::vector<Core> cores_;
  std::vector<std::uint64_t> shown_;
  std::uint64_t sum_ = 0;  // of the last add_up()
};

}  // namespace bnnplan::cdcl
