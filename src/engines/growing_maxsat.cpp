// One MaxSAT solver for many horizons, in the manner of neuron/growing_horizon.cpp: the clauses of a step are
// added permanently; the goal of horizon h holds under a literal that is assumed while h is solved; the
// objective consists of weights, which may change from horizon to horizon and do so only for the new steps.
//
// All variables of the last horizon's model are created at the start, since a model variable's number is
// given by its place in a step, and the encodings' variables follow. The model is not simplified: what
// follows from the initial state is a unit clause that the solver propagates, and later horizons need what
// simplification would drop.
#include "bnnplan/engines/growing_maxsat.hpp"

#include "bnnplan/base/checked.hpp"
#include "bnnplan/encode/lower.hpp"
#include "bnnplan/maxsat/incremental_maxsat.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

// Adds clauses that hold if a literal is true.
class ConditionalSink final : public encoding::ClauseSink {
 public:
  ConditionalSink(encoding::ClauseSink& sink, Lit condition) : sink_(sink), condition_(condition) {}

  using encoding::ClauseSink::add;
  Lit new_variable() override { return sink_.new_variable(); }
  void add(std::span<const Lit> clause) override {
    clause_.assign(clause.begin(), clause.end());
    clause_.push_back(~condition_);
    sink_.add(clause_);
  }

 private:
  encoding::ClauseSink& sink_;
  Lit condition_;
  std::vector<Lit> clause_;
};

class GrowingMaxSat {
 public:
  GrowingMaxSat(const Problem& problem, std::int32_t last, const Limits& limits,
                encoding::NeuronEncoding neurons)
      : problem_(problem), watch_(limits), solver_(options(), limits.seed), lowering_(neurons) {
    lowering_.watch = &watch_;
    set_horizon(problem_, last);  // rejects horizons that are too long before any work
    const std::uint32_t variables = model::layout_of(problem_).variable_count();
    while (solver_.variables() < variables) solver_.new_variable();
  }

  HorizonAnswer solve(std::int32_t horizon, bool any_plan) {
    HorizonAnswer answer;
    answer.horizon = horizon;
    try {
      const Lit condition = solver_.new_variable();
      const model::ZeroOneModel model = grow(horizon, condition);
      set_objective(model);
      maxsat::IncrementalMaxSat::Request request;
      request.limits = watch_.limits();
      request.limits.seconds = time_left(request.limits.seconds, watch_.seconds());
      request.first = any_plan;
      const maxsat::MaxSatOutcome outcome = solver_.solve({&condition, 1}, request);
      if (outcome.stopped != StopReason::none) watch_.stop(outcome.stopped);
      solver_.add({~condition});
      take(outcome, model, answer);
    } catch (const LimitReached&) {
      answer.status = Status::unknown;
    }
    return answer;
  }

  bool stopped() const { return watch_.reason() != StopReason::none; }

 private:
  static maxsat::MaxSatOptions options() {
    maxsat::MaxSatOptions options;
    options.stable = true;  // as in maxsat_engine.cpp
    return options;
  }

  // Adds the steps up to the horizon and its goal. Returns the rest of the model, without rows and neurons.
  model::ZeroOneModel grow(std::int32_t horizon, Lit condition) {
    set_horizon(problem_, horizon);
    model::ZeroOneModel model = model::begin_unroll(problem_);
    const auto lower_into = [&](encoding::ClauseSink& sink) {
      encoding::lower(model, lowering_, sink);
      model.rows.clear();
      model.neurons.clear();
    };
    if (steps_ == 0) model::unroll_initial(problem_, model);
    while (steps_ < horizon) {
      watch_.check();
      model::unroll_step(problem_, ++steps_, model);
      lower_into(solver_);
    }
    model::unroll_goal(problem_, model);
    ConditionalSink goal(solver_, condition);
    lower_into(goal);
    return model;
  }

  void set_objective(const model::ZeroOneModel& model) {
    for (const Lit literal : costly_) solver_.set_weight(literal, 0);
    costly_.clear();
    std::int64_t total = 0;
    for (const WeightedLit& term : model.objective) {
      total = checked_add(total, term.coefficient);  // plan costs are signed 64-bit
      solver_.set_weight(term.literal, static_cast<formats::Weight>(term.coefficient));
      costly_.push_back(term.literal);
    }
  }

  void take(const maxsat::MaxSatOutcome& outcome, const model::ZeroOneModel& model, HorizonAnswer& answer) {
    answer.conflicts = static_cast<std::uint64_t>(outcome.statistics.conflicts);
    if (!outcome.model) {
      answer.status = outcome.status == Status::infeasible ? Status::infeasible : Status::unknown;
      return;
    }
    answer.status = outcome.status == Status::optimal ? Status::optimal : Status::feasible;
    answer.cost = checked_add(model.offset, static_cast<std::int64_t>(*outcome.cost));
    BitValues values;
    for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v)
      values.push_back((*outcome.model)[v] ? 1 : 0);
    answer.plan = model::decode(model.layout, values);
    answer.plan->cost = cost_in_units(problem_, *answer.cost);
  }

  Problem problem_;  // with the horizon being solved
  std::int32_t steps_ = 0;
  LimitWatch watch_;
  maxsat::IncrementalMaxSat solver_;
  encoding::LoweringOptions lowering_;
  std::vector<Lit> costly_;
};

}  // namespace

std::vector<HorizonAnswer> solve_horizons_by_maxsat(const Problem& problem, std::int32_t first,
                                                    std::int32_t last, bool until_plan, const Limits& limits,
                                                    encoding::NeuronEncoding neurons) {
  GrowingMaxSat growing(problem, last, limits, neurons);
  return solve_each_horizon(growing, first, last, until_plan);
}

}  // namespace bnnplan::engines
