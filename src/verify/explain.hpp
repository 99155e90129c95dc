#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

enum class ExplanationKind : std::uint8_t {
  minimal,  // no input can be left out
  smallest  // no explanation has fewer inputs
};
inline constexpr std::string_view explanation_names[] = {"minimal", "smallest"};

// Which inputs fix the class? A set of inputs explains a class if every input that agrees with the given one
// on the set has that class, for any values of the others (with an epsilon: as long as each is within this
// distance of its given value).
struct ExplainQuery {
  std::vector<mpq_class> values;
  std::size_t label = 0;  // the network's own answer for these values, by the tie rule
  TieRule ties = TieRule::network;
  std::optional<mpq_class> epsilon = {};
  ExplanationKind kind = ExplanationKind::minimal;
};

struct Explanation {
  bool found = false;                 // false: a limit was reached before one was found
  std::vector<std::uint32_t> inputs;  // ascending
  bool is_minimal = false;            // proved
  bool is_smallest = false;           // proved
  std::size_t at_least = 0;           // every explanation has at least this many inputs
  StopReason stopped = StopReason::none;
  std::uint64_t questions = 0, conflicts = 0;
};

struct ExplainCallbacks {
  // There is an explanation of `size` inputs, and none has fewer than `at_least`. Not called if empty.
  std::function<void(std::size_t size, std::size_t at_least)> progress;
};

// Throws InputError if the values do not have the label's class, or are not allowed.
Explanation explain(const Network& network, const ExplainQuery& query, const Limits& limits,
                    const ExplainCallbacks& callbacks = {});

}  // namespace bnnplan::verification
