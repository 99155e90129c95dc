#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::view {
struct ViewScope;
}  // namespace bnnplan::view

namespace bnnplan {

// The meaning of a name: a whole variable, or one bit x.b of an integer. In a network, a data set or an
// expression a name may be followed by ' for the next state; that is removed before the look-up.
struct NamedBits {
  Place place = Place::action;
  std::uint32_t variable = 0;
  std::uint32_t first = 0;  // bit
  std::uint32_t count = 1;
};

// Looks up the variables of a problem by name. Keeps no reference to the problem.
class NameTable {
 public:
  NameTable() = default;
  explicit NameTable(const Problem& problem);  // requires distinct names

  // Throws InputError if the name is taken (as a variable or as a bit of one) or illegal: empty, with a
  // control character, a blank at either end, a # at the start, a ' at the end or both kinds of quotes.
  void add(const Variable& variable, NamedBits bits);

  std::optional<NamedBits> find(std::string_view name) const;
  std::string suggestion(std::string_view name) const;  // ", did you mean 'x'?" or empty

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, NamedBits, Hash, std::equal_to<>> names_;
};

// What a [view] section may name: variables of the problem, whose names these are. Keeps references.
view::ViewScope view_scope(const Problem& problem, const NameTable& names);

}  // namespace bnnplan
