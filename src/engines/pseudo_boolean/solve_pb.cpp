// Solves any pseudo-Boolean problem with the solvers of the neuron engine, in turns: one improves solutions,
// the other proves bounds by cores (cdcl/optimise.cpp). Neurons are recognised; variables that no neuron
// defines are decided, in the order of their numbers.
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/cdcl/optimise.hpp"
#include "bnnplan/cdcl/proof_view.hpp"
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

// A row whose sum is long, and far from both ends of its range, says little to conflict search: each literal
// follows only when nearly all others are known. Searching for a small sum is another matter. So, as long as
// there is no solution, this takes turns with the search for one: without the row, its missing sum is
// minimised until enough is left, or until a lower bound shows that it never is.
constexpr std::size_t least_hard_sum = 64;  // terms
constexpr std::uint64_t first_slice = 500;  // conflicts before the first of these turns

// The number of the constraint, from 0.
std::optional<std::size_t> hard_sum_of(const model::PbFormula& formula, const RecognisedFormula& recognised) {
  std::optional<std::size_t> longest;
  std::size_t terms = least_hard_sum - 1;
  for (const std::size_t number : recognised.rest) {
    const model::AtLeastRow& row = formula.constraints[number];
    if (row.terms.size() <= terms) continue;
    std::int64_t largest = 0, total = 0;
    for (const auto& [coefficient, literal] : row.terms) {
      largest = std::max(largest, coefficient);
      total += coefficient;  // fits, or the formula would not have the row
    }
    if (row.bound <= largest || total - row.bound <= largest) continue;
    terms = row.terms.size();
    longest = number;
  }
  return longest;
}

}  // namespace

class PbSolver::Run {
 public:
  Run(const model::PbFormula& formula, const PbRequest& request)
      : formula_(formula),
        request_(request),
        watch_(request.limits),
        objective_(positive_objective(formula)),
        proof_variables_(formula.variables) {
    if (request.proof.empty()) return;
    file_.emplace(request.proof);
    proof_.emplace(*file_, request.proof_version, static_cast<std::int64_t>(formula.constraints.size()));
  }

  void offer(const BitValues& known) {
    const std::int64_t value = model::evaluate(formula_, known).objective;
    if (!outcome_.value || value < *outcome_.value) take_values(known, value);
    known_value_ = *outcome_.value - objective_.offset;
  }

  PbOutcome run(std::uint64_t conflicts) {
    const std::uint64_t before = statistics().conflicts;
    std::uint64_t made = 0;
    cdcl::OptimiseEnd ended = cdcl::OptimiseEnd::stopped;
    if (whole_ || load()) {
      do {
        ended = take_turn(conflicts - made);
        made = statistics().conflicts - before;
      } while (ended == cdcl::OptimiseEnd::paused && made < conflicts);
    }
    conclude(ended == cdcl::OptimiseEnd::finished || ended == cdcl::OptimiseEnd::found);
    return outcome_;
  }

 private:
  // The solvers of a search, the same formula in both.
  struct Search {
    cdcl::Solver improving;
    std::optional<cdcl::Solver> cores;
    std::optional<cdcl::Optimiser> optimiser;

    Search(std::uint64_t seed, bool with_cores, LimitWatch& watch) : improving({.seed = seed}, watch) {
      if (with_cores) cores.emplace(cdcl::SolverOptions{.cores = true, .seed = seed}, watch);
    }
    cdcl::OptimiseSolvers solvers() { return {&improving, cores ? &*cores : nullptr}; }
  };

  cdcl::OptimiseEnd take_turn(std::uint64_t most) {
    const bool by_sum = hard_sum_ && !outcome_.values;
    const cdcl::OptimiseEnd ended = whole_->optimiser->run(by_sum ? std::min(most, slice_) : most);
    if (ended != cdcl::OptimiseEnd::paused || !by_sum || outcome_.values) return ended;
    if (!sum_ && !load_sum()) return cdcl::OptimiseEnd::stopped;
    const cdcl::OptimiseEnd of_sum = sum_->optimiser->run(std::min(most, slice_));
    slice_ += slice_ / 2;
    if (of_sum != cdcl::OptimiseEnd::found || !formula_.has_objective) return of_sum;
    earlier_ += sum_->solvers().statistics();
    sum_.reset();
    return cdcl::OptimiseEnd::paused;
  }

  bool load() {
    if (watch_.should_stop() || watch_.exceeds_memory(std::size_t{formula_.variables} * bytes_a_pb_variable))
      return false;
    recognised_ = recognise_neurons(formula_);
    for (const auto& layer : recognised_.layers) outcome_.neurons += layer.size();
    outcome_.layers = recognised_.layers.size();
    outcome_.rows = recognised_.rest.size();
    hard_sum_ = hard_sum_of(formula_, recognised_);
    whole_.emplace(request_.limits.seed, !objective_.terms.empty(), watch_);
    if (!load(*whole_, objective_.terms)) return false;
    cdcl::OptimiseOptions options;
    if (!formula_.has_objective) options.enough = cdcl::any_value;
    if (known_value_) options.improving_first = options.first_turn;
    options.along_time = false;  // the order of its variables means nothing
    cdcl::OptimiseEvents events;
    events.improved = [this](const cdcl::Solver& solver, std::int64_t value) {
      take_solution(solver, objective_.offset + value);
    };
    events.raised = [this](std::int64_t lower) {
      outcome_.lower_bound = objective_.offset + lower;
      if (request_.callbacks.lower_bound) request_.callbacks.lower_bound(*outcome_.lower_bound);
    };
    events.known_upper = [this] { return known_value_.value_or(cdcl::any_value); };
    whole_->optimiser.emplace(whole_->solvers(), objective_.terms, options, std::move(events), watch_);
    return true;
  }

