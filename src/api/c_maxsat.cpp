// The MaxSAT solver for C.
#include <new>
#include <vector>

#include <bnnplan/maxsat.hpp>

#include "bnnplan/api/c_call.hpp"

using namespace bnnplan;

struct bnnplan_maxsat {
  Wcnf formula;
  MaxSatOutcome outcome;
  std::string error;
};

namespace {

std::vector<Lit> clause_from_c(const std::int32_t* literals, std::size_t count) {
  std::vector<Lit> clause;
  for (std::size_t i = 0; i < count; ++i) clause.push_back(literal_from_c(literals[i]));
  return clause;
}

}  // namespace

extern "C" {

bnnplan_maxsat* bnnplan_maxsat_new(void) { return new (std::nothrow) bnnplan_maxsat; }

void bnnplan_maxsat_free(bnnplan_maxsat* formula) { delete formula; }

int bnnplan_maxsat_read(bnnplan_maxsat* formula, const char* file) {
  return c_call(formula->error, [&] {
    formula->formula = read_wcnf(file);
    formula->outcome = {};
    return 0;
  });
}

int bnnplan_maxsat_add_hard(bnnplan_maxsat* formula, const int32_t* literals, size_t count) {
  return c_call(formula->error, [&] {
    formula->formula.add_hard(clause_from_c(literals, count));
    formula->outcome = {};
    return 0;
  });
}

int bnnplan_maxsat_add_soft(bnnplan_maxsat* formula, const int32_t* literals, size_t count, uint64_t weight) {
  return c_call(formula->error, [&] {
    formula->formula.add_soft(clause_from_c(literals, count), weight);
    formula->outcome = {};
    return 0;
  });
}

int bnnplan_maxsat_solve(bnnplan_maxsat* formula, double seconds) {
  return c_call(formula->error, [&] {
    MaxSatRequest request;
    request.limits = limits_from_c(seconds);
    formula->outcome = solve_maxsat(formula->formula, request);
    return c_status_of(formula->outcome.status);
  });
}

uint64_t bnnplan_maxsat_cost(const bnnplan_maxsat* formula) { return formula->outcome.cost.value_or(0); }

uint64_t bnnplan_maxsat_lower_bound(const bnnplan_maxsat* formula) { return formula->outcome.lower_bound; }

int bnnplan_maxsat_value(const bnnplan_maxsat* formula, int32_t literal) {
  return c_value(formula->outcome.model, literal);
}

const char* bnnplan_maxsat_error(const bnnplan_maxsat* formula) { return formula->error.c_str(); }

}  // extern "C"
