#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::model {

// The effects of simplification.
struct SimplifyReport {
  std::int64_t fixed_problem_variables = 0;  // state, action and auxiliary bits that became constant
  std::int64_t constant_neurons = 0;         // neurons whose inputs make their output constant
  std::int64_t removed_inputs = 0;           // constant inputs of the others
  std::int64_t cancelled_inputs = 0;         // pairs x and not x counted as two
  std::int64_t merged_neurons = 0;           // equal or opposite to another one of their layer and step
  std::int64_t unused_neurons = 0;           // nothing depends on them any more
  std::int64_t removed_rows = 0;             // rows that always hold
  std::int64_t shortened_rows = 0;
  int rounds = 0;
  bool infeasible = false;  // found to have no solution at all
};

struct SimplifiedModel {
  ZeroOneModel model;
  SimplifyReport report;
};

// A smaller model with the same variables, the same set of plans (values of all state, action and auxiliary
// variables) and the same costs. Constants of the initial state and the goal are propagated through rows and
// neurons to a fixpoint, constant neurons and rows that always hold are removed, thresholds are adjusted to
// fixed inputs, equal and opposite neurons are computed once. Constant problem variables keep a unit row,
// merged ones an equality row; so do neurons whose output is fixed by what follows them. Hidden neurons that
// are constant or unused no longer occur. If the model turns out to have no solution, it has a row that
// cannot hold. With a watch, throws LimitReached at a limit.
SimplifiedModel simplify(ZeroOneModel model, LimitWatch* watch = nullptr);

}  // namespace bnnplan::model
