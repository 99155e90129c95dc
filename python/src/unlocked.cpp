// The interpreter lock given away and taken back, also when the interpreter ends meanwhile.
#include "unlocked.hpp"

#include <condition_variable>
#include <mutex>
#include <set>

#include <cxxabi.h>
#include <unistd.h>

namespace bnnplan::python {

namespace {

struct Registry {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::atomic<bool>*> flags;
};

// Never destroyed: daemon threads outlive what is.
Registry& registry() {
  static auto* const held = new Registry;
  return *held;
}

}  // namespace

void Unlocked::lock() {
  PyThreadState* const state = state_;
  state_ = nullptr;
  try {
    PyEval_RestoreThread(state);
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();  // to leave this handler would end the process by std::terminate
  }
}

void RunningWork::add(std::atomic<bool>* flag) {
  const std::lock_guard lock(registry().mutex);
  registry().flags.insert(flag);
}

void RunningWork::remove(std::atomic<bool>* flag) {
  const std::lock_guard lock(registry().mutex);
  registry().flags.erase(flag);
  registry().changed.notify_all();
}

void RunningWork::stop_at_exit() {
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    Unlocked unlocked;
    std::unique_lock lock(registry().mutex);
    for (std::atomic<bool>* flag : registry().flags) *flag = true;
    registry().changed.wait_for(lock, std::chrono::seconds(2), [] { return registry().flags.empty(); });
  }));
}

}  // namespace bnnplan::python
