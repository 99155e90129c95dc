#include "isolated.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace bnnplan::fuzz {

namespace {

// In the child: runs the check and sends its answer through the pipe.
[[noreturn]] void answer(const std::function<std::string()>& check, int pipe, int seconds) {
  // Of processor time, also for solvers that it starts.
  const auto most = static_cast<rlim_t>(seconds);
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_CPU, &limit);
  std::string text;
  try {
    text = check();
  } catch (const std::exception& error) {
    text = fmt::format("exception: {}", error.what());
  }
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(pipe, text.data() + sent, text.size() - sent);
    if (count <= 0) ::_exit(3);
    sent += static_cast<std::size_t>(count);
  }
  ::_exit(0);
}

}  // namespace

std::string run_isolated(const std::function<std::string()>& check, int seconds) {
  const testing::TemporaryFolder folder;  // for all temporary files of the child, however it ends
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(ends[0]);
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    answer(check, ends[1], seconds);
  }
  ::close(ends[1]);
  std::string text;
  bool hangs = false;
  // The child's processor time is limited; this deadline is for one that waits forever, not for a busy
  // machine.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10 * seconds);
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{ends[0], POLLIN, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
      hangs = true;
      ::kill(child, SIGKILL);
      break;
    }
    char buffer[4096];
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (hangs) return "no answer";
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return text;
}

std::string failure_kind(const std::string& failure) {
  constexpr int most_words = 3;
  std::string kind;
  int words = 0;
  for (const char c : failure) {
    if (c == ' ' && ++words == most_words) break;
    if (c < '0' || c > '9') kind += c;
  }
  return kind;
}

}  // namespace bnnplan::fuzz
