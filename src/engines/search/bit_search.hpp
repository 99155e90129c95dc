#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/bit_value.hpp"
#include "base/limits.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// Enumerates the assignments of a few bits under linear constraints, by propagation, with branching where
// propagation leaves a choice. Used for free initial states, for actions, and for what a step leaves open
// (auxiliary variables and known transitions). One thread each.
class BitSearch {
 public:
  struct Summand {
    std::int64_t coefficient;
    std::uint32_t variable;
  };

  BitSearch(std::size_t variables, LimitWatch& watch);

  // sum coefficient * variable, plus what start() says about this constraint, compared with bound.
  // Constraints are numbered in the order of calls. Requires sums that fit into 62 bits, as LinearConstraint
  // has them.
  void add_constraint(std::span<const Summand> summands, Comparison comparison, std::int64_t bound);

  // Forgets all assignments, adds known[c] to the left side of constraint c (an empty span: nothing), and
  // propagates. False if that already fails.
  bool start(std::span<const std::int64_t> known = {});

  // Assigns and propagates; false if that fails, and then nothing may follow but start() or undo_to(). A
  // variable that has the value already stays as it is.
  bool assign(std::uint32_t variable, bool value);

  // Takes back everything after the first so many assignments.
  std::size_t assigned() const { return trail_.size(); }
  void undo_to(std::size_t assigned);

  BitValue value(std::uint32_t variable) const { return values_[variable]; }

  // Calls visit for every assignment of `choices` that propagation does not refute and that some assignment
  // of `others` completes (given by value() during the call). Ends early, with false, when visit returns
  // false. The assignments made before the call are kept, unless it throws LimitReached: then start() has to follow.
  bool enumerate(std::span<const std::uint32_t> choices, std::span<const std::uint32_t> others,
                 const std::function<bool()>& visit);

 private:
  // sum of summands >= need, as slack: the largest possible sum minus need.
  struct Row {
    std::vector<Summand> summands;  // largest magnitude first
    std::int64_t largest_sum;       // with nothing assigned
    std::int64_t bound;
    std::uint32_t constraint;
    std::int64_t sign;  // -1 for the row of an at-most constraint
  };
  struct Occurrence {
    std::uint32_t row;
    std::int64_t coefficient;
  };

  void add_row(std::span<const Summand> summands, std::int64_t sign, std::int64_t bound);
  bool set_and_propagate(std::uint32_t variable, bool value);
  bool propagate();
  bool propagate_row(std::uint32_t row);
  void set(std::uint32_t variable, bool value);
  bool choose(std::size_t from, const std::function<bool()>& visit);
  bool complete(std::size_t from);
  void look_at_clock();

  LimitWatch& watch_;
  std::vector<Row> rows_;
  std::vector<std::vector<Occurrence>> occurrences_;
  std::uint32_t constraints_ = 0;
  BitValues values_;
  std::vector<std::int64_t> slack_;   // of each row
  std::vector<std::uint32_t> trail_;  // assigned variables, in order
  std::size_t propagated_ = 0;        // of the trail
  std::span<const std::uint32_t> choices_, others_;
  std::uint64_t branchings_ = 0;
};

// Adds all constraints and transitions without next-state bits to a search whose variables are all action
// bits, then all state bits, then all auxiliary bits, before any other constraint. Returns how many they are.
std::size_t add_step_constraints(BitSearch& search, const Problem& problem);

}  // namespace bnnplan
