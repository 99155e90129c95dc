#pragma once

// Exact numbers as texts, and names that stand for values, in questions to networks.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "core.hpp"
#include "options.hpp"

namespace bnnplan::python {

inline mpq_class exact_of(const std::string& text, const char* what) {
  auto value = parse_exact(text);
  if (!value) throw InputError(fmt::format("{} is '{}', expected a number", what, printable(text)));
  return *value;
}

inline std::vector<mpq_class> exact_of(const std::vector<std::string>& texts, const char* what) {
  std::vector<mpq_class> values;
  for (const std::string& text : texts) values.push_back(exact_of(text, what));
  return values;
}

inline std::vector<std::string> texts_of(const std::vector<mpq_class>& numbers) {
  std::vector<std::string> result;
  for (const mpq_class& number : numbers) result.push_back(exact_text(number));
  return result;
}

// The value of an enumeration whose names are listed in its order. Refuses others as options are refused.
template <class Value>
Value value_named(std::span<const std::string_view> names, const std::string& name, const char* argument) {
  std::optional<Value> place;
  py::dict given;
  given[argument] = name;
  set_options({{argument, describing::words(place, names)}}, given);
  return *place;
}

inline verification::VerifyQuery query_of(const std::vector<std::string>& values, std::size_t label,
                                          const std::optional<std::size_t>& target, const std::string& norm,
                                          const std::optional<std::string>& epsilon,
                                          const std::string& ties) {
  verification::VerifyQuery query;
  query.values = exact_of(values, "an input");
  query.label = label;
  query.target = target;
  query.norm = value_named<verification::Norm>(verification::norm_names, norm, "norm");
  if (epsilon) query.epsilon = exact_of(*epsilon, "epsilon");
  query.ties = value_named<verification::TieRule>(verification::tie_rule_names, ties, "ties");
  return query;
}

}  // namespace bnnplan::python
