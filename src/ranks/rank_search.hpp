#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/action_pairs.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/engines/search/successors.hpp"
#include "bnnplan/engines/search/two_last_steps.hpp"
#include "bnnplan/ranks/rank_nodes.hpp"
#include "bnnplan/ranks/ranks.hpp"

namespace bnnplan::ranks {

struct RankLimits {
  // The memory that all ranks together may use.
  std::size_t memory_of_all = std::numeric_limits<std::size_t>::max();
};

// The search of all ranks for an optimal plan of one problem; each rank has one of these, and calls solve()
// once.
class RankSearch {
 public:
  // Keeps references. The request's limits apply to this process. Not for problems with refused prefixes, nor
  // for --first.
  RankSearch(Ranks& ranks, const Problem& problem, const engines::EngineRequest& request,
             const RankLimits& limits = {});

  // The same on all ranks except for the time: status, cost, bounds and plan do not depend on the number of
  // ranks. Throws InputErrorOfRank, on all ranks, if the file to resume from is not a checkpoint of this
  // search.
  engines::Outcome solve();

  // For tests, with the same values on all ranks: last two steps are no longer stored after this many
  // successors, and are sliced from this many states on.
  void set_last_two(std::uint64_t successors, std::size_t slice_states);

 private:
  using Id = RankNodes::Id;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();  // no cost, key or rank
  static constexpr std::uint32_t no_layer = 0xffffffff;
  // In Node::next_class of nodes whose last two steps are evaluated but not stored: the other bits count how
  // often they were.
  static constexpr std::uint32_t two_steps = std::uint32_t{1} << 31;

  // An entry of the queue: a node, and its next_class when it was queued. Out of date if the node's has
  // changed.
  struct Entry {
    Id node;
    std::uint32_t next_class;
  };
  struct DueEntry {
    Entry entry;
    std::int64_t key;
  };
  // What follows a known node: for each step, the bits of its action, which outlive its number, and the state
  // after it. The smallest of all that are found is reported.
  using Goal = engines::PathEnd;
  // Progress of a phase that looks for goals: nodes by intervals of their costs, and within one by bits of
  // their hashes.
  struct Course {
    std::uint32_t layer = no_layer;
    std::int64_t low = 0, width = 0;  // of the intervals
    std::int64_t intervals = 0, interval = 0;
    std::int64_t slices = 0, slice = 0;  // 0: the interval has not been started
  };
  struct TwoTaken {
    DueEntry due;
    std::int64_t cost;
    std::uint64_t hash;
    std::size_t end_question;  // its questions begin where the previous one's end
  };

  // rank_search.cpp: buckets of keys and their phases
  bool search();
  void add_initial();
  void push(Id node, std::int64_t key);
  void minimum(std::span<std::int64_t> values);
  void sum(std::span<std::int64_t> values);
  bool agree_to_go_on();
  // Work of this rank alone. False if it ended by a limit, which all ranks learn at the next agreement.
  template <class Work>
  static bool until_limit(const Work& work) {
    try {
      work();
      return true;
    } catch (const LimitReached&) {
      return false;
    }
  }
  bool next_phase();
  bool begin_bucket();
  void adapt_width();
  void share_upper();
  void take_phase();
  bool run_phase();
  void report();
  void note_memory(std::size_t nodes_before_long);
  std::size_t bytes() const;
  void add_statistics(engines::Outcome& outcome);

  // rank_rounds.cpp: processing what is due
  bool work_off();
  bool make_classes_together();
  std::size_t take_requests();
  bool compute();
  void queue_taken();
  void give_back();
  void send();
  void receive(std::span<const std::uint64_t> records);
  void reach(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer, const RankNodes::Node& way);

  // rank_goals.cpp: last steps
  bool looks_for_goals() const;
  bool run_course();
  void begin_course();
  bool begin_interval();
  std::int64_t interval_of(const DueEntry& due) const;
  std::int64_t work_of(const DueEntry& due);
  void find_goals();
  bool becomes_two(const DueEntry& due) const;
  std::size_t ask_two(std::int64_t cost);
  void find_two_goals();
  void decide_two();
  void share_sample();
  void offer(Goal goal);
  std::optional<Plan> follow_back();  // rank_plan.cpp

