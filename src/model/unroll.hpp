#pragma once

#include "bnnplan/base/limits.hpp"
#include "bnnplan/model/zero_one_model.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::model {

// The variable layout of the unrolled problem. Throws InputError if there would be more than 2^30 variables.
ModelLayout layout_of(const Problem& problem);

// The approximate size of the unrolled model in bytes.
std::size_t unrolled_bytes(const Problem& problem);

// Throws InputError if the machine does not have enough memory for it.
void require_room_for_model(const Problem& problem);

// The problem over its horizon as one 0-1 model: a unit row for every given initial bit, the goal over
// s^(H+1), the constraints and known transitions of every step, the neurons of every step, one clause over
// the first steps for every refused prefix, the objective. Both require problem.horizon > 0. With a watch,
// throws LimitReached at a limit.
ZeroOneModel unroll(const Problem& problem, LimitWatch* watch = nullptr);

// The same piece by piece, in this order, for callers that need not hold all of it at once: the layout, the
// names and the objective; then rows and neurons are appended for the initial state, for each step t = 1..H,
// for the goal and the refused prefixes.
ZeroOneModel begin_unroll(const Problem& problem);
void unroll_initial(const Problem& problem, ZeroOneModel& model);
void unroll_step(const Problem& problem, std::int32_t t, ZeroOneModel& model);
void unroll_goal(const Problem& problem, ZeroOneModel& model);

// Everything after begin_unroll.
void unroll_rest(const Problem& problem, ZeroOneModel& model, LimitWatch* watch);

}  // namespace bnnplan::model
