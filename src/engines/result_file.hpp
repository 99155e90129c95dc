#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// What `plan --json` prints and `plan -o` writes, described in docs/formats.md: status, cost, bounds, plan
// and statistics as one JSON object, readable as a plan file. If there is no plan, cost, initial and steps
// are null. Numbers are exact.
std::string outcome_json(const Problem& problem, const Outcome& outcome);
JsonObject outcome_fields(const Problem& problem, const Outcome& outcome);

// Adds model_reward and domain_reward: what the problem promises for a plan of this cost and what the true
// domain gives, an exact number as text.
void add_rewards(Answer& answer, const Problem& problem, std::int64_t cost, const std::string& domain_reward);

// What a result file states besides its plan (which problem/plan_file.hpp reads). These are the file's
// claims, and anyone can write a file: values of an unexpected type are left out, numbers are kept as text.
struct ResultClaims {
  // Empty if the file does not state it, as is `seconds`.
  std::string status, among, engine, claimed_by, resumed_from, stopped, proof;
  std::string seconds;
  std::optional<Decimal> cost, lower_bound;  // in units of the objective
  // The plan's reward in the true domain, as found by `plan --repair`.
  std::string domain_reward;
  std::vector<std::array<std::string, 3>> bounds;  // seconds, lower, upper; "null" if unknown
  std::vector<std::pair<std::string, std::string>> statistics;
};
ResultClaims result_claims(const JsonValue& root);

}  // namespace bnnplan::engines
