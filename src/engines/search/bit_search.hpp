#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Enumerates the assignments of a few bits under linear constraints, by propagation, branching where
// propagation leaves a choice. Used for free initial states, for actions, and for what a step leaves open
// (auxiliary variables and known transitions). One object per thread.
class BitSearch {
 public:
  struct Summand {
    std::int64_t coefficient;
    std::uint32_t variable;
  };

  BitSearch(std::size_t variables, LimitWatch& watch);

  // sum coefficient * variable, plus the known part given to start() for this constraint, compared with
  // bound. Constraints are numbered in the order of calls. Requires sums that fit into 62 bits, as in
  // LinearConstraint.
  void add_constraint(std::span<const Summand> summands, Comparison comparison, std::int64_t bound);

  // Clears all assignments, adds known[c] to the left side of constraint c (an empty span: nothing), and
  // propagates. False if that already fails.
  bool start(std::span<const std::int64_t> known = {});

  // Assigns and propagates; false if that fails, and then only start() or undo_to() may follow. A variable
  // that already has the value stays as it is.
  bool assign(std::uint32_t variable, bool value);

  // Undoes everything after the first `assigned` assignments.
  std::size_t assigned() const { return trail_.size(); }
  void undo_to(std::size_t assigned);

  BitValue value(std::uint32_t variable) const { return values_[variable]; }

  // Calls visit for every assignment of `choices` that propagation does not refute and that some assignment
  // of `others` completes (given by value() during the call). Ends early, with false, when visit returns
  // false. The assignments made before the call are kept, unless it throws LimitReached: then start() must
  // follow.
  bool enumerate(std::span<const std::uint32_t> choices, std::span<const std::uint32_t> others,
                 const std::function<bool()>& visit);

 private:
  // sum of summands >= bound, with its slack: the largest possible sum minus the bound.
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
  std::vector<std::int64_t> slack_;   // by row
  std::vector<std::uint32_t> trail_;  // assigned variables, in order
  std::size_t propagated_ = 0;        // length of the propagated part of the trail
  std::span<const std::uint32_t> choices_, others_;
  std::uint64_t branchings_ = 0;
};

// Adds all constraints and transitions without next-state bits to a search whose variables are all action
// bits, then all state bits, then all auxiliary bits, before any other constraint. Returns their number.
std::size_t add_step_constraints(BitSearch& search, const Problem& problem);

}  // namespace bnnplan::engines
