#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnnplan/base/option.hpp"

namespace bnnplan::fuzz {

// One call of the library. `object` says what it is applied to, and how that is made: random:17 is the random
// problem of seed 17, ring:5:3 a ring of 5 cells over 3 steps (called_objects.hpp).
struct Call {
  std::string name;
  std::string object;
  std::vector<std::pair<std::string, std::string>> options;
  bool beside = false;  // at the same time as the call before it

  std::optional<std::string> option(std::string_view name) const;
  std::int64_t number(std::string_view name) const;  // of an option, 0 if it is not given
};
using CallSequence = std::vector<Call>;

// A line for each call, as in
//   plan random:17 engine=search proof=p0
//   & check random:17 seed=3
std::string text_of(const CallSequence& calls);
CallSequence parse_calls(std::string_view text);  // lines that are empty or begin with # are skipped

// Everything follows from the seed.
CallSequence random_calls(std::uint64_t seed);

// Sets the options that the call gives, those of other names are left alone. Texts of file options are names
// in `folder`. Returns whether all of the values are allowed; those that do not fit into their field at all,
// which no caller of the library can set, are skipped.
bool set_options(std::vector<Option> options, const Call& call, const std::string& folder);

}  // namespace bnnplan::fuzz
