#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include <pybind11/pybind11.h>

namespace bnnplan::python {

namespace py = pybind11;

// What Python has to say while C++ works without its lock: Ctrl-C, and what callbacks raise. The first of it stops the work.
class Interruption {
 public:
  const std::atomic<bool>* flag() const { return &flag_; }
  bool stopped() const { return flag_.load(std::memory_order_relaxed); }

  // Calls Python, from any thread that does not hold the lock. Nothing is called any more once something was raised.
  template <class Call>
  void call(Call call) {
    if (stopped()) return;
    const py::gil_scoped_acquire locked;
    try {
      call();
    } catch (const py::error_already_set& error) {
      keep(error);
    } catch (const py::cast_error& error) {  // a callback gave what is not of the kind that was asked for
      PyErr_SetString(PyExc_TypeError, error.what());
      keep(py::error_already_set());
    }
  }

  void look_for_signals() {
    call([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
  }

  // With the lock: what was raised, or None; or raises it again.
  py::object raised() const { return raised_ ? raised_->value() : py::none(); }
  void raise_again() const {
    if (raised_) throw *raised_;
  }

 private:
  void keep(const py::error_already_set& error) {
    if (!raised_) raised_ = error;
    flag_ = true;
  }

  std::atomic<bool> flag_ = false;
  std::optional<py::error_already_set> raised_;  // behind the lock
};

// Works on a thread of its own, without the interpreter lock, while this one looks for signals fifty times a second: only
// the main thread of Python may handle them. The work has to look at interruption.flag().
template <class Work>
auto work_interruptibly(Interruption& interruption, Work work) {
  std::optional<decltype(work())> result;
  std::exception_ptr error;
  {
    const py::gil_scoped_release unlocked;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::thread worker([&] {
      try {
        result.emplace(work());
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(20), [&] { return done; })) {
      lock.unlock();
      interruption.look_for_signals();
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (error && !interruption.stopped()) std::rethrow_exception(error);
  if (error || !result) interruption.raise_again();
  if (error) std::rethrow_exception(error);
  return std::move(*result);
}

}  // namespace bnnplan::python
