// Solves any pseudo-Boolean problem with the solvers of the neuron engine, in turns: one improves solutions,
// the other proves bounds by cores (cdcl/optimise.cpp). Neurons are recognised; variables that no neuron
// defines are decided, in the order of their numbers.
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/cdcl/optimise.hpp"
#include "bnnplan/cdcl/proof_writer.hpp"
#include "bnnplan/engines/pseudo_boolean/load_pb.hpp"
#include "bnnplan/engines/pseudo_boolean/recognise_neurons.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::size_t bytes_a_pb_variable = 330;
// Small enough that differences of bounds, and bounds beyond all values, fit into 64 bits.
constexpr std::int64_t largest_objective = std::int64_t{1} << 62;

// The objective with positive weights: its value is `offset` plus the weights of the true literals.
struct PositiveObjective {
  std::vector<WeightedLit> terms;
  std::int64_t offset = 0;
};

PositiveObjective positive_objective(const model::PbFormula& formula) {
  // sum >= 0 in normal form is  sum of positive terms >= bound: what was moved to the right is the offset.
  model::AtLeastRow row = model::at_least_row(formula.objective, 0);
  std::int64_t total = 0;
  for (const WeightedLit& term : row.terms) total = checked_add(total, term.coefficient);
  const std::int64_t offset = checked_negate(row.bound);
  checked_add(offset, total);  // the largest value
  if (total > largest_objective) throw OverflowError();
  return {std::move(row.terms), offset};
}

class PbRun {
 public:
  PbRun(const model::PbFormula& formula, const PbRequest& request)
      : formula_(formula),
        request_(request),
        watch_(request.limits),
        objective_(positive_objective(formula)),
        improving_({.seed = request.limits.seed}, watch_) {
    if (!objective_.terms.empty()) cores_.emplace(cdcl::options_for_cores(request.limits.seed), watch_);
    if (request.proof.empty()) return;
    file_.emplace(request.proof);
    proof_.emplace(*file_, request.proof_version, static_cast<std::int64_t>(formula.constraints.size()));
  }

  PbOutcome solve() {
    cdcl::OptimiseEnd end = cdcl::OptimiseEnd::stopped;
    if (load()) {
      take_known();
      end = cdcl::optimise(solvers(), objective_.terms, options(), events(), watch_);
    }
    const bool proved = end != cdcl::OptimiseEnd::stopped;
    if (outcome_.values) {
      outcome_.status = proved ? Status::optimal : Status::feasible;
      if (proved) outcome_.lower_bound = outcome_.value;
    } else {
      outcome_.status = proved ? Status::infeasible : Status::unknown;
      if (proved) outcome_.lower_bound.reset();
    }
    end_proof();
    outcome_.stopped = watch_.reason();
    const cdcl::SolverStatistics statistics = solvers().statistics();
    outcome_.conflicts = statistics.conflicts;
    outcome_.propagations = statistics.propagations;
    return std::move(outcome_);
  }

 private:
  bool load() {
    if (watch_.should_stop() || watch_.exceeds_memory(std::size_t{formula_.variables} * bytes_a_pb_variable))
      return false;
    const RecognisedFormula recognised = recognise_neurons(formula_);
    for (const auto& layer : recognised.layers) outcome_.neurons += layer.size();
    outcome_.layers = recognised.layers.size();
    outcome_.rows = recognised.rest.size();
    return load(recognised, improving_) && (!cores_ || load(recognised, *cores_));
  }

  // False if a limit was reached.
  bool load(const RecognisedFormula& recognised, cdcl::Solver& solver) {
    if (proof_) solver.set_proof(&*proof_);
    const auto go_on = [&] { return !watch_.should_stop() && !watch_.exceeds_memory(solvers().bytes()); };
    const bool whole = load_formula(formula_, recognised, solver, go_on);
    for (const WeightedLit& term : objective_.terms)
      solver.set_phase(term.literal.var(), term.literal.negated());
    return whole;
  }

  cdcl::OptimiseSolvers solvers() { return {&improving_, cores_ ? &*cores_ : nullptr}; }

  void take_known() {
    if (request_.known == nullptr) return;
    known_value_ = model::evaluate(formula_, *request_.known).objective - objective_.offset;
    take_values(*request_.known, objective_.offset + *known_value_);
  }

  cdcl::OptimiseOptions options() const {
    cdcl::OptimiseOptions options;
    options.first = !formula_.has_objective;
    if (request_.known != nullptr) options.improving_first = options.first_turn;
    options.along_time = false;  // the order of its variables means nothing
    return options;
  }

  cdcl::OptimiseEvents events() {
    cdcl::OptimiseEvents events;
    events.improved = [this](const cdcl::Solver& solver, std::int64_t value) {
      take_solution(solver, objective_.offset + value);
    };
    events.raised = [this](std::int64_t lower) {
      outcome_.lower_bound = objective_.offset + lower;
      if (request_.callbacks.lower_bound) request_.callbacks.lower_bound(*outcome_.lower_bound);
    };
    if (known_value_) events.known_upper = [this] { return *known_value_; };
    events.tick = [this] {
      if (solvers().statistics().conflicts >= request_.most_conflicts) watch_.stop(StopReason::too_large);
    };
    return events;
  }

  void take_solution(const cdcl::Solver& solver, std::int64_t value) {
    BitValues values(formula_.variables);
    for (std::uint32_t v = 0; v < formula_.variables; ++v)
      values[v] = solver.model_value(Lit::positive({v})) ? 1 : 0;
    take_values(std::move(values), value);
  }

  void take_values(BitValues values, std::int64_t value) {
    const model::PbValues checked = model::evaluate(formula_, values);
    if (checked.violated || checked.objective != value)
      throw std::logic_error("the solver returned an invalid solution");
    if (proof_) proof_->add_solution(values, formula_.has_objective);
    outcome_.values = std::move(values);
    outcome_.value = value;
    if (request_.callbacks.improvement) request_.callbacks.improvement(*outcome_.values, value);
  }

  // Without a result there is nothing to prove, and no file.
  void end_proof() {
    if (!proof_ || (outcome_.status != Status::optimal && outcome_.status != Status::infeasible)) return;
    if (outcome_.status == Status::infeasible) {
      proof_->conclude_infeasible();
    } else if (formula_.has_objective) {
      proof_->conclude_optimal(*outcome_.value);
    } else {
      proof_->conclude_satisfiable();
    }
    file_->commit();
    outcome_.proof_written = true;
  }

  const model::PbFormula& formula_;
  const PbRequest& request_;
  LimitWatch watch_;
  PositiveObjective objective_;
  cdcl::Solver improving_;
  std::optional<cdcl::Solver> cores_;
  std::optional<OutputFile> file_;
  std::optional<cdcl::ProofWriter> proof_;
  std::optional<std::int64_t> known_value_;  // without the offset
  PbOutcome outcome_;
};

}  // namespace

PbOutcome solve_pseudo_boolean(const model::PbFormula& formula, const PbRequest& request) {
  return PbRun(formula, request).solve();
}

}  // namespace bnnplan::engines
