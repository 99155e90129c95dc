#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include <pybind11/pybind11.h>

#include "unlocked.hpp"

namespace bnnplan::python {

// What Python has to say while C++ works without its lock: Ctrl-C, what callbacks raise, and that the
// interpreter ends. The first of it stops the work.
//
// Callbacks run on the thread that called us, which has nothing else to do meanwhile: there Ctrl-C reaches
// them, as it would without us, also one that waits or goes round in circles.
class Interruption {
 public:
  Interruption() { RunningWork::add(&flag_); }
  ~Interruption() { RunningWork::remove(&flag_); }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  const std::atomic<bool>* flag() const { return &flag_; }
  bool stopped() const { return flag_.load(std::memory_order_relaxed); }

  // Calls Python, from the work; returns when that has ended. Nothing is called any more once something was
  // raised.
  template <class Call>
  void call(Call call) {
    if (stopped()) return;
    Request request{[&] { call(); }};
    std::unique_lock lock(mutex_);
    requests_.push_back(&request);
    changed_.notify_one();
    served_.wait(lock, [&] { return request.done; });
    if (request.error) std::rethrow_exception(request.error);
  }

  // Without the lock, on the thread that called us: calls what the work asks for, and looks for signals fifty
  // times a second (only the main thread of Python may handle them), until the work says that it has ended.
  void serve(Unlocked& unlocked) {
    std::unique_lock lock(mutex_);
    while (!ended_) {
      changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return ended_ || !requests_.empty(); });
      if (ended_) return;
      Request* request = requests_.empty() ? nullptr : requests_.front();
      if (request != nullptr) requests_.pop_front();
      lock.unlock();
      unlocked.lock();
      if (request != nullptr && !stopped()) request->error = answer(request->call);
      answer([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      });
      unlocked.unlock();
      lock.lock();
      if (request == nullptr) continue;
      request->done = true;
      served_.notify_all();
    }
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }

  // With the lock, after the work: work that was stopped because the interpreter ends also ends its thread,
  // silently.
  void note_end_of_interpreter() {
    if (!stopped() || raised_) return;
    PyErr_SetString(PyExc_SystemExit, "the interpreter ends");
    keep(py::error_already_set());
  }

  // With the lock: what was raised, or None; or raises it again.
  py::object raised() const { return raised_ ? raised_->value() : py::none(); }
  void raise_again() const {
    if (raised_) throw *raised_;
  }

 private:
  struct Request {
    std::function<void()> call;
    std::exception_ptr error = nullptr;  // not one of Python's: it is thrown where the work asked
    bool done = false;
  };

  template <class Call>
  std::exception_ptr answer(const Call& call) {
    try {
      call();
    } catch (const py::error_already_set& error) {
      keep(error);
    } catch (const py::cast_error& error) {  // a callback gave what is not of the kind that was asked for
      PyErr_SetString(PyExc_TypeError, error.what());
      keep(py::error_already_set());
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void keep(const py::error_already_set& error) {
    if (!raised_) raised_ = error;
    flag_ = true;
  }

  std::atomic<bool> flag_ = false;
  std::optional<py::error_already_set> raised_;  // behind the interpreter lock
  std::mutex mutex_;                             // of what follows
  std::condition_variable changed_, served_;
  std::deque<Request*> requests_;
  bool ended_ = false;
};

// Works on a thread of its own, without the interpreter lock, while this one looks after Python. The work has
// to look at interruption.flag().
template <class Work>
auto work_interruptibly(Interruption& interruption, Work work) {
  std::optional<decltype(work())> result;
  std::exception_ptr error;
  {
    Unlocked unlocked;
    std::thread worker([&] {
      try {
        result.emplace(work());
      } catch (...) {
        error = std::current_exception();
      }
      interruption.end();
    });
    interruption.serve(unlocked);
    worker.join();
  }
  interruption.note_end_of_interpreter();
  if (error && !interruption.stopped()) std::rethrow_exception(error);
  if (error || !result) interruption.raise_again();
  if (error) std::rethrow_exception(error);
  return std::move(*result);
}

}  // namespace bnnplan::python
