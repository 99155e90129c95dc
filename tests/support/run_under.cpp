#include "support/run_under.hpp"

#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::testing {

namespace {

constexpr unsigned nobody_id = 65534;

double cpu_seconds_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

[[noreturn]] void become(std::vector<char*>& argv, const RunOptions& options, const std::string& output,
                         const std::string& errors) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  if (options.closed_pipe) {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[1]);
  } else {
    ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
  }
  ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
  ::signal(SIGPIPE, options.ignore_broken_pipe ? SIG_IGN : SIG_DFL);
  // A library that is preloaded comes before the sanitizer.
  if (sanitized() && !options.look_for_leaks)
    ::setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0", 1);
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (options.unprivileged && ::geteuid() == 0 &&
      (::setgroups(0, nullptr) != 0 || ::setgid(nobody_id) != 0 || ::setuid(nobody_id) != 0))
    ::_exit(126);
  for (const auto& [resource, value] : options.limits) {
    const rlimit limit{value, value};
    if (::setrlimit(resource, &limit) != 0) ::_exit(126);
  }
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

RunEnd run_under(const std::vector<std::string>& arguments, const RunOptions& options) {
  const TemporaryFolder folder;
  const std::string output = options.output.empty() ? (folder / "output").string() : options.output;
  const std::string errors = options.errors.empty() ? (folder / "errors").string() : options.errors;
  std::string program = BNNPLAN_PROGRAM;
  std::vector<char*> argv = {program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const Stopwatch stopwatch;
  const pid_t child = ::fork();
  if (child == 0) become(argv, options, output, errors);
  RunEnd end;
  double signal_time = 0, cpu_at_signal = 0;
  bool signalled = false;
  int status = 0;
  struct rusage usage {};
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    if (options.signal_after && !signalled && stopwatch.seconds() >= *options.signal_after) {
      cpu_at_signal = cpu_seconds_of(child);
      signal_time = stopwatch.seconds();
      signalled = true;
      ::kill(child, options.signal);
    }
    if (stopwatch.seconds() > options.longest) ::kill(child, SIGKILL);
    ::usleep(500);
  }
  end.seconds = stopwatch.seconds();
  if (signalled) end.seconds_after_signal = end.seconds - signal_time;
  if (WIFEXITED(status)) {
    end.exit_code = WEXITSTATUS(status);
  } else {
    end.signal = WTERMSIG(status);
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  end.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  if (signalled) end.cpu_seconds_after_signal = end.cpu_seconds - cpu_at_signal;
  end.peak_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  const auto text = [](const std::string& file) {  // killed early, it has not even begun one
    return std::filesystem::is_regular_file(file) ? read_text_file(file) : "";
  };
  end.output = text(output);
  end.errors = text(errors);
  return end;
}

}  // namespace bnnplan::testing
