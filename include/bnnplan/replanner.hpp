#pragma once

// Planning as one goes along: plan, act, look where that led, plan again from there.
//
//   bnnplan::Replanner replanner(problem, {});
//   const bnnplan::Outcome outcome = replanner.plan(bits_of_the_state, 4);

#include <atomic>
#include <cstdint>

#include <bnnplan/plan.hpp>

#include "bnnplan/engines/search/kept_search.hpp"

namespace bnnplan {

using engines::KeptSearch;

// Plans for one problem again and again. Search keeps its graph from plan to plan and has a moment for
// itself; all engines are asked where that is not enough.
class Replanner {
 public:
  Replanner(Problem problem, const Limits& limits);

  const Problem& problem() const { return problem_; }

  // From the state that has these bits, one per state bit. What it returns is as plan() has it; an interrupt
  // that is not null stops it. Throws InputError as set_horizon does.
  Outcome plan(const BitValues& initial, std::int64_t horizon, const std::atomic<bool>* interrupt = nullptr);

 private:
  Problem problem_;
  Limits limits_;
  KeptSearch search_;
};

}  // namespace bnnplan
