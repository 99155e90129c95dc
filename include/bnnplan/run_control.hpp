#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/limits.hpp"

namespace bnnplan {

// What a run may use, and how it is stopped from outside.
struct RunControl {
  std::optional<double> seconds;  // of wall time; no limit if not given
  std::optional<std::size_t>
      memory_bytes;        // of the whole process; three quarters of the machine's if not given
  unsigned threads = 0;    // 0: all of the machine
  std::uint64_t seed = 0;  // the same seed and no limit reached: the same result

  // Shall it stop? Asked fifty times a second, from a thread of its own; what it throws counts as yes. The run ends soon
  // after, with the best it has.
  std::function<bool()> cancelled;
  // The same as a flag that a signal handler or another thread sets.
  const std::atomic<bool>* interrupt = nullptr;
};

// The limits that these say, with everything that was left open filled in; without `cancelled`.
Limits limits_of(const RunControl& control);

}  // namespace bnnplan
