#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace bnnplan {

// Wall time since construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The part of a limit that remains after `seconds_used`, never negative. Empty if there is no limit.
inline std::optional<double> time_left(const std::optional<double>& limit, double seconds_used) {
  return limit ? std::optional(std::max(0.0, *limit - seconds_used)) : std::nullopt;
}

}  // namespace bnnplan
