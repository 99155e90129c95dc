// Names of variables and of their bits. An integer x of three bits has the names x, x.0, x.1 and x.2.
#include "bnnplan/problem/name_table.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/view/view_file.hpp"

namespace bnnplan {

namespace {

const char* name_fault(std::string_view name) {
  if (name.empty()) return "a name must not be empty";
  if (trimmed(name) != name) return "a name must not start or end with a blank";
  if (name.front() == '#') return "a name must not start with #";
  if (name.back() == '\'') return "a name must not end with ', which marks the next state";
  if (name.find('`') != std::string_view::npos && name.find('"') != std::string_view::npos) {
    return "a name must not have both kinds of quotes";
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "a name must not have control characters";
  }
  return nullptr;
}

}  // namespace

NameTable::NameTable(const Problem& problem) {
  for (const Place place : {Place::action, Place::state, Place::auxiliary}) {
    const VariableList& list = variables_at(problem, place);
    for (std::uint32_t i = 0; i < list.variables.size(); ++i) {
      const auto bits = static_cast<std::uint32_t>(list.variables[i].bits);
      add(list.variables[i], {place, i, list.first_bit[i], bits});
    }
  }
}

void NameTable::add(const Variable& variable, NamedBits bits) {
  const auto insert = [&](std::string name, const NamedBits& meaning) {
    if (const char* fault = name_fault(name)) {
      throw InputError(fmt::format("bad variable name '{}': {}", printable(name), fault));
    }
    const auto [entry, fresh] = names_.emplace(std::move(name), meaning);
    if (!fresh) throw InputError(fmt::format("duplicate variable '{}'", printable(entry->first)));
  };
  insert(variable.name, bits);
  if (variable.boolean) return;
  for (std::uint32_t b = 0; b < bits.count; ++b) {
    insert(fmt::format("{}.{}", variable.name, b), {bits.place, bits.variable, bits.first + b, 1});
  }
}

std::optional<NamedBits> NameTable::find(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

std::string NameTable::suggestion(std::string_view name) const {
  constexpr std::size_t enough = 20'000;  // beyond that, edit distances to all names take too long
  if (names_.size() > enough || name.size() > 200) return "";
  std::vector<std::string_view> candidates;
  for (const auto& [candidate, meaning] : names_) candidates.push_back(candidate);
  std::sort(candidates.begin(), candidates.end());
  return did_you_mean(name, candidates);
}

view::ViewScope view_scope(const Problem& problem, const NameTable& names) {
  const auto find = [&](std::string_view name) -> std::optional<view::ViewName> {
    const auto bits = names.find(name);
    if (!bits) return std::nullopt;
    const Variable& variable = variables_at(problem, bits->place).variables[bits->variable];
    const view::ViewPlace place = bits->place == Place::state    ? view::ViewPlace::state
                                  : bits->place == Place::action ? view::ViewPlace::action
                                                                 : view::ViewPlace::elsewhere;
    return view::ViewName{place, bits->variable, variable.boolean, variable.name};
  };
  return {find, [&](std::string_view name) { return names.suggestion(name); }};
}

}  // namespace bnnplan
