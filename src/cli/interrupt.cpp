// Signals that ask for an end. The first one is passed on, so that the best result so far can be printed; one
// that comes later ends the program at once. Later means half a second: `timeout` and terminals send the same
// request twice, to the process and to its group.
//
// SIGXCPU says that a limit on processor time is reached. It is sent at the soft limit, but `ulimit -t` sets
// the hard one to the same value, at which the kernel kills without a word; so where they are equal, a timer
// of our own comes before.
#include "bnnplan/cli/interrupt.hpp"

#include <csignal>
#include <ctime>

#include <sys/resource.h>

#include "bnnplan/base/temporary_path.hpp"

namespace bnnplan::cli {

namespace {

std::atomic<bool> interrupted = false;
std::atomic<std::int64_t> first_request = 0;  // when it came, in nanoseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

constexpr std::int64_t same_request = 500'000'000, before_the_kernel = 400'000'000, second = 1'000'000'000;

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(number, &action, nullptr);
}

// Ends as if the signal had not been handled, so that the caller sees what ended the program.
void end(int number) {
  remove_temporary_paths();
  handle(number, SIG_DFL);
  ::raise(number);
}

void pass_on(int number) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t time = now.tv_sec * second + now.tv_nsec;
  std::int64_t first = 0;
  if (first_request.compare_exchange_strong(first, time)) {
    interrupted = true;
  } else if (time - first > same_request) {
    end(number);
  }
}

void come_before_the_kernel() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return;
  if (limit.rlim_cur < limit.rlim_max) return;  // there is time between SIGXCPU and the end
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGXCPU;
  timer_t timer{};
  if (::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0) return;
  const std::int64_t at = static_cast<std::int64_t>(limit.rlim_max) * second - before_the_kernel;
  itimerspec when{};
  when.it_value = {at / second, at % second};
  ::timer_settime(timer, TIMER_ABSTIME, &when, nullptr);
}

}  // namespace

void end_cleanly_on_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_DFL) handle(number, end);  // `nohup` and others ignore some on purpose
  }
  handle(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>* catch_signals() {
  for (const int number : {SIGINT, SIGTERM}) handle(number, pass_on);
  // Comes again every second once a limit on processor time is passed: no reason to end before all is
  // printed.
  handle(SIGXCPU, [](int) { interrupted = true; });
  come_before_the_kernel();
  return &interrupted;
}

}  // namespace bnnplan::cli
