#pragma once

#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "support/sanitized.hpp"

namespace bnnplan::testing {

// How the program is run, beyond its arguments.
struct RunOptions {
  std::vector<std::pair<int, rlim_t>> limits;                    // RLIMIT_..., value
  std::vector<std::pair<std::string, std::string>> environment;  // added
  std::string output;                  // where standard output goes, such as /dev/full; empty: it is kept
  std::string errors;                  // and standard error
  bool closed_pipe = false;            // standard output is a pipe whose reader is gone
  bool ignore_broken_pipe = false;     // as some callers do
  bool unprivileged = false;           // as an unprivileged user, if we are root
  std::optional<double> signal_after;  // seconds
  int signal = SIGKILL;
  double longest = 60;          // seconds of wall time: more is a hang
  bool look_for_leaks = false;  // where the program is sanitized; takes longer than a limit allows
};

struct RunEnd {
  int exit_code = -1;  // if it was not killed
  int signal = 0;      // that ended it; SIGKILL as well if it hung
  std::string output, errors;
  double seconds = 0;                   // wall time
  double seconds_after_signal = 0;      // wall time from our signal on
  double cpu_seconds_after_signal = 0;  // at most: what it started counts from its start
  double cpu_seconds = 0;
  std::size_t peak_bytes = 0;  // of the process itself
};

// Runs the program with these arguments and waits for it. For test programs with PROGRAM and
// ../support/run_under.cpp in their CMakeLists.txt.
RunEnd run_under(const std::vector<std::string>& arguments, const RunOptions& options = {});

// Runs `attempt`, which says whether it went well, up to three times: times of day depend on what else the
// machine does.
template <class Attempt>
bool one_of_three(Attempt attempt) {
  for (int i = 0; i < 3; ++i) {
    if (attempt()) return true;
  }
  return false;
}

}  // namespace bnnplan::testing
