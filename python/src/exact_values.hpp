#pragma once

// Exact numbers as texts, and names that stand for values, in questions to networks.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "core.hpp"

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

// The fields of an answer. Numbers are texts, as exact as they are.
inline py::object field_of(const JsonValue& value) {
  if (const bool* flag = value.boolean()) return py::bool_(*flag);
  if (const JsonNumber* number = value.number()) return py::str(number->text);
  if (const std::string* text = value.string()) return py::str(*text);
  if (value.array() == nullptr) return py::none();
  py::list list;
  for (const JsonValue& element : *value.array()) list.append(field_of(element));
  return list;
}
inline py::dict fields_of(const Answer& answer) {
  py::dict fields;
  for (const JsonMember& member : answer.fields) fields[member.name.c_str()] = field_of(member.value);
  return fields;
}

// The value of an enumeration whose names are listed in its order. Refuses others as options are refused.
template <class Value>
Value value_named(std::span<const std::string_view> names, const std::string& name, const char* argument) {
  std::string place;
  const Option option{.name = argument, .field = describing::one_of(place, {names.begin(), names.end()})};
  if (const std::string expected = refusal(option, name); !expected.empty())
    throw OptionError(fmt::format("<{}> is '{}', expected {}", argument, printable(name), expected));
  return static_cast<Value>(std::find(names.begin(), names.end(), name) - names.begin());
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
