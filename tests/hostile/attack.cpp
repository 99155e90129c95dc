#include "attack.hpp"

#include <algorithm>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text_file.hpp"

namespace bnnplan::testing {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

void limit(int what, rlim_t most) {
  const rlimit limits{most, most};
  ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(what), &limits);
}

}  // namespace

Attack attack(std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const std::string output = (folder / "output").string(), errors = (folder / "errors").string();
  arguments.insert(arguments.begin(), BNNPLAN_PROGRAM);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    limit(RLIMIT_STACK, 8 << 20);
    limit(RLIMIT_CPU, 60);
    limit(RLIMIT_CORE, 0);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  struct rusage usage {};
  ::wait4(child, &status, 0, &usage);
  Attack result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = read_text_file(output);
  result.errors = read_text_file(errors);
  result.peak_bytes = static_cast<std::size_t>(usage.ru_maxrss) << 10;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  result.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return result;
}

void expect_harmless(const Attack& attack, std::size_t most_mebibytes) {
  EXPECT_LT(attack.exit_code, 128) << attack.errors.substr(0, 2000);
  EXPECT_NE(attack.exit_code, 3) << attack.errors.substr(0, 2000);
  if (sanitized) return;
  EXPECT_LE(attack.peak_bytes >> 20, most_mebibytes) << attack.errors.substr(0, 300);
}

void expect_refused(const Attack& attack, std::string_view part, std::size_t most_mebibytes) {
  expect_harmless(attack, most_mebibytes);
  EXPECT_EQ(attack.exit_code, 2) << attack.output.substr(0, 300) << attack.errors.substr(0, 2000);
  EXPECT_EQ(attack.output, "");
  EXPECT_EQ(std::count(attack.errors.begin(), attack.errors.end(), '\n'), 1) << attack.errors.substr(0, 2000);
  EXPECT_NE(attack.errors.find(part), std::string::npos)
      << "expected " << part << " in " << attack.errors.substr(0, 2000);
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace bnnplan::testing
