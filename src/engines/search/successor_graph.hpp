#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/canonical_state.hpp"
#include "bnnplan/engines/search/checkpoint_file.hpp"
#include "bnnplan/engines/search/chunked_array.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/state_table.hpp"
#include "bnnplan/engines/search/successors.hpp"
#include "bnnplan/engines/search/two_last_steps.hpp"

namespace bnnplan::engines {

// One step from a state. Of several actions that lead to the same state only a cheapest one is kept.
struct Edge {
  StateId next;
  ActionId action;
};

// The edges of a state for one class of actions; a linked list over the classes in order.
struct EdgeBlock {
  std::uint64_t begin;
  std::uint32_t count;
  std::uint32_t next_block;  // no_index at the end
};

// The states seen so far and the steps between them that were requested. A successor is computed once; every
// later layer, and every later search, finds it here. States that are useless to any plan (they violate a
// state constraint and do not satisfy the goal) do not enter. If the problem has symmetries, all states are
// canonical: a successor is stored after CanonicalStates.
//
// States are sharded by hash: each shard has its own table, so that threads insert into different ones
// without a lock, and a state's number identifies its shard. Numbers depend only on the order of insertion
// within a shard, and so not on the number of threads. They have gaps: see exists().
//
// Costs in the graph are extra costs: relative to the cheapest possible step. They are never negative.
class SuccessorGraph {
 public:
  // Keeps references. Requires that class 0 of the actions is made.
  SuccessorGraph(const PackedProblem& problem, const CanonicalStates& symmetry, ActionTable& actions,
                 LimitWatch& watch);

  StateId add_state(const std::uint64_t* words);

  // A state and the class of actions, which must exist, of a plan's last step from there.
  struct LastStep {
    StateId state;
    std::uint32_t action_class;
  };
  // A state and the classes of actions of the last two steps from there.
  struct LastTwoSteps {
    StateId state;
    std::uint32_t first_class, second_class;
  };
  // What a search asks for next.
  struct Questions {
    std::vector<StateId> expand;  // all different: see expand()
    std::vector<LastStep> last;
    std::vector<LastTwoSteps> last_two;
    void clear();
  };
  // The cheapest path of two steps to the goal; `first.next` is no_index if there is none.
  struct LastTwoEdges {
    Edge first, last;
    std::int64_t extra_cost;
  };
  struct Answers {
    // The cheapest edge to a state that satisfies the goal; its `next` is no_index if there is none. Only
    // these next states enter the graph, and no edge does.
    std::vector<Edge> last;
    // The same for two steps. Nothing between them is stored, so a state that is reached in several ways is
    // processed as many times.
    std::vector<LastTwoEdges> last_two;
  };
  // Answers everything, or throws LimitReached and leaves the graph as it was. `other_bytes` is the memory
  // held by the caller.
  void answer(const Questions& questions, std::size_t other_bytes, Answers& answers);

  // Computes the edges of each given state (all different) for the first class of actions that it does not
  // have yet, which must exist. Otherwise as answer().
  void expand(std::span<const StateId> states, std::size_t other_bytes);

  // Whether storing all states would be better than evaluating the last two steps of a plan and forgetting
  // them: because many edges so far led to known states, or because the states between two last steps repeat,
  // judging by a sample of one in 64 of them. If the graph serves later searches as well (`is_kept`), fewer
  // repetitions are enough.
  bool two_steps_repeat(bool is_kept) {
    return two_last_steps_.repeat(edges_.size(), state_count_, sampled_, sample_.size(), is_kept);
  }
  // Whether two last steps are evaluated for many states at once, so that more of them should be requested at
  // a time.
  bool slices() { return two_last_steps_.slices(); }
  // With fewer states between, they are evaluated one by one. For tests.
  void set_least_slice_states(std::size_t states) { two_last_steps_.set_least_slice_states(states); }

  // Keeps an edge from Answers for edge_between.
  void keep(StateId state, const Edge& edge) { last_edges_.try_emplace({state, edge.next}, edge.action); }

  std::size_t state_count() const { return state_count_; }
  StateId state_limit() const { return state_limit_; }  // all numbers are smaller
  bool exists(StateId state) const { return state / shard_count < shard(state).states.size(); }
  const std::uint64_t* words(StateId state) const { return shard(state).states[state / shard_count]; }
  bool alive(StateId state) const { return record(state).alive; }  // a step may start here
  bool goal(StateId state) const { return record(state).goal; }
  bool waits(StateId state) const { return record(state).waits; }  // a step of extra cost 0 leads back
  std::uint32_t first_block(StateId state) const { return record(state).first_block; }
  std::uint32_t last_block(StateId state) const { return record(state).last_block; }
  std::size_t classes(StateId state) const { return record(state).classes; }  // with edges computed
  const EdgeBlock& block(std::uint32_t index) const { return blocks_[index]; }
  const Edge& edge(std::uint64_t index) const { return edges_[index]; }
  std::int64_t extra_cost(const Edge& edge) const {
    return actions_.cost(edge.action) - least_action_cost_ +
           (problem_.next_cost.empty() ? 0 : shard(edge.next).next_costs[edge.next / shard_count]);
  }

