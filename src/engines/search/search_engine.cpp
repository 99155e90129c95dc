// Which search runs when. Best-first search does nearly everything. Two others help it:
//
//   A dive. Best-first search finds its first plan late, often as the optimal one. So that there is a plan to
//   report when a limit is reached, and nodes that are no better need not be stored, a search for any plan
//   runs now and then with a small part of the effort until there is one. What it computes stays in the
//   graph.
//
//   Layers. When every state has been reached in many layers, the time dimension dominates the cost: dynamic
//   programming over the complete graph is then much faster and needs no nodes.
//
// All decisions depend on counts, never on the clock: the same seed gives the same plan.
#include "bnnplan/engines/search/search_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bnnplan/cdcl/proof_writer.hpp"
#include "bnnplan/engines/search/search.hpp"
#include "bnnplan/engines/search/search_proof.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::uint64_t evaluations_before_dive = 50'000;
constexpr std::size_t nodes_of_dive = 50'000;
constexpr std::uint64_t most_dive_evaluations = 4'000'000;  // each costs more than those of last steps
constexpr std::size_t nodes_before_layers = std::size_t{1} << 16;
constexpr std::size_t nodes_per_state_before_layers = 4;
constexpr std::size_t most_growth_of_states = 2;       // while the graph is completed
constexpr std::size_t most_growth_of_evaluations = 8;  // while the graph is completed

}  // namespace

Search::Search(SearchRun& run) : run_(run) {}

Outcome Search::solve() {
  const bool finished = search();
  bool proved = finished;
  save_at_the_end();
  // In a proof the plan of another engine is a solution like any other.
  if (const SharedPlan* others = run_.request.shared_plan;
      others != nullptr && proved && !run_.request.first) {
    if (auto best = others->best()) take(std::move(best->second), best->first);
  }
  const auto outside = run_.outside_upper();
  if (proved && !run_.request.first && outside && (!plan_ || cost_ > run_.total_cost(*outside))) {
    run_.raise_lower(*outside);  // nothing is better than the other engine's plan
    proved = false;
  }
  Outcome outcome;
  outcome.engine = "search";
  if (!finished) outcome.stopped = run_.watch.reason();  // a limit may be reached when all work is done
  if (plan_) {
    outcome.plan = std::move(plan_);
    outcome.cost = cost_;
    outcome.status = proved && !run_.request.first ? Status::optimal : Status::feasible;
    if (outcome.status == Status::optimal) run_.bounds.raise_lower(cost_, run_.watch.seconds());
  } else {
    outcome.status = proved ? Status::infeasible : Status::unknown;
  }
  prove(run_, initial_ ? std::span<const StateId>(*initial_) : std::span<const StateId>(), outcome);
  if (outcome.proof.empty() && !run_.request.proof.empty()) outcome.stopped = run_.watch.reason();
  outcome.resumed_from = resumed_from_;
  outcome.checkpoint = saved_;
  outcome.checkpoint_error = saving_error_;
  run_.conclude(outcome);
  add_statistics(outcome);
  return outcome;
}

// True if the best plan found (or that there is none) is proved to be the answer, false if a limit was
// reached.
bool Search::search() {
  try {
    return run_stages();
  } catch (const LimitReached&) {
    if (whole_) take_paths();
    return false;
  }
}

bool Search::run_stages() {
  if (run_.graph) {
    evaluations_before_ = evaluations_at_start_ = run_.graph->evaluations();
    kept_before_ = run_.graph->kept_evaluations();
  }
  const bool resumes = !run_.request.checkpoint.resume.empty();
  if (resumes) open_checkpoint();
  if (!run_.begin()) return true;
  initial_ = run_.initial_states();
  if (resumes) resume();
  if (stage_ == Stage::begin) begin_stages();
  run_.at_rest = [this] { save_now_and_then(); };
  while (true) {
    const std::optional<bool> end = stage_ == Stage::layers ? layers()
                                    : stage_ == Stage::dive ? dive()
                                                            : best_first();
    if (end) return *end;
  }
}

void Search::begin_stages() {
  if (run_.request.first) return begin_dive(unlimited, std::size_t{no_index});
  stage_ = Stage::best_first;
  best_first_.emplace(run_, false);
  for (const StateId state : *initial_) best_first_->add_initial(state);
  next_dive_ = evaluations_before_ + evaluations_before_dive;
  next_layers_ = nodes_before_layers;
}

std::optional<bool> Search::best_first() {
  const bool have_plan = run_.bounds.upper().has_value();
  const BestFirst::End end = best_first_->run(have_plan ? unlimited : next_dive_, next_layers_);
  take_paths();
  if (end == BestFirst::End::finished) return true;
  const std::size_t nodes = best_first_->node_count();
  if (nodes >= next_layers_) {
    next_layers_ = 2 * nodes;
    if (suits_layers(nodes)) {
      stage_ = Stage::layers;
      closing_ = {most_growth_of_states * run_.graph->state_count()};
    }
  } else if (const std::uint64_t evaluations = run_.graph->evaluations();
             !have_plan && evaluations >= next_dive_) {
    // Small batches and one thread: a quarter of the effort, in evaluations that are stored.
    const std::uint64_t kept = run_.graph->kept_evaluations() - kept_before_;
    begin_dive(evaluations + std::min(kept / 4, most_dive_evaluations), nodes / 4 + nodes_of_dive);
  }
  return std::nullopt;
}

