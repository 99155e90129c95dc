#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"

// Fields that the options of several commands have.
namespace bnnplan {

// The names in a table of engines, formats or encodings.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

// How neurons become clauses.
template <class Place>
OptionField encoding_name(Place& place) {
  std::vector<std::pair<std::string, Place>> encodings;
  for (const auto& info : encoding::neuron_encodings()) encodings.emplace_back(info.name, info.encoding);
  return describing::words(place, std::move(encodings));
}

// An exact number, given as a text: 0.5, 1e-5, 1/255.
inline OptionField exact(std::optional<mpq_class>& place, bool may_be_negative = true) {
  auto* at = &place;
  OptionField made{OptionKind::text, [=] { return *at ? OptionValue(exact_text(**at)) : OptionValue(); },
                   [=](const OptionValue& value) { *at = parse_exact(std::get<std::string>(value)); }};
  made.expected = [=](const std::string& text) {
    const auto number = parse_exact(text);
    if (number && (may_be_negative || *number >= 0)) return "";
    return may_be_negative ? "a number such as 0.5, 1e-5 or 1/255" : "a number from 0 on";
  };
  return made;
}

}  // namespace bnnplan
