#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/search/sliced_last_step.hpp"
#include "engines/search/successors.hpp"

namespace bnnplan {

// Looks at the last two steps of plans: from a state all actions of one class, and from the states these lead to all actions of
// another. Nothing of it is kept but ways to the goal. For SuccessorGraph, and for the ranks of a distributed search.
class TwoLastSteps {
 public:
  // Keeps references. Requires that class 0 of the actions is made.
  TwoLastSteps(const PackedProblem& problem, const CanonicalStates& symmetry, const ActionTable& actions,
               const Successors& successors, LimitWatch& watch);

  // A state and the classes of actions, which must be made.
  struct Question {
    const std::uint64_t* state;
    std::uint32_t first_class, second_class;
  };
  // A way to the goal. Of several with the same cost to the same question the one with the least actions is told, so that it depends on
  // nothing but the question.
  struct Way {
    std::size_t question;  // its number
    ActionId first, last;
    std::int64_t cost;  // extra, of both steps
    Words between, next;
    bool before(const Way& other) const;
  };
  // What was found in a part of the questions: the best way there of each.
  struct Found {
    std::vector<Way> ways;
    std::uint64_t evaluations;
    std::vector<std::uint64_t> sample;  // hashes of one in 64 of the states between, of second class 0
  };
  struct Worker : Successors::Worker {
    using Successors::Worker::Worker;
    std::vector<Successors::Request> first_requests,
        requests;  // the first steps, and from the states between
    SlicedLastStep::Workspace slices;
    std::vector<const std::uint64_t*> slice_states;
    std::vector<std::uint32_t> way_of_item;  // of the part
  };

  // Whether many states are looked at together, so that more questions should be asked at a time.
  bool slices();
  // Fewer states between are evaluated one by one. For tests.
  void set_least_slice_states(std::size_t states) { least_slice_states_ = states; }

  // Cuts the questions, whose states stay where they are, into parts, and says how many there are.
  std::size_t ask(std::span<const Question> questions);
  // Looks at a part; different threads may do so with different ones. Throws LimitReached.
  void compute(Worker& worker, std::size_t part);
  std::size_t part_count() const { return parts_.size(); }
  const Found& found(std::size_t part) const { return found_[part]; }

  // Whether keeping all states would be better: because many of `edges` led to states that were known, or because the sampled
  // states between the two steps repeat. `rather_keep` if what is kept serves others as well.
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
  // Some of these, whose second actions are the same.
  struct Part {
    std::size_t begin, end;  // of the items
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
  std::optional<SlicedLastStep> sliced_;                                // made when it is first asked for
  std::vector<std::optional<SlicedLastStep::Actions>> sliced_actions_;  // of each class that was asked for
};

}  // namespace bnnplan
