#pragma once

#include <string>

#include "engines/engine.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// What `plan --json` prints, described in docs/formats.md: status, cost, bounds, plan and statistics as one
// JSON object, readable as a plan file. Where there is no plan, cost, initial and steps are null. Numbers are
// exact.
std::string outcome_json(const Problem& problem, const Outcome& outcome);

// "model_reward": 24, "domain_reward": 14, as members of an object: what the problem promises for a plan of
// this cost and what the true domain gives, a number as text. A fraction that is no decimal is a text.
std::string rewards_json(const Problem& problem, std::int64_t cost, const std::string& domain_reward);

// A plan alone, as a plan file. Requires a plan that says everything.
std::string plan_json(const Problem& problem, const Plan& plan);

}  // namespace bnnplan
