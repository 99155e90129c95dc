// The pseudo-Boolean solver for C.
#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include <bnnplan/pseudo_boolean.hpp>

#include "bnnplan/api/c_call.hpp"
#include "bnnplan/base/text_file.hpp"

using namespace bnnplan;

struct bnnplan_pb {
  PbFormula formula;
  std::string proof;
  PbOutcome outcome;
  std::string error;
};

namespace {

std::vector<WeightedLit> terms_from_c(const std::int64_t* coefficients, const std::int32_t* literals,
                                      std::size_t count) {
  std::vector<WeightedLit> terms;
  for (std::size_t i = 0; i < count; ++i) terms.push_back({coefficients[i], literal_from_c(literals[i])});
  return terms;
}

void cover(PbFormula& formula, const std::vector<WeightedLit>& terms) {
  for (const WeightedLit& term : terms)
    formula.variables = std::max(formula.variables, term.literal.var().index + 1);
}

}  // namespace

extern "C" {

bnnplan_pb* bnnplan_pb_new(void) { return new (std::nothrow) bnnplan_pb; }

void bnnplan_pb_free(bnnplan_pb* problem) { delete problem; }

int bnnplan_pb_read(bnnplan_pb* problem, const char* file) {
  return c_call(problem->error, [&] {
    problem->formula = parse_opb(read_text_file(file), file);
    problem->outcome = {};
    return 0;
  });
}

int bnnplan_pb_add_at_least(bnnplan_pb* problem, const int64_t* coefficients, const int32_t* literals,
                            size_t count, int64_t bound) {
  return c_call(problem->error, [&] {
    const auto terms = terms_from_c(coefficients, literals, count);
    problem->formula.add(terms, bound);
    cover(problem->formula, terms);
    problem->outcome = {};
    return 0;
  });
}

// The objective of a formula is over variables: one of a negated literal -x is c - c x, and c is added to the
// value.
int bnnplan_pb_minimize(bnnplan_pb* problem, const int64_t* coefficients, const int32_t* literals,
                        size_t count) {
  return c_call(problem->error, [&] {
    auto terms = terms_from_c(coefficients, literals, count);
    for (const WeightedLit& term : terms) {
      if (term.literal.negated())
        throw InputError(
            "an objective is over variables: write the coefficient of the negation with the other sign");
    }
    cover(problem->formula, terms);
    problem->formula.objective = std::move(terms);
    problem->formula.has_objective = true;
    problem->outcome = {};
    return 0;
  });
}

int bnnplan_pb_set_proof(bnnplan_pb* problem, const char* file) {
  return c_call(problem->error, [&] {
    problem->proof = file == nullptr ? "" : file;
    return 0;
  });
}

int bnnplan_pb_solve(bnnplan_pb* problem, double seconds) {
  return c_call(problem->error, [&] {
    PbRequest request;
    request.limits = limits_from_c(seconds);
    request.proof = problem->proof;
    problem->outcome = solve_pseudo_boolean(problem->formula, request);
    return c_status_of(problem->outcome.status);
  });
}

int64_t bnnplan_pb_objective(const bnnplan_pb* problem) { return problem->outcome.value.value_or(0); }

int64_t bnnplan_pb_lower_bound(const bnnplan_pb* problem) {
  return problem->outcome.lower_bound.value_or(std::numeric_limits<std::int64_t>::min());
}

int bnnplan_pb_value(const bnnplan_pb* problem, int32_t literal) {
  return c_value(problem->outcome.values, literal);
}

const char* bnnplan_pb_error(const bnnplan_pb* problem) { return problem->error.c_str(); }

}  // extern "C"
