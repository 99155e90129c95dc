#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/worker_pool.hpp"
#include "engines/engine.hpp"
#include "engines/search/search_run.hpp"
#include "engines/search/successors.hpp"
#include "ranks/rank_nodes.hpp"
#include "ranks/ranks.hpp"

namespace bnnplan {

// The search of all ranks for an optimal plan of one problem; each rank has one of these, and calls solve() once.
class RankSearch {
 public:
  // Keeps references. Limits are those of the own process. Not for problems with refused prefixes, nor for --first.
  RankSearch(Ranks& ranks, const Problem& problem, const EngineRequest& request);

  // The same on all ranks, but for the time: status, cost, bounds and plan do not depend on how many there are. Throws InputError,
  // on all ranks, if it is to go on from what is no checkpoint of this search.
  Outcome solve();

 private:
  using Id = RankNodes::Id;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();  // no cost, key or rank
  // An entry of the queue: a node, and the class of actions that is next. Out of date if the node says another.
  struct Entry {
    Id node;
    std::uint32_t action_class;
  };
  struct Phase {
    std::int64_t key;
    std::uint32_t layer;
    bool operator<(const Phase& other) const {
      return key != other.key ? key < other.key : layer < other.layer;
    }
  };
  // The last step of a plan. The least of all that are seen is the one that is told.
  struct Goal {
    std::int64_t cost;
    std::uint64_t parent;
    std::uint32_t action;
    Words state;
    bool before(const Goal& other) const;
  };

  bool search();
  bool add_initial();
  void push(Id node, std::int64_t key);

  bool agree_to_go_on();
  std::optional<Phase> next_phase();
  void share_upper();
  bool run_phase(const Phase& phase);
  std::vector<Entry> take_phase(const Phase& phase);
  void put_back(const Phase& phase, const std::vector<Entry>& entries);
  std::size_t take_requests(const Phase& phase, std::vector<Entry>& entries);
  bool compute(bool last);
  void give_back(std::vector<Entry>& entries);
  void send(const Phase& phase);
  void receive(std::span<const std::uint64_t> records, const Phase& phase);
  void reach(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer,
             const RankNodes::Node& node);
  void find_goals(const Phase& phase);
  std::optional<Plan> follow_back();
  void report(const Phase& phase);

  // rank_checkpoint.cpp
  bool save_is_due();
  void save_at_the_end();
  void save();
  void write_nodes(const std::string& path) const;
  void write_index(const std::string& path) const;
  void resume();
  std::int64_t read_index(CheckpointReader& file);
  void read_nodes(CheckpointReader& file, std::size_t& left, std::size_t most);
  void take_nodes(std::span<const std::uint64_t> records, const std::string& file);
  bool is_state(const std::uint64_t* words) const;
  std::size_t bytes() const;
  void add_statistics(Outcome& outcome);

  Ranks& ranks_;
  const Problem& problem_;
  SearchRun run_;
  std::uint32_t horizon_;
  bool narrow_ = false;  // costs fit into 32 bits, and share a word with the action where they are sent
  std::optional<RankNodes> nodes_;
  std::map<Phase, std::vector<Entry>> queue_;
  std::size_t queued_ = 0;
  std::int64_t upper_;  // nothing that costs as much is of interest; the same on all ranks
  std::int64_t key_ = 0;
  std::optional<Goal> goal_;  // the best one seen here

  std::optional<Successors> successors_;
  WorkerPool pool_;
  std::vector<std::unique_ptr<Successors::Worker>> workers_;
  // What is worked off in a round, reused.
  std::vector<Entry> taken_;
  std::vector<std::int64_t> costs_;    // of the nodes taken,
  std::vector<std::uint64_t> hashes_;  // the hashes of their states,
  Words states_;                       // and these
  std::vector<Successors::Request> requests_;
  std::vector<Successors::Batch> batches_;
  std::size_t batch_count_ = 0;
  std::vector<Words> outgoing_;  // of each rank

  std::int64_t evaluations_ = 0, rounds_ = 0, phases_ = 0, sent_words_ = 0, sent_records_ = 0;
  double exchange_seconds_ = 0, last_progress_ = 0;
  std::uint64_t generation_ = 0;  // of the files of a checkpoint
  bool whole_ = true;             // nothing of a checkpoint is still to be read
  double last_save_ = 0;
  std::string saved_, saving_error_;
  std::size_t peak_bytes_ = 0;
};

// Plans by all ranks together: the plan is checked. Throws RefusedPlan.
Outcome plan_by_ranks(Ranks& ranks, const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan
