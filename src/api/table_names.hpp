#pragma once

#include <string>
#include <vector>

namespace bnnplan {

// The names in a table of engines, formats or encodings.
template <class Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace bnnplan
