// The model as weighted partial MaxSAT. Every model of the clauses is a plan and every plan is a model, so
// bounds on the formula are bounds on the problem, up to the objective's offset.
#include "bnnplan/engines/maxsat_engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/encode/lower.hpp"
#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"

namespace bnnplan::engines {

namespace {

// Collects the clauses; throws LimitReached during encoding when a limit is reached.
class FormulaSink final : public encoding::ClauseSink {
 public:
  FormulaSink(formats::Wcnf& formula, LimitWatch& watch) : formula_(formula), watch_(watch) {}

  using encoding::ClauseSink::add;
  Lit new_variable() override { return formula_.new_variable(); }
  void add(std::span<const Lit> clause) override {
    formula_.add_hard(clause);
    constexpr std::size_t clauses_between_looks = 1 << 14;
    if (formula_.hard.size() % clauses_between_looks != 0) return;
    // The solver will hold a second copy of all clauses.
    watch_.check_time();
    watch_.check_memory(2 * formula_.hard.bytes());
  }

 private:
  formats::Wcnf& formula_;
  LimitWatch& watch_;
};

class MaxSatEngine {
 public:
  MaxSatEngine(const Problem& problem, const EngineRequest& request)
      : problem_(problem), request_(request), watch_(request.limits), bounds_(request) {}

  Outcome solve() {
    Outcome outcome;
    outcome.engine = "maxsat";
    try {
      make_formula();
      finish(maxsat::solve_maxsat(formula_, maxsat_request()), outcome);
    } catch (const LimitReached&) {
      outcome.stopped = watch_.reason();
    }
    outcome.seconds = watch_.seconds();
    outcome.bounds = bounds_.finish(outcome.seconds);
    if (outcome.status != Status::infeasible) outcome.lower_bound = bounds_.lower();
    return outcome;
  }

 private:
  void make_formula() {
    watch_.check_memory(model::unrolled_bytes(problem_));
    tell("unrolling");
    model::ZeroOneModel model = model::begin_unroll(problem_);
    if (!request_.first) bounds_.raise_lower(model.offset, watch_.seconds());
    model::unroll_rest(problem_, model, &watch_);
    tell("simplifying");
    model = model::simplify(std::move(model), &watch_).model;
    tell("encoding");
    layout_ = model.layout;
    offset_ = model.offset;
    objective_ = model.objective;
    formula_.variables = layout_.variable_count();
    FormulaSink sink(formula_, watch_);
    encoding::LoweringOptions options(request_.neurons.value_or(encoding::NeuronEncoding::automatic));
    options.watch = &watch_;
    lower(model, options, sink);
    if (request_.first) return;
    for (const WeightedLit& term : model.objective)
      formula_.add_soft({~term.literal}, static_cast<formats::Weight>(term.coefficient));
    if (formula_.weight_sum > static_cast<formats::Weight>(std::numeric_limits<std::int64_t>::max()))
      throw OverflowError();  // plan costs are signed 64-bit
    bounds_.raise_lower(offset_, watch_.seconds());
  }

  maxsat::MaxSatRequest maxsat_request() {
    maxsat::MaxSatRequest request;
    // Half the time on the published problems: a restart costs a million propagations.
    request.options.stable = true;
    request.limits = watch_.limits();
    request.limits.seconds = time_left(request.limits.seconds, watch_.seconds());
    request.callbacks.improvement = [this](const maxsat::MaxSatModel& model, formats::Weight cost) {
      if (request_.first) return;
      bounds_.improve(
          {watch_.seconds(), offset_ + static_cast<std::int64_t>(cost), [&] { return plan_of(model); }});
      tell("solving");
    };
    request.callbacks.lower_bound = [this](formats::Weight lower) {
      if (request_.first) return;
      bounds_.raise_lower(offset_ + static_cast<std::int64_t>(lower), watch_.seconds());
      tell("solving");
    };
    if (request_.shared != nullptr && !request_.first) {
      request.callbacks.known_upper = [this]() -> std::optional<formats::Weight> {
        const std::int64_t upper = request_.shared->upper;
        if (upper == SharedBounds::no_upper) return std::nullopt;
        return static_cast<formats::Weight>(std::max<std::int64_t>(0, upper - offset_));
      };
    }
    return request;
  }

  void finish(const maxsat::MaxSatOutcome& solved, Outcome& outcome) {
    outcome.stopped = solved.stopped;
    if (solved.model) {
      outcome.plan = plan_of(*solved.model);
      outcome.cost = cost_of(*solved.model);
      outcome.status =
          solved.status == Status::optimal && !request_.first ? Status::optimal : Status::feasible;
    } else {
      outcome.status = solved.status == Status::infeasible ? Status::infeasible : Status::unknown;
    }
    const auto add = [&](const char* name, std::int64_t value) {
      outcome.statistics.emplace_back(name, value);
    };
    add("variables", formula_.variables);
    add("clauses", static_cast<std::int64_t>(formula_.hard.size()));
    add("soft_clauses", static_cast<std::int64_t>(formula_.soft.size()));
    add("sat_calls", solved.statistics.sat_calls);
    add("conflicts", solved.statistics.conflicts);
    add("cores", solved.statistics.cores);
    add("core_literals", solved.statistics.core_literals);
  }

  std::int64_t cost_of(const maxsat::MaxSatModel& model) const {
    std::int64_t cost = offset_;
    for (const WeightedLit& term : objective_) {
      if (model[term.literal.var().index] != term.literal.negated()) cost += term.coefficient;
    }
    return cost;
  }

  Plan plan_of(const maxsat::MaxSatModel& model) const {
    BitValues values(layout_.variable_count());
    std::copy_n(model.begin(), values.size(), values.begin());
    return model::decode(layout_, values);
  }

  void tell(const char* activity) {
    if (!request_.callbacks.progress) return;
    Progress progress;
    progress.seconds = watch_.seconds();
    progress.activity = formula_.hard.empty()
                            ? activity
                            : fmt::format("{}, {}", activity, count_text(formula_.hard.size(), "clause"));
    progress.memory_bytes = resident_memory();
    progress.lower_bound = bounds_.lower();
    progress.best_cost = bounds_.upper();
    request_.callbacks.progress(progress);
  }

  const Problem& problem_;
  const EngineRequest& request_;
  LimitWatch watch_;
  BoundLog bounds_;
  model::ModelLayout layout_;
  std::vector<WeightedLit> objective_;
  std::int64_t offset_ = 0;
  formats::Wcnf formula_;
};

}  // namespace

Outcome run_maxsat_engine(const Problem& problem, const EngineRequest& request) {
  return MaxSatEngine(problem, request).solve();
}

}  // namespace bnnplan::engines
