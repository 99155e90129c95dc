// The SAT solver below everything: CaDiCaL 1.5.3 (Biere, Fazekas, Fleury, Heisinger 2020) as Debian ships it.
//
// Adds three things that its interface lacks. Limits: a terminator checks the clock and the interrupt flag,
// and ten times a second the memory of the process. A conflict count, from the callback that offers learned
// clauses (which are always declined): budgets in conflicts make a run repeatable where budgets in seconds
// would not. And cores as literals.
//
// A literal that is assumed or used in clauses later must be frozen: CaDiCaL restores what it has eliminated
// when it is used again, but doing so for soft literals in every call costs more than it saves. So all
// variables of counters are frozen, and those of a bounded sum that later bounds mention.
#include "bnnplan/maxsat/sat_solver.hpp"

#include <cassert>

#include <cadical.hpp>

namespace bnnplan::maxsat {

namespace {

int dimacs(Lit literal) {
  const int variable = static_cast<int>(literal.var().index) + 1;
  return literal.negated() ? -variable : variable;
}

class LimitTerminator final : public CaDiCaL::Terminator {
 public:
  explicit LimitTerminator(LimitWatch& watch) : watch_(&watch) {}

  void watch_by(LimitWatch& watch, std::function<bool()> ask) {
    watch_ = &watch;
    ask_ = std::move(ask);
    next_memory_look_ = 0;
  }

  bool terminate() override {
    if (ask_ && ask_()) watch_->stop(StopReason::interrupted);
    if (watch_->should_stop()) return true;
    if (watch_->limits().memory_bytes == std::numeric_limits<std::size_t>::max()) return false;
    if (watch_->seconds() < next_memory_look_) return false;
    next_memory_look_ = watch_->seconds() + 0.1;
    if (resident_memory() > watch_->limits().memory_bytes) watch_->stop(StopReason::memory);
    return watch_->should_stop();
  }

 private:
  LimitWatch* watch_;
  std::function<bool()> ask_;
  double next_memory_look_ = 0;
};

class ConflictCounter final : public CaDiCaL::Learner {
 public:
  bool learning(int) override {
    ++conflicts;
    return false;
  }
  void learn(int) override {}

  std::int64_t conflicts = 0;
};

// Freezes every variable that is created through it.
class FreezingSink final : public encoding::ClauseSink {
 public:
  explicit FreezingSink(CoreOracle& oracle) : oracle_(oracle) {}

  using encoding::ClauseSink::add;
  Lit new_variable() override {
    const Lit literal = oracle_.new_variable();
    oracle_.freeze(literal);
    return literal;
  }
  void add(std::span<const Lit> clause) override { oracle_.add(clause); }

 private:
  CoreOracle& oracle_;
};

}  // namespace

struct SatSolver::Backend {
  explicit Backend(LimitWatch& watch) : terminator(watch) {}

  LimitTerminator terminator;
  ConflictCounter counter;
  CaDiCaL::Solver solver;
};

SatSolver::SatSolver(LimitWatch& watch, std::uint64_t seed, bool stable)
    : backend_(std::make_unique<Backend>(watch)) {
  backend_->solver.set("quiet", 1);
  if (stable) backend_->solver.set("stabilizeonly", 1);
  backend_->solver.set("seed", static_cast<int>(seed % 2'000'000'000));
  backend_->solver.connect_terminator(&backend_->terminator);
  backend_->solver.connect_learner(&backend_->counter);
}

SatSolver::~SatSolver() {
  backend_->solver.disconnect_terminator();
  backend_->solver.disconnect_learner();
}

void SatSolver::watch_by(LimitWatch& watch, std::function<bool()> ask) {
  backend_->terminator.watch_by(watch, std::move(ask));
}

void SatSolver::add(std::span<const Lit> clause) {
  for (const Lit lit : clause) {
    assert(lit.var().index < variables_);
    backend_->solver.add(dimacs(lit));
  }
  backend_->solver.add(0);
}

void SatSolver::freeze(Lit literal) { backend_->solver.freeze(dimacs(literal)); }

void SatSolver::prefer(Lit literal) { backend_->solver.phase(dimacs(literal)); }

SatAnswer SatSolver::solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) {
  ++calls_;
  core_.clear();
  if (backend_->terminator.terminate()) return SatAnswer::unknown;
  for (const Lit lit : assumptions) backend_->solver.assume(dimacs(lit));
  if (conflict_limit) backend_->solver.limit("conflicts", *conflict_limit);
  const int answer = backend_->solver.solve();
  if (answer == 10) return SatAnswer::satisfiable;
  if (answer != 20) return SatAnswer::unknown;
  for (const Lit lit : assumptions) {
    if (backend_->solver.failed(dimacs(lit))) core_.push_back(lit);
  }
  return SatAnswer::unsatisfiable;
}

bool SatSolver::value(Lit literal) const { return backend_->solver.val(dimacs(literal)) > 0; }

CoreOracle::Counter SatSolver::add_counter(std::span<const Lit> inputs) {
  counters_.emplace_back(inputs);
  return {counters_.size() - 1, inputs.size()};
}

Lit SatSolver::output(const Counter& counter, std::size_t count) {
  FreezingSink sink(*this);
  return counters_[counter.index].output(count, sink);
}

CoreOracle::BoundedSum SatSolver::add_bounded_sum(std::vector<CostTerm> terms, formats::Weight largest) {
  bounds_.emplace_back(std::move(terms), largest + 1, *this);
  for (const Lit literal : bounds_.back().literals()) freeze(literal);
  const BoundedSum sum{bounds_.size() - 1};
  tighten(sum, largest);
  return sum;
}

void SatSolver::tighten(const BoundedSum& sum, formats::Weight largest) {
  bounds_[sum.index].restrict(largest, *this);
}

std::int64_t SatSolver::conflicts() const { return backend_->counter.conflicts; }

}  // namespace bnnplan::maxsat
