#pragma once

#include "bnnplan/base/stopwatch.hpp"
#include "core.hpp"
#include "interruption.hpp"
#include "options.hpp"

namespace bnnplan::python {

// A request that is answered on one thread, with its options set from keyword arguments. Something raised
// meanwhile ends the work; then the answer is what is known so far, and "raised" in it is the exception.
template <class Request>
struct LimitedRun {
  LimitedRun(const py::dict& options, std::vector<Option> (*options_of)(Request&))
      : request(options_from<Request>(options, options_of)) {
    request.limits = on_this_machine(request.limits);
    request.limits.interrupt = interruption.flag();
  }

  template <class Work>
  auto answer(Work work) {
    return work_interruptibly(interruption, work);
  }
  py::dict told(py::dict answer) const {
    answer["raised"] = interruption.raised();
    return answer;
  }

  double seconds() const { return stopwatch.seconds(); }

  Interruption interruption;
  Request request;
  Stopwatch stopwatch;
};

}  // namespace bnnplan::python
