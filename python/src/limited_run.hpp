#pragma once

#include "core.hpp"
#include "interruption.hpp"

namespace bnnplan::python {

// What questions on one thread are given: limits and a seed; and how they are answered, unless something is raised meanwhile.
struct LimitedRun {
  LimitedRun(const std::optional<double>& seconds, const std::optional<double>& memory_bytes,
             std::uint64_t seed) {
    RunControl control = control_of(seconds, memory_bytes, 1, seed);
    control.interrupt = interruption.flag();
    limits = limits_of(control);
  }

  template <class Work>
  auto answer(Work work) {
    auto result = work_interruptibly(interruption, work);
    interruption.raise_again();
    return result;
  }

  Interruption interruption;
  Limits limits;
};

}  // namespace bnnplan::python
