#pragma once

#include <atomic>

#include <pybind11/pybind11.h>

namespace bnnplan::python {

namespace py = pybind11;

// Without the interpreter lock, from its making to its end.
//
// A daemon thread may still be here when the interpreter ends. Python lets such a thread go (pthread_exit)
// where it wants the lock back, which C++ frames on its stack, destructors and joinable threads among them,
// turn into std::terminate. Here the thread waits instead, as it does in Python from 3.14 on: the process
// ends without it.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    if (state_ != nullptr) lock();
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  void lock();
  void unlock() { state_ = PyEval_SaveThread(); }

 private:
  PyThreadState* state_;
};

// What works at the moment, by the flags that stop it. When the interpreter ends, all of it is stopped before
// anything that it may use goes away; this is registered with the module.
struct RunningWork {
  static void add(std::atomic<bool>* flag);
  static void remove(std::atomic<bool>* flag);
  static void stop_at_exit();
};

}  // namespace bnnplan::python
