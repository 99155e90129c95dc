#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/search/action_filter.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/canonical_state.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/step_program.hpp"
#include "bnnplan/engines/search/step_solver.hpp"

namespace bnnplan::engines {

// Computes next states and stores none of them: the callers do (SuccessorGraph, and the ranks of a
// distributed search). Threads may share one, each with its own Worker.
class Successors {
 public:
  // Keeps references.
  Successors(const PackedProblem& problem, const CanonicalStates& symmetry, const ActionTable& actions,
             LimitWatch& watch);

  // A state and the actions to evaluate there.
  struct Request {
    const std::uint64_t* state;
    ActionId begin, end;
  };
  struct Pair {
    std::uint32_t request;
    ActionId action;
  };
  // The result of one call: for each pair of request and action a useful next state (for last steps: one that
  // satisfies the goal), in the order of requests and actions.
  struct Batch {
    std::size_t first_request, end_request;
    bool last;  // its requests are last steps
    std::vector<Pair> pairs;
    Words next;
    std::uint64_t evaluations;
  };
  struct Worker {
    Worker(const PackedProblem& problem, LimitWatch& watch) : steps(problem, watch) {}
    StepSolver steps;
    std::optional<ActionFilter> filter;  // made when needed
    Workspace workspace;
    StepProgram::Workspace lanes;
    std::vector<StepProgram::Pair> lane_pairs;
    Words inputs, outputs, learned, state_inputs, blocks;
    std::vector<Pair> pairs;
  };

  // Divides requests into batches of consecutive ones, each large enough to be worth a call of the network;
  // those from `first_last` on are last steps. Returns the number of batches; the vector may hold more, whose
  // memory is reused.
  template <class AnyBatch>
  static std::size_t make_batches(std::span<const Request> requests, std::size_t first_last,
                                  std::vector<AnyBatch>& batches) {
    std::size_t count = 0, size = batch_evaluations;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (size >= batch_evaluations || i == first_last) {
        if (count == batches.size()) batches.emplace_back();
        batches[count].last = i >= first_last;
        batches[count++].first_request = i;
        size = 0;
      }
      batches[count - 1].end_request = i + 1;
      size += requests[i].end - requests[i].begin;
    }
    return count;
  }

  // Must be called by one thread after actions were made and before compute().
  void note_actions();

  // The next states of the batch's requests. Throws LimitReached; the batch is then meaningless.
  void compute(Worker& worker, std::span<const Request> requests, Batch& batch) const;

  std::size_t bytes() const { return descending_blocks_.capacity() * sizeof(std::uint64_t); }

 private:
  static constexpr std::size_t batch_evaluations = 256;

  // The position of the path to the state in the trie of refused prefixes.
  RefusedTrie::Node trie_node(const std::uint64_t* state) const {
    return problem_.refused.empty() ? RefusedTrie::outside : state[problem_.state_words - 1];
  }
  void make_pairs(Worker& worker, std::span<const Request> requests, const Batch& batch) const;
  void make_learned(Worker& worker, const std::uint64_t* state, std::size_t pair,
                    std::uint64_t* learned) const;
  void solve_steps(Worker& worker, std::span<const Request> requests, Batch& batch) const;
  void solve_step(Worker& worker, const std::uint64_t* state, Pair pair, const std::uint64_t* learned,
                  Batch& batch) const;

  const PackedProblem& problem_;
  const CanonicalStates& symmetry_;
  std::vector<std::uint64_t> descending_blocks_;  // by action, with symmetry
  const ActionTable& actions_;
  LimitWatch& watch_;
  StepProgram program_;
};

}  // namespace bnnplan::engines
