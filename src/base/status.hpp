#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bnnplan {

// How the search for a best plan, model, solution or input ended, whatever searched.
enum class Status : std::uint8_t {
  optimal,     // there is one, and it is proved that none is better; if any will do, there is one
  feasible,    // there is one, not proved best
  infeasible,  // proved that there is none
  unknown      // a limit was reached before one was found
};

// The words of plans (docs/formats.md).
constexpr std::string_view status_text(Status status) {
  constexpr std::string_view words[] = {"optimal", "plan", "infeasible", "unknown"};
  return words[static_cast<std::size_t>(status)];
}

// Those of answers about formulas.
constexpr std::string_view formula_status_text(Status status) {
  constexpr std::string_view words[] = {"optimal", "satisfiable", "unsatisfiable", "unknown"};
  return words[static_cast<std::size_t>(status)];
}

// Those of the evaluations of solvers.
constexpr std::string_view solver_status_text(Status status) {
  constexpr std::string_view words[] = {"OPTIMUM FOUND", "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"};
  return words[static_cast<std::size_t>(status)];
}

// Whether there is a model under some assumptions; unknown if the solver was stopped.
enum class SatAnswer : std::uint8_t { satisfiable, unsatisfiable, unknown };

}  // namespace bnnplan
