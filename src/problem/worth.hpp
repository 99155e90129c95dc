#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/base/decimal.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// Costs in the words of the problem: one that minimises has a cost, one that maximises has a reward, which is
// minus the cost. Files for programs always have the cost.

const char* worth_name(bool maximize);                         // "cost", "reward"
std::string worth_number(bool maximize, const Decimal& cost);  // 5, or the reward 36 for a cost of -36
std::string worth_number(const Problem& problem, std::int64_t cost);
std::string worth_text(bool maximize, const Decimal& cost);  // "cost 5", "reward 36"
std::string worth_text(const Problem& problem, std::int64_t cost);

// A lower bound on the cost in words: "no plan costs less than 3", "no plan has a reward above 40".
std::string bound_text(bool maximize, const Decimal& lower, std::string_view who = "no plan");
std::string bound_text(const Problem& problem, std::int64_t lower);

// "the model promises 27, the domain gives 63", if the reward of a plan in the true domain differs from the
// one in the problem; "" if it is the same, and for a problem without an objective, which promises none.
std::string promise_text(const Problem& problem, std::int64_t cost, const std::string& domain_reward);

}  // namespace bnnplan
