// The value of a plan in words, in one place for tables, pages and messages. Internally, everything is a cost
// to be minimised; but a user who asked for the largest reward should not have to read that the best one
// costs -36.
#include "bnnplan/problem/worth.hpp"

#include <fmt/format.h>

namespace bnnplan {

const char* worth_name(bool maximize) { return maximize ? "reward" : "cost"; }

std::string worth_number(bool maximize, const Decimal& cost) { return to_string(maximize ? -cost : cost); }

std::string worth_number(const Problem& problem, std::int64_t cost) {
  return worth_number(problem.objective.maximize, cost_in_units(problem, cost));
}

std::string worth_text(bool maximize, const Decimal& cost) {
  return fmt::format("{} {}", worth_name(maximize), worth_number(maximize, cost));
}

std::string worth_text(const Problem& problem, std::int64_t cost) {
  return worth_text(problem.objective.maximize, cost_in_units(problem, cost));
}

std::string bound_text(bool maximize, const Decimal& lower, std::string_view who) {
  return fmt::format("{} {} {}", who, maximize ? "has a reward above" : "costs less than",
                     worth_number(maximize, lower));
}

std::string bound_text(const Problem& problem, std::int64_t lower) {
  return bound_text(problem.objective.maximize, cost_in_units(problem, lower));
}

std::string promise_text(const Problem& problem, std::int64_t cost, const std::string& domain_reward) {
  // Exact numbers have one text form: the texts are equal if the numbers are.
  const std::string promised = worth_number(true, cost_in_units(problem, cost));
  if (problem.objective.text.empty() || promised == domain_reward) return "";
  return fmt::format("the model promises {}, the domain gives {}", promised, domain_reward);
}

}  // namespace bnnplan
