// The neuron engine: unroll and load step by step, minimise, decode. The model is not simplified: what the
// initial state and the goal fix is found by propagation at the root, which the counters make cheap, and a
// proof has to be about the model as `encode` writes it.
//
// Two solvers take turns (cdcl/optimise.cpp): one improves solutions and decides in the order of time, the
// other proves lower bounds by cores and decides by activity. The second is left out if nothing is minimised
// or if it would not fit into memory.
#include "bnnplan/engines/neuron/neuron_engine.hpp"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/cdcl/load_model.hpp"
#include "bnnplan/cdcl/optimise.hpp"
#include "bnnplan/cdcl/proof_view.hpp"
#include "bnnplan/engines/proof_file.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

constexpr double progress_interval = 0.1;
constexpr std::uint64_t conflicts_before_cores = 500;
constexpr std::size_t bytes_a_variable = 330, bytes_a_term = 150;

class NeuronRun {
 public:
  NeuronRun(const Problem& problem, const EngineRequest& request)
      : problem_(problem),
        request_(request),
        watch_(request.limits),
        bounds_(request),
        improving_({.seed = request.limits.seed}, watch_) {}

  Outcome solve() {
    Outcome outcome;
    outcome.engine = "neuron";
    cdcl::OptimiseEnd end = cdcl::OptimiseEnd::stopped;
    if (load()) end = cdcl::optimise(solvers(), model_.objective, options(), events(), watch_);
    // Another engine may have a better plan; what is proved here is then that nothing is better than that
    // one.
    const bool proved =
        end == cdcl::OptimiseEnd::finished || (end == cdcl::OptimiseEnd::found && model_.objective.empty());
    const std::optional<std::int64_t> elsewhere = known_upper();
    const bool better_elsewhere = elsewhere && (!cost_ || *elsewhere < *cost_);
    if (cost_) {
      outcome.plan = plan_of_others_ ? std::move(plan_of_others_) : model::decode(model_.layout, best_);
      outcome.cost = cost_;
      outcome.status = proved && !request_.first && !better_elsewhere ? Status::optimal : Status::feasible;
    } else {
      outcome.status = proved && !better_elsewhere ? Status::infeasible : Status::unknown;
    }
    if (outcome.status == Status::optimal) bounds_.raise_lower(*cost_, watch_.seconds());
    if (proved && better_elsewhere) bounds_.raise_lower(*elsewhere, watch_.seconds());
    end_proof(outcome);
    outcome.stopped = watch_.reason();
    outcome.seconds = watch_.seconds();
    outcome.bounds = bounds_.finish(outcome.seconds);
    if (outcome.status != Status::infeasible) outcome.lower_bound = bounds_.lower();
    add_statistics(outcome);
    return outcome;
  }

 private:
  // Loads step by step: a step is not needed any more once the solver has it, and a limit may stop loading.
  // False if one did.
  bool load() {
    // Check before allocating: the solver's variables, and the objective's terms in both places.
    const std::size_t variables = model::layout_of(problem_).variable_count();
    const std::size_t terms = problem_.objective.terms.size() * static_cast<std::size_t>(problem_.horizon);
    if (watch_.should_stop() || watch_.exceeds_memory(variables * bytes_a_variable + terms * bytes_a_term))
      return false;
    model_ = model::begin_unroll(problem_);
    if (!request_.first) bounds_.raise_lower(model_.offset, watch_.seconds());
    if (!request_.proof.empty()) begin_proof();
    std::vector<cdcl::ModelLoader> loaders{cdcl::ModelLoader(improving_)};
    if (!request_.first && !model_.objective.empty()) {
      cores_.emplace(cdcl::SolverOptions{.cores = true, .seed = request_.limits.seed}, watch_);
      if (proof_)
        cores_->set_proof(
            &views_.emplace_back(proof_->writer(), proof_variables_, model_.layout.variable_count()));
      loaders.emplace_back(*cores_);
    }
    model::ZeroOneModel piece;
    piece.layout = model_.layout;
    const auto take = [&](std::int32_t t) {
      for (cdcl::ModelLoader& loader : loaders) {
        loader.add_variables(model_.layout, t);
        loader.add_rows(piece.rows);
        loader.add_neurons(piece.neurons);
      }
      piece.rows.clear();
      piece.neurons.clear();
    };
    model::unroll_initial(problem_, piece);
    take(0);
    for (std::int32_t t = 1; t <= problem_.horizon; ++t) {
      if (cores_ && watch_.process_bytes(solvers().bytes()) > watch_.limits().memory_bytes / 2) {
        loaders.pop_back();
        cores_.reset();
      }
      if (watch_.should_stop() || watch_.exceeds_memory(solvers().bytes())) return false;
      model::unroll_step(problem_, t, piece);
      take(t);
      tell_progress();
    }
    model::unroll_goal(problem_, piece);
    take(problem_.horizon);
    for (cdcl::ModelLoader& loader : loaders) loader.set_order(model_.layout, model_.objective);
    return !watch_.exceeds_memory(solvers().bytes());
  }

