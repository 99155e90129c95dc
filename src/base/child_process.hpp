#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/limits.hpp"

namespace bnnplan {

struct ChildRequest {
  std::vector<std::string> command;                 // program and arguments; no shell is involved
  Limits limits;                                    // on the child and everything it starts, together
  std::size_t most_output = std::size_t{64} << 20;  // bytes; a program that prints more is stopped
  std::optional<int> core;                          // the one processor that it and its children may run on
  // Called with each line of standard output as it arrives; may be empty.
  std::function<void(std::string_view line)> line;
};

enum class ChildEnd : std::uint8_t {
  not_started,  // `code` is errno
  exited,       // `code` is the exit code
  killed,       // by a signal that we did not send: `code`
  stopped,      // by us, because of a limit
  endless       // by us, because it printed too much
};

struct ChildResult {
  ChildEnd end = ChildEnd::not_started;
  int code = 0;
  StopReason reason = StopReason::none;  // if stopped
  std::string output;                    // standard output
  std::string errors;                    // the end of standard error
  double seconds = 0;                    // wall time until it ended
  double cpu_seconds = 0;                // of the child and of everything it started and waited for
  std::size_t peak_bytes = 0;            // the largest memory held by any one of these
};

// Runs a program with empty standard input and waits for it. Shortly before the time limit it gets SIGTERM,
// so that it can print its best answer; at the limit it is killed, together with all processes it started.
// None of them survives the return of this function or the death of this process.
ChildResult run_child(const ChildRequest& request);

}  // namespace bnnplan
