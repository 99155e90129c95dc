#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/search/sliced_last_step.hpp"
#include "bnnplan/engines/search/successors.hpp"
#include "bnnplan/engines/search/tie_break.hpp"

namespace bnnplan::engines {

// Evaluates the last two steps of plans: from a state all actions of one class, and from the states these
// lead to all actions of another. Stores nothing but paths to the goal. For SuccessorGraph, and for the ranks
// of a distributed search.
class TwoLastSteps {
 public:
  // Keeps references. Requires that class 0 of the actions is made.
  TwoLastSteps(const PackedProblem& problem, const CanonicalStates& symmetry, const ActionTable& actions,
               const Successors& successors, LimitWatch& watch);

  // A state and the classes of actions, which must exist.
  struct Question {
    const std::uint64_t* state;
    std::uint32_t first_class, second_class;
  };
  // A path to the goal, by its extra cost. Of several for the same question the smallest is reported.
  struct Way : PathEnd {
    std::size_t question;  // its index
    const std::uint64_t* between() const { return tail.data(); }
    const std::uint64_t* next() const { return tail.data() + tail.size() / 2; }
  };
  // What was found in a part of the questions: the best path for each.
  struct Found {
    std::vector<Way> ways;
    std::uint64_t evaluations;
    std::vector<std::uint64_t> sample;  // hashes of one in 64 of the states between, for second class 0
  };
  struct Worker : Successors::Worker {
    using Successors::Worker::Worker;
    // The first steps, and those from the states between.
    std::vector<Successors::Request> first_requests, requests;
    SlicedLastStep::Workspace slices;
    std::vector<const std::uint64_t*> slice_states;
    std::vector<std::uint32_t> way_of_item;  // within the part
  };

  // Whether many states are processed together, so that more questions should be asked at a time.
  bool slices();
  // With fewer states between, they are evaluated one by one. For tests.
  void set_least_slice_states(std::size_t states) { least_slice_states_ = states; }

  // Divides the questions, whose states stay where they are, into parts, and returns their number.
  std::size_t ask(std::span<const Question> questions);
  // Computes a part; different threads may compute different parts. Throws LimitReached.
  void compute(Worker& worker, std::size_t part);
  std::size_t part_count() const { return parts_.size(); }
  const Found& found(std::size_t part) const { return found_[part]; }

  // Whether storing all states would be better: because many of `edges` led to known states, or because the
  // sampled states between the two steps repeat. `rather_keep` if the stored states serve other searches as
  // well.
  bool repeat(std::uint64_t edges, std::uint64_t states, std::uint64_t sampled, std::uint64_t different,
              bool rather_keep);

 private:
  using Request = Successors::Request;
  using Pair = Successors::Pair;
  using Batch = Successors::Batch;
  // A question, or some of its first actions.
  struct Item {
    std::size_t question;
    Request first;
  };
  // Some of the items, with the same second actions.
  struct Part {
    std::size_t begin, end;  // range of items
    std::uint32_t second_class;
  };

  Request request(const std::uint64_t* state, std::size_t action_class) const {
    return {state, actions_[action_class].begin, actions_[action_class].end};
  }
  const SlicedLastStep& sliced_last_step();
  void make_sliced_parts(std::span<const Question> questions);
  void compute_first_by_slices(Worker& worker, const Part& part, Batch& first);
  void find_by_slices(Worker& worker, const Part& part, const Batch& first,
                      std::span<const std::size_t> origin, Found& found);
  std::int64_t extra_cost(ActionId action, const std::uint64_t* next) const;
  void add_way(Worker& worker, const Part& part, Pair first, const std::uint64_t* between,
               const Batch& second, std::size_t pair, Found& found) const;

  const PackedProblem& problem_;
  const CanonicalStates& symmetry_;
  const ActionTable& actions_;
  const Successors& successors_;
  LimitWatch& watch_;
  std::vector<Item> items_;   // reused
  std::vector<Part> parts_;   // reused
  std::vector<Found> found_;  // reused
  std::size_t least_slice_states_ = kPlaneLanes / 8;
  std::optional<SlicedLastStep> sliced_;                                // made on first use
  std::vector<std::optional<SlicedLastStep::Actions>> sliced_actions_;  // by class, made on first use
};

}  // namespace bnnplan::engines
