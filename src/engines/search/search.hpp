#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/best_first.hpp"
#include "bnnplan/engines/search/layers.hpp"
#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// One run of the search engine: which search runs when (search_engine.cpp), and how it is saved and resumed
// (checkpoint.cpp).
class Search {
 public:
  explicit Search(SearchRun& run);  // keeps a reference

  // Throws InputError if the file to resume from is not a checkpoint of this search.
  Outcome solve();

 private:
  enum class Stage : std::uint8_t { begin, best_first, dive, layers };
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

  bool search();
  bool run_stages();
  void begin_stages();
  void begin_dive(std::uint64_t most_evaluations, std::size_t most_nodes);
  // Each works until the stage changes, and returns nothing; or until the end, and returns whether the best
  // plan (or that there is none) is proved to be the answer.
  std::optional<bool> best_first();
  std::optional<bool> dive();
  std::optional<bool> layers();
  bool suits_layers(std::size_t nodes) const;
  void count_nodes(const BestFirst& search);
  void take_paths();
  void take(Plan plan, std::int64_t cost);
  void take(const Path& path, std::int64_t extra_cost);
  void add_statistics(Outcome& outcome) const;

  void open_checkpoint();
  void resume();
  void restore_plan(CheckpointReader& file);
  void restore_stages(CheckpointReader& file);
  void save_now_and_then();
  void save_at_the_end();
  void try_to_save();
  void save(const std::string& path);
  void take_plans_of_others();
  double expected_saving_seconds() const;

  SearchRun& run_;
  std::optional<std::vector<StateId>> initial_;
  Stage stage_ = Stage::begin;
  std::optional<BestFirst> best_first_, dive_;
  std::uint64_t next_dive_ = 0;
  std::size_t next_layers_ = 0;
  std::uint64_t dive_evaluations_ = 0;  // at which the dive ends
  std::size_t dive_nodes_ = 0;          // at which the dive ends
  LayeredSearch::Closing closing_;

  std::optional<Plan> plan_;  // the best one
  std::int64_t cost_ = 0;     // of the best plan

  std::size_t nodes_ = 0, node_bytes_ = 0;
  std::uint64_t expanded_ = 0, dives_ = 0;
  std::uint64_t evaluations_before_ = 0;    // of earlier runs on the same graph
  std::uint64_t kept_before_ = 0;           // those of them that are not of two last steps
  std::uint64_t evaluations_at_start_ = 0;  // of this run, before it was resumed
  int layers_ = 0;
  bool periodic_ = false;

  double last_save_ = 0;                    // time of the last save, in seconds
  std::optional<double> seconds_per_byte_;  // of the last save
  std::string resumed_from_, saved_, saving_error_;
  std::optional<CheckpointReader> checkpoint_;
  bool whole_ = true;  // the checkpoint has been read completely
};

}  // namespace bnnplan::engines