  // The cheapest edge between two states among those computed. Requires that there is one.
  Edge edge_between(StateId from, StateId to) const;

  // Marks are for sets of states that last until the next clear_marks() or expand().
  void clear_marks();
  bool mark(StateId state);  // false if it was marked already

  // What cannot be recomputed cheaply: states and edges. restore() is for a graph that has at most the
  // initial states, and the classes of actions that the saved one had; it returns the state of each block of
  // edges.
  void save(CheckpointWriter& file) const;
  std::vector<StateId> restore(CheckpointReader& file);

  std::uint64_t evaluations() const { return evaluations_; }
  // Without those of two last steps, several of which take the time of one of these.
  std::uint64_t kept_evaluations() const { return evaluations_ - forgotten_evaluations_; }
  std::uint64_t edge_count() const { return edges_.size(); }
  std::size_t bytes() const;

 private:
  struct StateRecord {
    std::uint32_t first_block, last_block, mark;
    std::uint32_t classes : 29;
    std::uint32_t alive : 1, goal : 1, waits : 1;
  };
  // The states whose hashes begin with the same bits. State number n of shard s is n * shard_count + s.
  static constexpr std::uint32_t shard_bits = 6, shard_count = 1u << shard_bits;
  struct Shard {
    explicit Shard(std::size_t words) : states(words) {}
    StateTable states;
    ChunkedArray<StateRecord, 8> records;
    ChunkedArray<std::int64_t, 8> next_costs;  // extra; only if the objective has next-state bits
  };
  using Request = Successors::Request;
  using Pair = Successors::Pair;
  using Worker = TwoLastSteps::Worker;
  struct Batch : Successors::Batch {
    // Hashes of the next states, unless these are last steps.
    std::vector<std::uint64_t> hashes;
    // Their numbers, once they are inserted.
    std::vector<StateId> ids;
  };

  Request request(StateId state, std::size_t action_class) const {
    return {words(state), actions_[action_class].begin, actions_[action_class].end};
  }
  const Shard& shard(StateId state) const { return shards_[state % shard_count]; }
  const StateRecord& record(StateId state) const { return shard(state).records[state / shard_count]; }
  StateRecord& record(StateId state) { return shards_[state % shard_count].records[state / shard_count]; }
  std::uint64_t hash_of(const std::uint64_t* state) const {
    return StateTable::hash_of(state, problem_.state_words);
  }
  static std::uint32_t shard_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> (64 - shard_bits));
  }
  StateId insert(const std::uint64_t* state, std::uint64_t hash);
  void insert_all(std::size_t found);
  void insert_into(std::uint32_t range, std::uint32_t ranges);
  void count_states();
  void answer(std::span<const StateId> expand, std::span<const LastStep> last,
              std::span<const LastTwoSteps> last_two, std::size_t other_bytes, Answers& answers);
  void compute_all();
  void add_last_edges(const Batch& batch, std::size_t first_request, std::vector<Edge>& edges);
  void add_last_two_edges(std::vector<LastTwoEdges>& edges);
  void compute(Worker& worker, std::span<const Request> requests, Batch& batch) const;
  void append_block(StateId state, std::uint64_t begin);
  void add_edges(StateId state, std::uint32_t request, const Batch& batch, std::size_t& position);

  const PackedProblem& problem_;
  const CanonicalStates& symmetry_;
  ActionTable& actions_;
  LimitWatch& watch_;
  std::int64_t least_action_cost_;
  Successors successors_;
  TwoLastSteps two_last_steps_;
  std::vector<Shard> shards_;
  std::size_t state_count_ = 0;
  StateId state_limit_ = 0;
  ChunkedArray<EdgeBlock> blocks_;
  ChunkedArray<Edge, 15> edges_;
  std::map<std::pair<StateId, StateId>, ActionId> last_edges_;  // those not in edges_; a few
  std::uint32_t current_mark_ = 0;
  std::vector<StateId> seen_;  // reused
  std::uint64_t evaluations_ = 0, forgotten_evaluations_ = 0;
  WorkerPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Request> requests_;                      // reused
  std::vector<Batch> batches_;                         // reused
  std::vector<TwoLastSteps::Question> two_questions_;  // reused
  std::vector<const TwoLastSteps::Way*> two_ways_;     // reused
  std::unordered_set<std::uint64_t> sample_;           // of states between two last steps
  std::size_t sampled_ = 0;                            // how many were examined for the sample
  std::size_t batch_count_ = 0;
  Answers no_answers_;  // for expand()
};

}  // namespace bnnplan::engines