  // The formula without the row of the hard sum, which is minimised.
  bool load_sum() {
    const std::size_t number = *hard_sum_;
    const model::AtLeastRow& row = formula_.constraints[number];
    std::vector<WeightedLit> missing;
    cdcl::OptimiseOptions options;
    options.enough = -row.bound;
    options.enough_row = number + 1;
    for (const auto& [coefficient, literal] : row.terms) {
      missing.push_back({coefficient, ~literal});
      *options.enough += coefficient;
    }
    std::erase(recognised_.rest, number);
    sum_.emplace(request_.limits.seed, true, watch_);
    if (!load(*sum_, missing)) return false;
    cdcl::OptimiseEvents events;
    events.improved = [this](const cdcl::Solver& solver, std::int64_t) {
      if (!outcome_.values) take_solution(solver, std::nullopt);  // the next may be worse
    };
    sum_->optimiser.emplace(sum_->solvers(), std::move(missing), options, std::move(events), watch_);
    return true;
  }

  // False if a limit was reached.
  bool load(Search& search, const std::vector<WeightedLit>& objective) {
    const auto go_on = [&] { return !watch_.should_stop() && !watch_.exceeds_memory(bytes()); };
    for (cdcl::Solver* solver : {&search.improving, search.cores ? &*search.cores : nullptr}) {
      if (solver == nullptr) continue;
      if (proof_) solver->set_proof(&views_.emplace_back(*proof_, proof_variables_, formula_.variables));
      if (!load_formula(formula_, recognised_, *solver, go_on)) return false;
      for (const WeightedLit& term : objective) solver->set_phase(term.literal.var(), term.literal.negated());
    }
    return true;
  }

  std::size_t bytes() {
    return (whole_ ? whole_->solvers().bytes() : 0) + (sum_ ? sum_->solvers().bytes() : 0);
  }

  cdcl::SolverStatistics statistics() {
    cdcl::SolverStatistics all = earlier_;
    for (std::optional<Search>* search : {&whole_, &sum_})
      if (*search) all += (*search)->solvers().statistics();
    return all;
  }

  void take_solution(const cdcl::Solver& solver, std::optional<std::int64_t> value) {
    BitValues values(formula_.variables);
    for (std::uint32_t v = 0; v < formula_.variables; ++v)
      values[v] = solver.model_value(Lit::positive({v})) ? 1 : 0;
    take_values(std::move(values), value);
  }

  void take_values(BitValues values, std::optional<std::int64_t> value) {
    const model::PbValues checked = model::evaluate(formula_, values);
    if (checked.violated || (value && checked.objective != *value))
      throw std::logic_error("the solver returned an invalid solution");
    if (proof_) proof_->add_solution(values, formula_.has_objective);
    outcome_.values = std::move(values);
    outcome_.value = checked.objective;
    if (!value) known_value_ = checked.objective - objective_.offset;  // the other search does not know it
    if (request_.callbacks.improvement) request_.callbacks.improvement(*outcome_.values, *outcome_.value);
  }

  void conclude(bool proved) {
    if (outcome_.values) {
      outcome_.status = proved ? Status::optimal : Status::feasible;
      if (proved) outcome_.lower_bound = outcome_.value;
    } else {
      outcome_.status = proved ? Status::infeasible : Status::unknown;
      if (proved) outcome_.lower_bound.reset();
    }
    outcome_.stopped = watch_.reason();
    outcome_.conflicts = statistics().conflicts;
    outcome_.propagations = statistics().propagations;
    if (proof_ && proved) end_proof();
  }

  // Without a result there is nothing to prove, and no file.
  void end_proof() {
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
  RecognisedFormula recognised_;
  std::optional<std::size_t> hard_sum_;
  std::uint64_t slice_ = first_slice;
  std::optional<OutputFile> file_;
  std::optional<cdcl::ProofWriter> proof_;
  std::uint32_t proof_variables_;            // the formula's, and those defined later
  std::deque<cdcl::ProofView> views_;        // of the solvers
  std::optional<Search> whole_, sum_;        // of the formula, and of the sum of its hard row
  std::optional<std::int64_t> known_value_;  // without the offset
  cdcl::SolverStatistics earlier_;           // of searches that ended
  PbOutcome outcome_;
};

PbSolver::PbSolver(const model::PbFormula& formula, const PbRequest& request)
    : run_(std::make_unique<Run>(formula, request)) {}
PbSolver::~PbSolver() = default;

void PbSolver::offer(const BitValues& known) { run_->offer(known); }
PbOutcome PbSolver::run(std::uint64_t conflicts) { return run_->run(conflicts); }

}  // namespace bnnplan::engines
