// One solver for many horizons. A plan for horizon h is a plan of exactly h steps, so a longer horizon has
// different plans, but not different steps: the model of h + 1 steps is that of h steps, one more step, and a
// different goal and objective. Steps are added permanently. The goal of h and the bound on its cost hold
// under a condition c_h that is assumed while h is solved and refuted afterwards:
//
//   c_h -> goal over s^(h+1)         c_h -> cost of steps 1..h <= best - 1
//
// So every learned clause that needed neither remains true for all horizons, and one that did contains not
// c_h and is satisfied from then on. (Bounded model checking does the same; Een and Sorensson, 2003.)
#include "bnnplan/engines/neuron/growing_horizon.hpp"

#include "bnnplan/base/checked.hpp"
#include "bnnplan/cdcl/load_model.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

class GrowingHorizon {
 public:
  GrowingHorizon(const Problem& problem, std::int32_t first, std::int32_t last, const Limits& limits,
                 const cdcl::SolverOptions& options)
      : problem_(problem), first_(first), watch_(limits), solver_(with_seed(options, limits), watch_) {
    set_horizon(problem_, last);  // rejects horizons that are too long before any work
    for (std::int32_t h = first; h <= last; ++h) conditions_.push_back(Lit::positive(solver_.new_variable()));
    loader_.emplace(solver_);
  }

  HorizonAnswer solve(std::int32_t horizon, bool any_plan) {
    HorizonAnswer answer;
    answer.horizon = horizon;
    const std::uint64_t conflicts_before = solver_.statistics().conflicts;
    const Lit condition = conditions_[static_cast<std::size_t>(horizon - first_)];
    const model::ZeroOneModel model = grow(horizon, condition);
    std::vector<WeightedLit> saved;  // cost terms that are avoided, as in optimise()
    std::int64_t most = 0;
    for (const WeightedLit& term : model.objective) {
      saved.push_back({term.coefficient, ~loader_->in_solver(term.literal)});
      most = checked_add(most, term.coefficient);
    }
    saved.push_back({checked_add(most, 1), ~condition});
    const std::uint32_t bound = solver_.add_movable_row(saved, 0);
    while (true) {
      const SatAnswer found = solver_.solve({&condition, 1});
      if (found == SatAnswer::unknown) {
        answer.status = answer.plan ? Status::feasible : Status::unknown;
        break;
      }
      if (found == SatAnswer::unsatisfiable) {
        answer.status = answer.plan ? Status::optimal : Status::infeasible;
        break;
      }
      const std::int64_t value = take_plan(model, answer);
      solver_.keep_model_as_phases();
      if (any_plan) {
        answer.status = Status::feasible;
        break;
      }
      solver_.raise_bound(bound, most - value + 1);
    }
    solver_.add_clause({~condition});
    answer.conflicts = solver_.statistics().conflicts - conflicts_before;
    return answer;
  }

  bool stopped() const { return watch_.reason() != StopReason::none; }

 private:
  static cdcl::SolverOptions with_seed(cdcl::SolverOptions options, const Limits& limits) {
    options.seed = limits.seed;
    return options;
  }

  // Adds the steps up to the horizon and its goal. Returns the rest of the model, without rows and neurons.
  model::ZeroOneModel grow(std::int32_t horizon, Lit condition) {
    set_horizon(problem_, horizon);
    model::ZeroOneModel model = model::begin_unroll(problem_);
    loader_->add_variables(model.layout, horizon);
    loader_->set_order(model.layout, model.objective);
    const auto load = [&] {
      loader_->add_rows(model.rows);
      loader_->add_neurons(model.neurons);
      model.rows.clear();
      model.neurons.clear();
    };
    if (steps_ == 0) model::unroll_initial(problem_, model);
    load();
    while (steps_ < horizon && !watch_.should_stop() && !watch_.exceeds_memory(solver_.bytes())) {
      model::unroll_step(problem_, ++steps_, model);
      load();
    }
    model::unroll_goal(problem_, model);
    loader_->add_rows_if(condition, model.rows);
    return model;
  }

  std::int64_t take_plan(const model::ZeroOneModel& model, HorizonAnswer& answer) {
    BitValues values;
    for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v)
      values.push_back(solver_.model_value(loader_->in_solver(Lit::positive({v}))) ? 1 : 0);
    std::int64_t value = 0;
    for (const WeightedLit& term : model.objective)
      value += solver_.model_value(loader_->in_solver(term.literal)) ? term.coefficient : 0;
    answer.cost = model.offset + value;
    answer.plan = model::decode(model.layout, values);
    answer.plan->cost = cost_in_units(problem_, *answer.cost);
    return value;
  }

  Problem problem_;  // with the horizon being solved
  std::int32_t first_, steps_ = 0;
  LimitWatch watch_;
  cdcl::Solver solver_;
  std::vector<Lit> conditions_;
  std::optional<cdcl::ModelLoader> loader_;
};

}  // namespace

std::vector<HorizonAnswer> solve_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                          bool until_plan, const Limits& limits,
                                          const cdcl::SolverOptions& options) {
  GrowingHorizon growing(problem, first, last, limits, options);
  return solve_each_horizon(growing, first, last, until_plan);
}

}  // namespace bnnplan::engines
