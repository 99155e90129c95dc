// Which search when. Best-first search does nearly everything. Two others help it:
//
//   A dive. Best-first search finds its first plan late, often as the optimal one. So that a limit finds a
//   plan to tell, and nodes that are no better need not be kept, a search for any plan runs now and then on a
//   small part of the effort until there is one. What it computes stays in the graph.
//
//   Layers. When every state has been reached in many layers, the time dimension is what costs: dynamic
//   programming over the complete graph is then faster by far and needs no nodes.
//
// All decisions depend on counts and never on the clock: the same seed gives the same plan.
#include "engines/search/search_engine.hpp"

#include <algorithm>

#include "engines/search/best_first.hpp"
#include "engines/search/layers.hpp"
#include "engines/search/search_run.hpp"

namespace bnnplan {

namespace {

constexpr std::uint64_t evaluations_before_dive = 50'000;
constexpr std::size_t nodes_of_dive = 50'000;
constexpr std::size_t nodes_before_layers = std::size_t{1} << 16;
constexpr std::size_t nodes_per_state_before_layers = 4;
constexpr std::size_t most_growth_of_states = 2;       // while the graph is completed
constexpr std::size_t most_growth_of_evaluations = 8;  // likewise
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

class Search {
 public:
  Search(const Problem& problem, const EngineRequest& request) : run_(problem, request) {}

  Outcome solve() {
    bool proved = search();
    const auto outside = run_.outside_upper();
    if (proved && !run_.request.first && outside && (path_.empty() || extra_cost_ > *outside)) {
      run_.raise_lower(*outside);  // nothing is better than the plan that somebody else has
      proved = false;
    }
    Outcome outcome;
    outcome.engine = "search";
    outcome.stopped = run_.watch.reason();
    if (!path_.empty()) {
      outcome.plan = run_.make_plan(path_);
      outcome.cost = run_.total_cost(extra_cost_);
      outcome.status = proved && !run_.request.first ? Status::optimal : Status::plan;
      if (outcome.status == Status::optimal) run_.raise_lower(extra_cost_);
    } else {
      outcome.status = proved ? Status::infeasible : Status::unknown;
    }
    outcome.seconds = run_.watch.seconds();
    outcome.bounds = run_.bounds.finish(outcome.seconds);
    if (outcome.status != Status::infeasible) outcome.lower_bound = run_.bounds.lower();
    add_statistics(outcome);
    return outcome;
  }

 private:
  // True if the best path found (or that there is none) is proved to be the answer.
  bool search() {
    const auto stopped = [&] { return run_.watch.reason() != StopReason::none; };
    if (!run_.begin()) return !stopped();
    const auto initial = run_.initial_states();
    if (!initial) return false;
    initial_count_ = initial->size();
    if (run_.request.first) return dive(*initial, unlimited, std::size_t{no_index}) && !stopped();

    BestFirst search(run_, false);
    for (const StateId state : *initial) search.add_initial(state);
    std::uint64_t next_dive = evaluations_before_dive;
    std::size_t next_layers = nodes_before_layers;
    while (true) {
      const bool have_plan = run_.bounds.upper().has_value();
      const BestFirst::End end = search.run(have_plan ? unlimited : next_dive, next_layers);
      nodes_ = search.node_count();
      expanded_ = search.expanded();
      node_bytes_ = search.bytes();
      if (search.has_path()) take(search.best_path(), search.best_extra_cost());
      if (end == BestFirst::End::finished) return true;
      if (end == BestFirst::End::stopped) return false;
      if (search.node_count() >= next_layers) {
        next_layers = 2 * search.node_count();
        if (!suits_layers(search.node_count())) continue;
        LayeredSearch layers(run_);
        const LayeredSearch::End layers_end =
            layers.run(*initial, most_growth_of_states * run_.graph->state_count());
        layers_ = layers.layers_computed();
        periodic_ = layers.periodic();
        if (layers_end == LayeredSearch::End::stopped) return false;
        if (layers_end == LayeredSearch::End::too_large) continue;
        if (layers.has_path()) take(layers.best_path(), layers.best_extra_cost());
        return true;
      }
      if (!have_plan && run_.graph->evaluations() >= next_dive) {
        // Finished without a plan: there is none.
        if (dive(*initial, run_.graph->evaluations() + next_dive / 4,
                 search.node_count() / 4 + nodes_of_dive)) {
          if (path_.empty()) return !stopped();
          search.set_upper(extra_cost_);
        }
        if (stopped()) return false;
        next_dive = 4 * run_.graph->evaluations();
      }
    }
  }

  bool suits_layers(std::size_t nodes) const {
    const std::size_t states = run_.graph->state_count();
    return run_.actions.complete() && nodes >= nodes_per_state_before_layers * states &&
           run_.actions.size() <= most_growth_of_evaluations * run_.graph->evaluations() / states;
  }

  // Looks for any plan. False if it was paused or stopped before it knew.
  bool dive(const std::vector<StateId>& initial, std::uint64_t most_evaluations, std::size_t most_nodes) {
    BestFirst search(run_, true);
    for (auto state = initial.rbegin(); state != initial.rend(); ++state) search.add_initial(*state);
    const BestFirst::End end = search.run(most_evaluations, most_nodes);
    ++dives_;
    if (run_.request.first) {
      nodes_ = search.node_count();
      expanded_ = search.expanded();
      node_bytes_ = search.bytes();
    }
    if (search.has_path()) {
      const Path path = search.best_path();
      take(path, run_.extra_cost(path));
    }
    return end == BestFirst::End::finished;
  }

  void take(const Path& path, std::int64_t extra_cost) {
    if (!path_.empty() && extra_cost >= extra_cost_) return;
    path_ = path;
    extra_cost_ = extra_cost;
  }

  void add_statistics(Outcome& outcome) const {
    const auto add = [&](const char* name, Statistic value) { outcome.statistics.emplace_back(name, value); };
    const auto count = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    const std::uint64_t evaluations = run_.graph ? run_.graph->evaluations() : 0;
    const std::size_t states = run_.graph ? run_.graph->state_count() : 0;
    const std::size_t bytes = (run_.graph ? run_.graph->bytes() : 0) + node_bytes_;
    add("states", count(states));
    add("initial_states", count(initial_count_));
    add("nodes", count(nodes_));
    add("expanded_nodes", count(expanded_));
    add("edges", count(run_.graph ? run_.graph->edge_count() : 0));
    add("actions", count(run_.actions.size()));
    add("evaluations", count(evaluations));
    add("evaluations_per_second",
        outcome.seconds > 0 ? static_cast<double>(evaluations) / outcome.seconds : 0.0);
    add("bytes", count(std::max(bytes, run_.peak_bytes)));
    add("bytes_per_state", states > 0 ? static_cast<double>(bytes) / static_cast<double>(states) : 0.0);
    add("estimates", count(run_.estimate ? run_.estimate->table_count() : 0));
    add("dives", count(dives_));
    add("layers", std::int64_t{layers_});
    add("layers_repeat", std::int64_t{periodic_ ? 1 : 0});
    add("threads", count(run_.request.limits.threads));
  }

  SearchRun run_;
  Path path_;
  std::int64_t extra_cost_ = 0;
  std::size_t initial_count_ = 0, nodes_ = 0, node_bytes_ = 0;
  std::uint64_t expanded_ = 0, dives_ = 0;
  int layers_ = 0;
  bool periodic_ = false;
};

}  // namespace

Outcome run_search(const Problem& problem, const EngineRequest& request) {
  return Search(problem, request).solve();
}

}  // namespace bnnplan
