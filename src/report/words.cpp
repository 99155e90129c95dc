// Linear constraints in words. Only forms that are readable at a glance become sentences: sums of Booleans
// with a bound, single Booleans, clauses. A sum over many variables of one family, such as the cells a robot
// can be at, is named after the family.
#include "bnnplan/report/words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::reporting {

namespace {

constexpr std::size_t most_names = 6;

std::string small_number(std::int64_t number) {
  static constexpr const char* words[] = {"none", "one", "two", "three", "four", "five"};
  return number >= 0 && number <= 5 ? words[number] : fmt::format("{}", number);
}

std::string family_of(const std::string& name) { return name.substr(0, name.find('[')); }

// "a, b, c", or "the 25 robot-at".
std::string names_text(const std::vector<std::string>& names) {
  if (names.size() > most_names) {
    const std::string family = family_of(names.front());
    const bool same = std::all_of(names.begin(), names.end(),
                                  [&](const std::string& name) { return family_of(name) == family; });
    if (same) return fmt::format("the {} {}", names.size(), printable(family));
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

bool is_boolean(const Problem& problem, Bit bit) {
  const VariableList& list = variables_at(problem, bit.place);
  return list.variables[list.variable_of(bit.index)].boolean;
}

}  // namespace

std::string constraint_in_words(const Problem& problem, const LinearConstraint& constraint) {
  const std::vector<Term>& terms = constraint.terms;
  const auto unit = [](const Term& term) { return term.coefficient == 1 || term.coefficient == -1; };
  const bool plain = !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
    return unit(term) && is_boolean(problem, term.bit);
  });
  if (!plain) return printable(constraint.text, 2000);
  const auto negative =
      std::count_if(terms.begin(), terms.end(), [](const Term& term) { return term.coefficient < 0; });
  const std::int64_t bound = constraint.bound;
  std::vector<std::string> names;
  for (const Term& term : terms) names.push_back(bit_name(problem, term.bit));
  if (terms.size() == 1 && negative == 0) {
    const bool must = bound == 1 && constraint.comparison != Comparison::at_most;
    const bool must_not = bound == 0 && constraint.comparison != Comparison::at_least;
    if (must || must_not) return fmt::format("{} is {}", printable(names[0]), must ? "true" : "false");
    return printable(constraint.text, 2000);
  }
  if (negative == 0 && bound >= 0) {
    const std::string all = names_text(names);
    switch (constraint.comparison) {
      case Comparison::at_most:
        return bound == 0 ? fmt::format("none of {}", all)
                          : fmt::format("at most {} of {}", small_number(bound), all);
      case Comparison::equal:
        return bound == 0 ? fmt::format("none of {}", all)
                          : fmt::format("exactly {} of {}", small_number(bound), all);
      case Comparison::at_least:
        return fmt::format("at least {} of {}", small_number(bound), all);
    }
  }
  // A clause: a + ~b >= 1 is a - b >= 0.
  if (constraint.comparison == Comparison::at_least && bound == 1 - negative &&
      terms.size() <= 2 * most_names) {
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      text += fmt::format("{}{}{}", text.empty() ? "" : " or ", terms[i].coefficient < 0 ? "not " : "",
                          printable(names[i]));
    }
    return text;
  }
  return printable(constraint.text, 2000);
}

std::string claim_text(const std::string& status, const std::string& among, const std::string& claimed_by,
                       const std::string& resumed_from) {
  if (status.empty()) return "";
  return status + (among.empty() ? "" : " among the " + among) +
         (claimed_by.empty() ? "" : fmt::format(", as {} claimed", claimed_by)) +
         (resumed_from.empty() ? "" : fmt::format(", resumed from {}", resumed_from));
}

std::string objective_in_words(const Problem& problem) {
  const Objective& objective = problem.objective;
  if (objective.terms.empty()) return "any plan: there is no reward";
  const bool counts =
      objective.constant == 0 && objective.decimals == 0 &&
      std::all_of(objective.terms.begin(), objective.terms.end(), [&](const Term& term) {
        return term.coefficient == 1 && term.bit.place == Place::action && is_boolean(problem, term.bit);
      });
  if (counts && !is_discounted(problem)) {
    std::vector<std::string> names;
    for (const Term& term : objective.terms) names.push_back(bit_name(problem, term.bit));
    return fmt::format("as few of {} as possible, over all steps", names_text(names));
  }
  return fmt::format("the {} total of {} over all steps{}", objective.maximize ? "largest" : "smallest",
                     printable(objective.text, 2000),
                     is_discounted(problem) ? fmt::format(", each step weighted {} times the one before",
                                                          to_string(objective.discount))
                                            : "");
}

}  // namespace bnnplan::reporting
