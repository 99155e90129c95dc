// IPAMIR on top of IncrementalMaxSat. No exception crosses the C interface: any failure puts the solver into
// the state ERROR, which ipamir_solve reports.
#include "bnnplan/ipamir.h"

#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bnnplan/ipamir/variable_pages.hpp"
#include "bnnplan/maxsat/incremental_maxsat.hpp"

namespace bnnplan::ipamir {

namespace {

class IpamirSolver {
 public:
  void add_hard(std::int32_t literal) {
    leave_answer();
    if (literal != 0) {
      clause_.push_back(our_literal(literal));
      return;
    }
    maxsat_.add(clause_);
    clause_.clear();
  }

  void add_soft(std::int32_t literal, std::uint64_t weight) {
    leave_answer();
    maxsat_.set_weight(our_literal(literal), weight);
  }

  void assume(std::int32_t literal) {
    leave_answer();
    assumptions_.push_back(our_literal(literal));
  }

  int solve() {
    leave_answer();
    if (!clause_.empty()) throw std::invalid_argument("a clause was not ended");
    maxsat::IncrementalMaxSat::Request request;
    if (terminate_ != nullptr) request.should_stop = [this] { return terminate_(terminate_state_) != 0; };
    outcome_ = maxsat_.solve(std::exchange(assumptions_, {}), request);
    switch (outcome_.status) {
      case Status::optimal:
        return 30;
      case Status::infeasible:
        return 20;
      case Status::feasible:
        return 10;
      case Status::unknown:
        return 0;
    }
    __builtin_unreachable();
  }

  std::uint64_t cost() const { return outcome_.cost.value_or(0); }

  std::int32_t value(std::int32_t literal) const {
    if (!outcome_.model || !is_literal(literal)) return 0;
    const std::uint32_t variable = variables_.find(number(literal));
    if (variable == VariablePages::absent || variable >= outcome_.model->size()) return 0;
    return (*outcome_.model)[variable] == (literal > 0) ? literal : -literal;
  }

  void set_terminate(void* state, int (*terminate)(void*)) {
    terminate_state_ = state;
    terminate_ = terminate;
  }

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

 private:
  static bool is_literal(std::int32_t literal) {
    return literal != 0 && literal != std::numeric_limits<std::int32_t>::min();
  }
  static std::uint32_t number(std::int32_t literal) {
    return static_cast<std::uint32_t>(literal > 0 ? literal : -literal);
  }
  Lit our_literal(std::int32_t literal) {
    if (!is_literal(literal)) throw std::invalid_argument("not a literal");
    std::uint32_t& variable = variables_.at(number(literal));
    if (variable == VariablePages::absent) variable = maxsat_.new_variable().var().index;
    return Lit::of({variable}, literal < 0);
  }
  void leave_answer() { outcome_ = {}; }

  maxsat::IncrementalMaxSat maxsat_;
  VariablePages variables_;
  std::vector<Lit> clause_, assumptions_;
  maxsat::MaxSatOutcome outcome_;
  void* terminate_state_ = nullptr;
  int (*terminate_)(void*) = nullptr;
  bool failed_ = false;
};

// Performs the action unless the solver has failed before; returns `otherwise` if it has, or fails now.
template <typename Result, typename Action>
Result guarded(void* pointer, Result otherwise, Action action) {
  auto& solver = *static_cast<IpamirSolver*>(pointer);
  if (solver.failed()) return otherwise;
  try {
    return action(solver);
  } catch (const std::exception&) {
    solver.fail();
    return otherwise;
  }
}

}  // namespace

}  // namespace bnnplan::ipamir

using bnnplan::ipamir::guarded;
using bnnplan::ipamir::IpamirSolver;

extern "C" {

const char* ipamir_signature(void) { return "bnnplan " BNNPLAN_VERSION; }

void* ipamir_init(void) {
  try {
    return new IpamirSolver;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void ipamir_release(void* solver) { delete static_cast<IpamirSolver*>(solver); }

void ipamir_add_hard(void* solver, int32_t lit_or_zero) {
  guarded(solver, 0, [=](IpamirSolver& to) { return to.add_hard(lit_or_zero), 0; });
}

void ipamir_add_soft_lit(void* solver, int32_t lit, uint64_t weight) {
  guarded(solver, 0, [=](IpamirSolver& to) { return to.add_soft(lit, weight), 0; });
}

void ipamir_assume(void* solver, int32_t lit) {
  guarded(solver, 0, [=](IpamirSolver& to) { return to.assume(lit), 0; });
}

int ipamir_solve(void* solver) {
  return guarded(solver, 40, [](IpamirSolver& by) { return by.solve(); });
}

uint64_t ipamir_val_obj(void* solver) {
  return guarded(solver, uint64_t{0}, [](IpamirSolver& by) { return by.cost(); });
}

int32_t ipamir_val_lit(void* solver, int32_t lit) {
  return guarded(solver, int32_t{0}, [=](IpamirSolver& by) { return by.value(lit); });
}

void ipamir_set_terminate(void* solver, void* state, int (*terminate)(void* state)) {
  guarded(solver, 0, [=](IpamirSolver& by) { return by.set_terminate(state, terminate), 0; });
}

}  // extern "C"