  cdcl::OptimiseSolvers solvers() { return {&improving_, cores_ ? &*cores_ : nullptr}; }

  cdcl::OptimiseOptions options() const {
    cdcl::OptimiseOptions options;
    // Without a network nothing propagates forward by itself, and cores do the proving.
    if (!problem_.network)
      options.cores_share = 4;
    else
      options.improving_first = conflicts_before_cores;
    if (request_.first || model_.objective.empty()) options.enough = cdcl::any_value;
    options.along_time = problem_.horizon > 1;
    return options;
  }

  cdcl::OptimiseEvents events() {
    cdcl::OptimiseEvents events;
    events.improved = [this](const cdcl::Solver& solver, std::int64_t value) { take_plan(solver, value); };
    events.raised = [this](std::int64_t lower) {
      bounds_.raise_lower(model_.offset + lower, watch_.seconds());
    };
    events.tick = [this] { tell_progress(); };
    const bool beside_others = request_.shared != nullptr || request_.shared_plan != nullptr;
    if (beside_others && !request_.first) {
      events.known_upper = [this] {
        const auto upper = known_upper();
        return upper ? *upper - model_.offset : std::numeric_limits<std::int64_t>::max();
      };
    }
    return events;
  }

  // The cost of the best plan of this engine or another one in the portfolio.
  std::optional<std::int64_t> known_upper() {
    if (request_.first) return std::nullopt;
    if (proof_) {
      take_plan_of_others();
      return cost_;
    }
    const std::int64_t upper = request_.shared_upper();
    if (upper == SharedBounds::no_upper) return std::nullopt;
    return upper;
  }

  // With a proof: a better plan of another engine is logged as a solution, and is then as good as one of our
  // own.
  void take_plan_of_others() {
    const SharedPlan* const others = request_.shared_plan;
    if (others == nullptr || model_.objective.empty() || (cost_ && others->cost() >= *cost_)) return;
    auto best = others->best();
    if (!best || (cost_ && best->first >= *cost_)) return;
    proof_->writer().add_solution(model::encode_plan(model_, best->second), true);
    cost_ = best->first;
    plan_of_others_ = std::move(best->second);
  }

  void take_plan(const cdcl::Solver& solver, std::int64_t value) {
    best_.assign(model_.layout.variable_count(), 0);
    for (std::uint32_t v = 0; v < best_.size(); ++v)
      best_[v] = solver.model_value(Lit::positive({v})) ? 1 : 0;
    cost_ = model_.offset + value;
    plan_of_others_.reset();
    if (proof_) proof_->writer().add_solution(best_, !model_.objective.empty() && !request_.first);
    bounds_.improve({watch_.seconds(), *cost_, [this] {
                       Plan plan = model::decode(model_.layout, best_);
                       plan.cost = cost_in_units(problem_, *cost_);
                       return plan;
                     }});
    // Without an objective every plan is optimal.
    if (model_.objective.empty()) bounds_.raise_lower(*cost_, watch_.seconds());
  }

