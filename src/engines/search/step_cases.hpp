#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/step_rows.hpp"
#include "bnnplan/network/packed_inference.hpp"

namespace bnnplan::engines {

// A proof by cases over a BitSearch. The cases are given by variables that are made true, one after the
// other; within a case, everything shown before also holds.
struct CaseSplit {
  enum class Look { open, refuted, given_up };
  std::span<const std::uint32_t> choices;  // variables, in splitting order
  // Whether a case that propagation does not refute is refuted; `first_open` is the index of its first choice
  // without a value. It may assign more.
  std::function<Look(std::size_t first_open)> look;
  // Called for each refuted case, in an order such that the last one needs no variable made true. Return
  // false to stop.
  std::function<bool(std::span<const std::uint32_t> made_true)> refuted;
};

// False if an unrefuted case remains, or a callback stopped it. Requires a search that was started
// successfully.
bool split_cases(BitSearch& search, const CaseSplit& split);

// Shows by cases that a step from a state leads nowhere. Cases are split over action bits first, then over
// what the action leaves open. Variables are numbered as in StepRows. One object per thread.
class StepCases {
 public:
  StepCases(const PackedProblem& problem, LimitWatch& watch);  // keeps references

  struct Question {
    const std::uint64_t* state;
    bool last;                              // the goal must hold after the step
    std::optional<std::int64_t> most_cost;  // of the step, above the least that its bits could cost
    // Whether the next state is known to lead nowhere. Not called for steps that state and action fully
    // determine: there this must hold for every next state that allows another step (or satisfies the goal,
    // if last) within the cost.
    std::function<bool(const std::uint64_t* next)> hopeless;
    std::function<bool(std::span<const std::uint32_t> made_true)> refuted;  // as in CaseSplit
  };
  bool refute(const Question& question);  // false as in split_cases

  const StepRows& rows() const { return rows_; }

 private:
  struct Rows {
    BitSearch search;
    std::size_t cost_row;
  };
  void add_cost_row(Rows& rows);
  void add_action_rows();
  bool start(Rows& rows, const Question& question, bool any_cost);
  bool refute_by_actions(const Question& question);
  bool settles(const Question& question);
  CaseSplit::Look look(Rows& rows, const Question& question, std::size_t first_open);
  bool assign_outputs(Rows& rows, const std::uint64_t* state);

  const PackedProblem& problem_;
  StepRows rows_;
  Rows alive_, goal_;
  // Over action bits only: the rows whose other bits are all the state's.
  BitSearch actions_;
  std::vector<PackedSum> action_row_parts_;  // the state's part of each row
  std::set<Words> settled_;                  // (last or not, state, action) that leave nothing open
  std::vector<std::vector<std::uint32_t>> by_actions_;
  std::vector<std::uint32_t> choices_;
  std::int64_t least_cost_ = 0;  // the sum of the negative coefficients of the objective
  std::int64_t largest_cost_ = 0;
  std::int64_t least_action_cost_ = 0, largest_action_cost_ = 0;
  std::vector<std::int64_t> known_;
  Workspace workspace_;
  Words action_, inputs_, outputs_, next_;
};

}  // namespace bnnplan::engines
