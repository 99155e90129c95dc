#pragma once

#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>

#include <bnnplan/c_api.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/literal.hpp"

namespace bnnplan {

// Does what a function of the C API does, and keeps what went wrong instead of throwing it through C.
template <typename Action>
int c_call(std::string& error, Action action) {
  try {
    error.clear();
    return action();
  } catch (const std::exception& problem) {
    error = problem.what();
    return BNNPLAN_ERROR;
  }
}

inline bool is_c_literal(std::int32_t literal) {
  return literal != 0 && literal != std::numeric_limits<std::int32_t>::min();
}

// Throws InputError if it is not a literal of at most 2^30 variables.
inline Lit literal_from_c(std::int32_t literal) {
  constexpr std::int32_t most_variables = std::int32_t{1} << 30;
  if (!is_c_literal(literal) || literal > most_variables || literal < -most_variables)
    throw InputError(std::to_string(literal) +
                     " is not a literal: expected a number from 1 to 2^30 or its negation");
  return Lit::of({static_cast<std::uint32_t>(literal > 0 ? literal : -literal) - 1}, literal < 0);
}

inline Limits limits_from_c(double seconds) {
  Limits limits;
  if (seconds > 0 && std::isfinite(seconds)) limits.seconds = seconds;
  return limits;
}

inline int c_status_of(Status status) {
  constexpr int codes[] = {BNNPLAN_OPTIMAL, BNNPLAN_SATISFIABLE, BNNPLAN_UNSATISFIABLE, BNNPLAN_UNKNOWN};
  return codes[static_cast<std::size_t>(status)];
}

// Whether a literal is true in what was found; not if nothing was.
template <class Values>
int c_value(const std::optional<Values>& values, std::int32_t literal) {
  if (!values || !is_c_literal(literal)) return 0;
  const auto variable = static_cast<std::size_t>(literal > 0 ? literal : -literal) - 1;
  return variable < values->size() && ((*values)[variable] == 1) == (literal > 0) ? 1 : 0;
}

}  // namespace bnnplan
