#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/json_text.hpp"
#include "engines/engine.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// What `plan --json` prints and `plan -o` writes, described in docs/formats.md: status, cost, bounds, plan
// and statistics as one JSON object, readable as a plan file. Where there is no plan, cost, initial and steps
// are null. Numbers are exact.
std::string outcome_json(const Problem& problem, const Outcome& outcome);

// "model_reward": 24, "domain_reward": 14, as members of an object: what the problem promises for a plan of
// this cost and what the true domain gives, a number as text. A fraction that is no decimal is a text.
std::string rewards_json(const Problem& problem, std::int64_t cost, const std::string& domain_reward);

// What a result file says beside its plan (problem/plan_file.hpp reads that). It is what the file claims, and
// anybody can write a file: what is not of the expected kind is left out, numbers are kept as the text they
// are.
struct ResultClaims {
  std::string status, among, engine, claimed_by, resumed_from, stopped,
      proof;                                 // empty where the file does not say
  std::string seconds;                       // likewise
  std::optional<Decimal> cost, lower_bound;  // in units of the objective
  std::string domain_reward;  // what the true domain gives for the plan, which `plan --repair` asked
  std::vector<std::array<std::string, 3>> bounds;  // seconds, lower, upper; "null" where unknown
  std::vector<std::pair<std::string, std::string>> statistics;
};
ResultClaims result_claims(const JsonValue& root);

}  // namespace bnnplan