  // rank_checkpoint.cpp
  bool save_is_due();
  void save_at_the_end();
  void save();
  void write_nodes(const std::string& path) const;
  void write_index(const std::string& path, std::span<const std::int64_t> sums) const;
  void resume();
  std::int64_t read_index(engines::CheckpointReader& file);
  void read_nodes(engines::CheckpointReader& file, std::size_t& left, std::size_t most);
  void read_end(engines::CheckpointReader& file, engines::Words& sample);
  void share_read(const engines::Words& sample);
  std::size_t words_of_tail(std::uint32_t layer) const;
  void take_nodes(std::span<const std::uint64_t> records, const std::string& file);
  bool is_state(const std::uint64_t* words) const;

  Ranks& ranks_;
  const Problem& problem_;
  RankLimits limits_;
  engines::SearchRun run_;
  std::uint32_t horizon_;
  bool narrow_ = false;  // costs fit into 32 bits, and share a word with the action in messages
  std::optional<RankNodes> nodes_;
  std::vector<std::map<std::int64_t, std::vector<Entry>>> queue_;  // [layer][key]
  std::size_t queued_ = 0;
  // Nothing that costs as much is of interest; the same on all ranks.
  std::int64_t upper_ = none;
  std::optional<Goal> goal_;  // the best one found here

  // The current bucket of keys: key_ <= key < end_. All of this is the same on all ranks.
  std::int64_t key_ = 0, end_ = 0, width_ = 1, small_buckets_ = 0;
  std::int64_t evaluations_before_ = 0;  // of this rank, before the bucket
  std::uint32_t layer_ = no_layer;       // of the phase
  Course course_;
  bool sends_ = false;  // the current work has successors for other ranks
  // Last two steps of nodes not yet started are evaluated but not stored.
  bool two_now_ = false;
  bool two_ever_ = false;  // two_now_ was true at some time
  bool samples_ = true;    // of states between two last steps
  // Before two_now_; nodes already started stay as they are.
  std::uint64_t least_successors_ = 32;
  std::size_t least_slice_states_ = kPlaneLanes / 8;

  std::optional<engines::Successors> successors_;
  std::optional<engines::TwoLastSteps> two_last_steps_;
  WorkerPool pool_;
  std::vector<std::unique_ptr<engines::TwoLastSteps::Worker>> workers_;
  std::vector<bool> taken_now_;  // by node; only for take_phase
  std::vector<DueEntry> due_;    // in this phase
  std::vector<DueEntry> later_;  // in later parts of its course
  // Due when classes of actions exist that all ranks have to make together.
  std::vector<DueEntry> deferred_;
  // The work of a round, reused.
  std::vector<DueEntry> taken_;
  std::vector<std::int64_t> costs_;    // of the nodes taken
  std::vector<std::uint64_t> hashes_;  // hashes of their states
  engines::Words states_, scratch_;    // their states
  std::vector<engines::Successors::Request> requests_;
  std::vector<engines::Successors::Batch> batches_;
  std::size_t batch_count_ = 0;
  std::vector<TwoTaken> taken_two_;
  engines::Words two_states_;
  std::vector<engines::TwoLastSteps::Question> questions_;
  std::vector<engines::Words> outgoing_;      // by rank
  engines::ActionPairs pairs_;                // of last two steps
  engines::Words new_sample_;                 // of states between two last steps
  std::unordered_set<std::uint64_t> sample_;  // those whose hashes belong to this rank
  // Counted where they were found: both for this rank.
  std::int64_t sampled_ = 0, found_successors_ = 0;

  std::int64_t evaluations_ = 0, two_evaluations_ = 0, rounds_ = 0, phases_ = 0, reductions_ = 0,
               exchanges_ = 0;
  std::int64_t sent_words_ = 0, sent_records_ = 0;
  double exchange_seconds_ = 0, last_progress_ = 0;
  std::uint64_t generation_ = 0;  // of the files of a checkpoint
  std::uint64_t save_ = 0;        // distinguishes its files from those of any other save
  bool begun_ = false;            // there is something to save on all ranks
  bool whole_ = true;             // no checkpoint is still to be read
  double last_save_ = 0;
  std::string saved_, saving_error_;
  std::size_t peak_bytes_ = 0;
};

// Plans with all ranks together; the plan is checked. Throws RefusedPlan.
engines::Outcome plan_by_ranks(Ranks& ranks, const Problem& problem, const engines::EngineRequest& request,
                               const RankLimits& limits = {});

}  // namespace bnnplan::ranks