// Looks for any plan.
void Search::begin_dive(std::uint64_t most_evaluations, std::size_t most_nodes) {
  stage_ = Stage::dive;
  ++dives_;
  dive_evaluations_ = most_evaluations;
  dive_nodes_ = most_nodes;
  dive_.emplace(run_, true);
  for (auto state = initial_->rbegin(); state != initial_->rend(); ++state) dive_->add_initial(*state);
}

std::optional<bool> Search::dive() {
  const BestFirst::End end = dive_->run(dive_evaluations_, dive_nodes_);
  take_paths();
  if (run_.request.first) return end == BestFirst::End::finished;
  if (end == BestFirst::End::finished) {
    if (!plan_) return true;  // finished without a plan: there is none
    best_first_->set_upper(cost_ - run_.total_cost(0));
  }
  dive_.reset();
  stage_ = Stage::best_first;
  next_dive_ = evaluations_before_ + 4 * (run_.graph->evaluations() - evaluations_before_);
  return std::nullopt;
}

std::optional<bool> Search::layers() {
  LayeredSearch layers(run_);
  const LayeredSearch::End end = layers.run(*initial_, closing_);
  layers_ = layers.layers_computed();
  periodic_ = layers.periodic();
  if (end == LayeredSearch::End::finished) {
    if (layers.has_path()) take(layers.best_path(), layers.best_extra_cost());
    return true;
  }
  stage_ = Stage::best_first;
  return std::nullopt;
}

bool Search::suits_layers(std::size_t nodes) const {
  const std::size_t states = run_.graph->state_count();
  return run_.actions.complete() && nodes >= nodes_per_state_before_layers * states &&
         run_.actions.size() <= most_growth_of_evaluations * run_.graph->evaluations() / states;
}

void Search::count_nodes(const BestFirst& search) {
  nodes_ = search.node_count();
  expanded_ = search.expanded();
  node_bytes_ = search.bytes();
}

// Takes over what the searches have found so far.
void Search::take_paths() {
  if (best_first_) {
    count_nodes(*best_first_);
    if (best_first_->has_path()) take(best_first_->best_path(), best_first_->best_extra_cost());
  }
  if (!dive_) return;
  if (run_.request.first) count_nodes(*dive_);
  if (dive_->has_path()) {
    const Path path = dive_->best_path();
    take(path, run_.extra_cost(path));
  }
}

void Search::take(Plan plan, std::int64_t cost) {
  if (plan_ && cost >= cost_) return;
  plan_ = std::move(plan);
  cost_ = cost;
}

void Search::take(const Path& path, std::int64_t extra_cost) {
  const std::int64_t cost = run_.total_cost(extra_cost);
  if (!plan_ || cost < cost_) take(run_.make_plan(path), cost);
}

void Search::add_statistics(Outcome& outcome) const {
  const auto add = [&](const char* name, Statistic value) { outcome.statistics.emplace_back(name, value); };
  const auto count = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const std::uint64_t evaluations = run_.graph ? run_.graph->evaluations() : 0;
  const std::size_t states = run_.graph ? run_.graph->state_count() : 0;
  const std::size_t bytes = (run_.graph ? run_.graph->bytes() : 0) + node_bytes_;
  add("states", count(states));
  add("initial_states", count(initial_ ? initial_->size() : 0));
  add("nodes", count(nodes_));
  add("expanded_nodes", count(expanded_));
  add("edges", count(run_.graph ? run_.graph->edge_count() : 0));
  add("actions", count(run_.actions.size()));
  add("evaluations", count(evaluations - evaluations_before_));
  add("evaluations_per_second",
      outcome.seconds > 0 ? static_cast<double>(evaluations - evaluations_at_start_) / outcome.seconds : 0.0);
  add("bytes", count(std::max(bytes, run_.peak_bytes)));
  add("bytes_per_state", states > 0 ? static_cast<double>(bytes) / static_cast<double>(states) : 0.0);
  add("estimates", count(run_.estimate ? run_.estimate->table_count() : 0));
  add("interchangeable", run_.interchangeable());
  add("dives", count(dives_));
  add("layers", std::int64_t{layers_});
  add("layers_repeat", std::int64_t{periodic_ ? 1 : 0});
  add("threads", count(run_.request.limits.threads));
}

Outcome run_search(const Problem& problem, const EngineRequest& request) {
  SearchRun run(problem, request);
  return Search(run).solve();
}

}  // namespace bnnplan::engines
