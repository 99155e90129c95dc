// The table of engines, and the log of bounds that they share. Lower bounds may rise thousands of times a
// second; the history keeps one point every hundredth of a second and each new plan.
#include "engines/engine.hpp"

#include <algorithm>
#include <array>

#include "engines/search/search_engine.hpp"

namespace bnnplan {

namespace {

constexpr double history_interval = 0.01;

constexpr std::array<Engine, 2> engine_table{{
    {"auto", "optimal, or proves that there is no plan", "the engine that suits the problem; now: search",
     run_search},
    {"search", "optimal, or proves that there is no plan",
     "best-first search over reachable states, each successor computed once", run_search},
}};

}  // namespace

std::string_view status_text(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::plan:
      return "plan";
    case Status::infeasible:
      return "infeasible";
    case Status::unknown:
      return "unknown";
  }
  __builtin_unreachable();
}

std::span<const Engine> engines() { return engine_table; }

const Engine* find_engine(std::string_view name) {
  const auto found = std::find_if(engine_table.begin(), engine_table.end(),
                                  [&](const Engine& engine) { return engine.name == name; });
  return found == engine_table.end() ? nullptr : &*found;
}

void BoundLog::raise_lower(std::int64_t lower, double seconds) {
  if (lower_ && lower <= *lower_) return;
  lower_ = lower;
  if (history_.empty() || seconds - history_.back().seconds >= history_interval) record(seconds);
}

void BoundLog::improve(const Improvement& improvement) {
  if (upper_ && improvement.cost >= *upper_) return;
  upper_ = improvement.cost;
  record(improvement.seconds);
  if (callbacks_.improvement) callbacks_.improvement(improvement);
}

void BoundLog::record(double seconds) {
  history_.push_back({seconds, lower_, upper_});
  if (callbacks_.bound) callbacks_.bound(history_.back());
}

std::vector<BoundPoint> BoundLog::finish(double seconds) {
  const bool told = !history_.empty() && history_.back().lower == lower_ && history_.back().upper == upper_;
  if (!told && (lower_ || upper_)) record(seconds);
  return std::move(history_);
}

}  // namespace bnnplan
