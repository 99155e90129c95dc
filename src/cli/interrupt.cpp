#include "cli/interrupt.hpp"

#include <csignal>

#include "base/temporary_path.hpp"

namespace bnnplan {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(number, &action, nullptr);
}

// Ends as if nobody had handled the signal, so that the caller sees what ended the program.
void end(int number) {
  remove_temporary_paths();
  handle(number, SIG_DFL);
  ::raise(number);
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
  for (const int number : {SIGINT, SIGTERM}) {
    handle(number, [](int caught) {
      interrupted = true;
      handle(caught, end);
    });
  }
  // Comes again every second once a limit on processor time is passed: no reason to end before all is
  // printed.
  handle(SIGXCPU, [](int) { interrupted = true; });
  return &interrupted;
}

}  // namespace bnnplan