  void tell_progress() {
    if (!request_.callbacks.progress) return;
    const double now = watch_.seconds();
    if (now - last_progress_ < progress_interval) return;
    const cdcl::SolverStatistics statistics = solvers().statistics();
    Progress progress;
    progress.seconds = now;
    progress.activity = fmt::format(
        "{}, {:.2f} M propagations/s", count_text(statistics.conflicts, "conflict"),
        static_cast<double>(statistics.propagations - last_propagations_) / (now - last_progress_) / 1e6);
    progress.memory_bytes = watch_.process_bytes(solvers().bytes());
    progress.lower_bound = bounds_.lower();
    progress.best_cost = bounds_.upper();
    request_.callbacks.progress(progress);
    last_progress_ = now;
    last_propagations_ = statistics.propagations;
  }

  void begin_proof() {
    proof_.emplace(problem_, model_.layout, request_);
    proof_variables_ = model_.layout.variable_count();
    improving_.set_proof(
        &views_.emplace_back(proof_->writer(), proof_variables_, model_.layout.variable_count()));
  }

  // Without a result there is nothing to prove, and no file: a public checker would accept an unfinished
  // proof of version 1.2.
  void end_proof(Outcome& outcome) {
    if (!proof_) return;
    if (outcome.status == Status::infeasible) {
      proof_->writer().conclude_infeasible();
    } else if (cost_ && (model_.objective.empty() || request_.first)) {
      proof_->writer().conclude_satisfiable();
    } else if (outcome.status == Status::optimal) {
      proof_->writer().conclude_optimal(*cost_ - model::plain_objective(model_).offset);
    } else {
      return;
    }
    proof_->commit();
    outcome.proof = request_.proof;
  }

  void add_statistics(Outcome& outcome) {
    const cdcl::SolverStatistics s = solvers().statistics();
    const auto add = [&](const char* name, Statistic value) { outcome.statistics.emplace_back(name, value); };
    const auto count = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    const double conflicts = static_cast<double>(std::max<std::uint64_t>(1, s.conflicts));
    add("variables", std::int64_t{model_.layout.variable_count()});
    add("conflicts", count(s.conflicts));
    add("decisions", count(s.decisions));
    add("propagations", count(s.propagations));
    add("propagations_per_second",
        outcome.seconds > 0 ? static_cast<double>(s.propagations) / outcome.seconds : 0.0);
    add("restarts", count(s.restarts));
    add("learned_literals_per_clause", static_cast<double>(s.learned_literals) / conflicts);
    add("minimised_literals_per_clause", static_cast<double>(s.removed_literals) / conflicts);
    add("learned_levels_per_clause", static_cast<double>(s.learned_levels) / conflicts);
    add("deleted_clauses", count(s.deleted_clauses));
    add("bytes", count(solvers().bytes()));
  }

  const Problem& problem_;
  const EngineRequest& request_;
  LimitWatch watch_;
  BoundLog bounds_;
  model::ZeroOneModel model_;
  cdcl::Solver improving_;
  std::optional<cdcl::Solver> cores_;
  std::optional<ProofFile> proof_;
  std::uint32_t proof_variables_ = 0;  // the model's, and those defined later
  std::deque<cdcl::ProofView> views_;  // of the solvers
  BitValues best_;
  std::optional<Plan> plan_of_others_;  // if the best plan came from another engine
  std::optional<std::int64_t> cost_;
  double last_progress_ = 0;
  std::uint64_t last_propagations_ = 0;
};

}  // namespace

Outcome run_neuron(const Problem& problem, const EngineRequest& request) {
  return NeuronRun(problem, request).solve();
}

}  // namespace bnnplan::engines
