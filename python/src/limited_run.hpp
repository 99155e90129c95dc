#pragma once

#include "core.hpp"
#include "interruption.hpp"

namespace bnnplan::python {

// What questions on one thread are given: limits and a seed; and how they are answered. What is raised meanwhile ends the work;
// then the answer is what is known so far, and "raised" in it is the exception.
struct LimitedRun {
  LimitedRun(const std::optional<double>& seconds, const std::optional<double>& memory_bytes,
             std::uint64_t seed) {
    RunControl control = control_of(seconds, memory_bytes, 1, seed);
    control.interrupt = interruption.flag();
    limits = limits_of(control);
  }

  template <class Work>
  auto answer(Work work) {
    return work_interruptibly(interruption, work);
  }
  py::dict told(py::dict answer) const {
    answer["raised"] = interruption.raised();
    return answer;
  }

  Interruption interruption;
  Limits limits;
};

}  // namespace bnnplan::python
