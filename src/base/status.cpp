// The words for a status, in each vocabulary once.
#include "bnnplan/base/status.hpp"

#include <array>

namespace bnnplan {

namespace {

using Words = std::array<std::string_view, 4>;
constexpr Words plan_words = {"optimal", "plan", "infeasible", "unknown"};
constexpr Words formula_words = {"optimal", "satisfiable", "unsatisfiable", "unknown"};
constexpr Words solver_words = {"OPTIMUM FOUND", "SATISFIABLE", "UNSATISFIABLE", "UNKNOWN"};

}  // namespace

std::string_view status_text(Status status) { return plan_words[static_cast<std::size_t>(status)]; }

std::string_view solver_status_text(Status status) { return solver_words[static_cast<std::size_t>(status)]; }

std::string_view formula_status_text(Status status) {
  return formula_words[static_cast<std::size_t>(status)];
}

}  // namespace bnnplan
