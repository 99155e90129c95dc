#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "bnnplan/base/literal.hpp"

namespace bnnplan::checking {

constexpr std::int64_t most_variables = std::int64_t{1} << 30;

// The words that OPB files and proofs have in common, read strictly: anything that two readers could
// interpret differently is rejected.

// "12", "+12", "-12"; nothing if it is anything else ("+-12", "1e3") or does not fit into 64 bits.
std::optional<std::int64_t> whole_number(std::string_view word);

// "x7" or "~x7", for variables x1 to x(`most`); nothing for anything else, "x07" and "x+7" included.
std::optional<Lit> literal_of(std::string_view word, std::int64_t most);

}  // namespace bnnplan::checking
