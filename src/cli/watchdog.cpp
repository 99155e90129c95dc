// A thread that sleeps most of the time. It never lets go of the mutex once it has decided to end the
// program, so that the work cannot end, and print, at the same time. The other threads are not waited for:
// the process ends by _exit.
#include "bnnplan/cli/watchdog.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/temporary_path.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

// What the work gets to end by itself.
constexpr double grace = 0.1;                 // seconds
constexpr double seconds_per_gibibyte = 0.1;  // to give memory back, measured: the process ends after that
constexpr double earliest = 0.98;             // of the time limit, however much memory that is
constexpr double interrupt_grace = 0.15;      // seconds: a solver of others has 0.1 to print its best answer
constexpr double saving_grace = 2;            // seconds to begin saving what there is
constexpr std::size_t memory_grace = 20;      // a twentieth of the limit
constexpr double long_sleep = 0.02, short_sleep = 0.002;  // seconds

}  // namespace

Watchdog::Watchdog(const Limits& limits, std::function<int(StopReason)> end, const std::atomic<bool>* saving)
    : limits_(limits), end_(std::move(end)), saving_(saving) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // No room for a thread: the work has to keep the limits alone.
  }
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

StopReason Watchdog::passed_limit(std::size_t memory) {
  const double now = stopwatch_.seconds();
  if (saving_ != nullptr && *saving_) saved_at_ = now;
  const double to_save = saving_ != nullptr ? saving_grace : 0;
  if (saved_at_ && now < *saved_at_ + grace) return StopReason::none;
  if (limits_.interrupt != nullptr && *limits_.interrupt) {
    if (interrupted_at_ == 0) interrupted_at_ = now;
    if (now >= interrupted_at_ + interrupt_grace + to_save) return StopReason::interrupted;
  }
  if (limits_.seconds) {
    const double giving_back = seconds_per_gibibyte * static_cast<double>(memory) / (std::size_t{1} << 30);
    const double end =
        std::max(*limits_.seconds + grace - giving_back, earliest * *limits_.seconds) + to_save;
    if (now >= end) return StopReason::time;
  }
  return StopReason::none;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    const std::size_t memory = resident_memory();
    StopReason reason = passed_limit(memory);
    const bool saves = saving_ != nullptr && *saving_;  // which takes hardly any memory
    if (!saves && memory - memory / (memory_grace + 1) > limits_.memory_bytes) reason = StopReason::memory;
    if (reason != StopReason::none) end(reason);
    const bool near = memory >= limits_.memory_bytes / 2;
    changed_.wait_for(lock, std::chrono::duration<double>(near ? short_sleep : long_sleep));
  }
}

void Watchdog::end(StopReason reason) {
  int code = exit_internal_error;
  try {
    code = end_(reason);
  } catch (const std::bad_alloc&) {
    print_message("bnnplan: out of memory\n");
  } catch (const InputError& error) {
    print_message(fmt::format("{}\n", printable(error.what(), 2000)));
    code = exit_bad_input;
  } catch (const std::exception& error) {
    print_message(fmt::format("bnnplan: {}\n", printable(error.what(), 2000)));
  }
  remove_temporary_paths();
  ::_exit(code);
}

}  // namespace bnnplan::cli
