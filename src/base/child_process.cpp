// A child process under limits. The child may start other processes, and those may move to their own process
// group or session, so its descendants are found by their parent ids, repeatedly while it runs: a process
// once seen below the child belongs to its family until it is gone. Memory is summed over the family, and the
// family is killed at the end.
#include "bnnplan/base/child_process.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bnnplan {

namespace {

constexpr double look_interval = 0.02;  // seconds between checks of the limits
constexpr double last_look_interval = 0.001;
constexpr double family_interval = 0.1;    // seconds between scans of all processes
constexpr double memory_interval = 0.002;  // seconds between memory checks of a child near its limit
constexpr double longest_grace = 0.5;      // seconds between SIGTERM and SIGKILL
constexpr double grace_share = 0.1;        // of the time limit
constexpr double interrupt_grace = 0.1;    // seconds, after Ctrl-C
constexpr std::size_t most_errors = 4096;  // bytes of standard error that are kept

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Pipe() : Pipe(make()) {}
  Descriptor read_end, write_end;

 private:
  struct Ends {
    int numbers[2];
  };
  static Ends make() {
    Ends ends{};
    if (::pipe2(ends.numbers, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
    return ends;
  }
  explicit Pipe(const Ends& ends) : read_end(ends.numbers[0]), write_end(ends.numbers[1]) {}
};

struct ProcessInfo {
  pid_t parent = 0;
  pid_t group = 0;
  std::uint64_t start = 0;  // together with the pid it identifies a process uniquely
  std::size_t resident_bytes = 0;
};

// The process, if it exists and has not ended.
std::optional<ProcessInfo> process_info(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // pid (name) state parent group ... ; the name may contain anything.
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  std::vector<std::string_view> fields;
  const std::string_view rest = std::string_view(text).substr(name_end + 2);
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = std::min(rest.find(' ', begin), rest.size());
    fields.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  constexpr std::size_t state = 0, parent = 1, group = 2, start = 19, resident = 21;
  if (fields.size() <= resident || fields[state] == "Z" || fields[state] == "X") return std::nullopt;
  const auto number = [&](std::size_t field) {
    std::uint64_t value = 0;
    std::from_chars(fields[field].data(), fields[field].data() + fields[field].size(), value);
    return value;
  };
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return ProcessInfo{static_cast<pid_t>(number(parent)), static_cast<pid_t>(number(group)), number(start),
                     static_cast<std::size_t>(number(resident)) * page};
}

// The child and all its descendants.
class Family {
 public:
  explicit Family(pid_t child) : child_(child) {}

  // Scans all processes of the machine.
  void look() {
    std::map<pid_t, ProcessInfo> all;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      const std::string name = entry.path().filename().string();
      pid_t pid = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
      if (error != std::errc() || end != name.data() + name.size()) continue;
      if (const auto info = process_info(pid)) all[pid] = *info;
    }
    std::map<pid_t, ProcessInfo> alive;
    for (const auto& [pid, info] : all) {
      const auto seen = members_.find(pid);
      const bool known = seen != members_.end() && seen->second.start == info.start;
      if (pid == child_ || info.group == child_ || known) alive[pid] = info;
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [pid, info] : all) {
        if (!alive.contains(pid) && alive.contains(info.parent)) grown = alive.emplace(pid, info).second;
      }
    }
    members_ = std::move(alive);
  }

  std::size_t resident_bytes() const {
    std::size_t sum = 0;
    for (const auto& [pid, info] : members_) sum += info.resident_bytes;
    return sum;
  }

  void signal(int number) const {
    ::kill(-child_, number);
    for (const auto& [pid, info] : members_) {
      if (info.group != child_) ::kill(pid, number);
    }
  }

  // Repeats until none is left: a process may have started another one since the last scan.
  void kill_all() {
    for (int round = 0; round < 100; ++round) {
      look();
      const bool others = std::any_of(members_.begin(), members_.end(),
                                      [&](const auto& member) { return member.first != child_; });
      signal(SIGKILL);
      if (!others) return;
      ::usleep(1000);
    }
  }

 private:
  pid_t child_;
  std::map<pid_t, ProcessInfo> members_;
};

class ChildRun {
 public:
  explicit ChildRun(const ChildRequest& request) : request_(request), watch_(request.limits) {}

  ChildResult run() {
    if (!start()) return result_;
    Family family(pid_);
    double next_family_look = 0;
    bool warned = false;
    double kill_at = 0;
    while (true) {
      wait_for_output();
      if (endless_) break;
      look_for_end(WNOHANG);
      if (ended_) {  // its last output may still be in the pipe, but its children must not hold us up
        drain();
        break;
      }
      const double now = watch_.seconds();
      if (now >= next_family_look) {
        family.look();
        next_family_look = now + family_interval;
        if (family.resident_bytes() > request_.limits.memory_bytes) watch_.stop(StopReason::memory);
      }
      look_at_memory();
      if (warned) {
        if (now >= kill_at) break;
      } else if (watch_.reason() == StopReason::memory) {
        break;
      } else if (watch_.should_stop()) {
        if (watch_.reason() == StopReason::time) break;  // shorter than any grace
        family.signal(SIGTERM);
        warned = true;
        kill_at = now + interrupt_grace;
      } else if (request_.limits.seconds && now >= *request_.limits.seconds - grace()) {
        family.signal(SIGTERM);
        warned = true;
        kill_at = *request_.limits.seconds;
      }
    }
    if (warned && watch_.reason() == StopReason::none) watch_.stop(StopReason::time);
    family.kill_all();
    if (!ended_) look_for_end(0);
    reap();
    if (!endless_) drain();
    if (endless_) {
      result_.end = ChildEnd::endless;
    } else if (watch_.reason() != StopReason::none) {
      result_.end = ChildEnd::stopped;
      result_.reason = watch_.reason();
    }
    return std::move(result_);
  }

 private:
  double grace() const { return std::min(longest_grace, grace_share * *request_.limits.seconds); }

  bool start() {
    std::vector<char*> argv;
    for (const std::string& word : request_.command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    Pipe failure;
    pid_ = ::fork();
    if (pid_ < 0) {
      result_.code = errno;
      return false;
    }
    if (pid_ == 0) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(127);
      const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(output_.write_end.get(), STDOUT_FILENO);
      ::dup2(errors_.write_end.get(), STDERR_FILENO);
      ::signal(SIGPIPE, SIG_DFL);
      ::signal(SIGXFSZ, SIG_DFL);
      if (request_.core) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        CPU_SET(static_cast<std::size_t>(*request_.core), &cores);
        ::sched_setaffinity(0, sizeof cores, &cores);
      }
      ::execvp(argv[0], argv.data());
      const int error = errno;
      [[maybe_unused]] const ssize_t written = ::write(failure.write_end.get(), &error, sizeof error);
      ::_exit(127);
    }
    ::setpgid(pid_, pid_);
    failure.write_end.close();
    output_.write_end.close();
    errors_.write_end.close();
    int error = 0;
    ssize_t count = 0;
    do {
      count = ::read(failure.read_end.get(), &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    if (count == sizeof error) {
      reap();
      result_.end = ChildEnd::not_started;
      result_.code = error;
      return false;
    }
    for (const Descriptor* end : {&output_.read_end, &errors_.read_end})
      ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
    return true;
  }

  // Checks whether the child has ended, or waits for it. The child stays a zombie, so its pid cannot be
  // reused while we look for its family.
  void look_for_end(int options) {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | options) != 0) {
      if (errno != EINTR) return;
    }
    if (info.si_pid != pid_) return;
    ended_ = true;
    result_.seconds = watch_.seconds();
    result_.end = info.si_code == CLD_EXITED ? ChildEnd::exited : ChildEnd::killed;
    result_.code = info.si_status;
  }

  // Checks the child alone, which holds most of the memory and may grow by a gigabyte per second.
  void look_at_memory() {
    const std::size_t limit = request_.limits.memory_bytes;
    if (limit == std::numeric_limits<std::size_t>::max()) return;
    const auto info = process_info(pid_);
    const std::size_t bytes = info ? info->resident_bytes : 0;
    near_memory_limit_ = bytes > limit / 2;
    if (bytes > limit) watch_.stop(StopReason::memory);
  }

  void reap() {
    struct rusage usage {};
    while (::wait4(pid_, nullptr, 0, &usage) < 0 && errno == EINTR) {
    }
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    result_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    result_.peak_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  }

  void wait_for_output() {
    pollfd waiting[] = {{output_.read_end.get(), POLLIN, 0}, {errors_.read_end.get(), POLLIN, 0}};
    // A child that has closed both is about to end; poll often so as not to miss it.
    const bool open = output_.read_end.open() || errors_.read_end.open();
    const double interval = !open ? last_look_interval : near_memory_limit_ ? memory_interval : look_interval;
    ::poll(waiting, 2, static_cast<int>(interval * 1000));
    drain();
  }

  // Reads what is available, up to a bound: a child that writes as fast as we read must not keep us here.
  void drain() {
    char buffer[1 << 16];
    constexpr int most_reads = 64;
    for (int i = 0; i < most_reads && errors_.read_end.open(); ++i) {
      const ssize_t count = ::read(errors_.read_end.get(), buffer, sizeof buffer);
      if (count < 0) break;
      if (count == 0) errors_.read_end.close();
      result_.errors.append(buffer, static_cast<std::size_t>(count));
      if (result_.errors.size() > 2 * most_errors)
        result_.errors.erase(0, result_.errors.size() - most_errors);
    }
    for (int i = 0; i < most_reads && output_.read_end.open(); ++i) {
      const ssize_t count = ::read(output_.read_end.get(), buffer, sizeof buffer);
      if (count < 0) break;
      if (count == 0) output_.read_end.close();
      result_.output.append(buffer, static_cast<std::size_t>(count));
      if (result_.output.size() > request_.most_output) {
        endless_ = true;
        return;
      }
    }
    if (!request_.line) return;
    for (std::size_t end = 0; (end = result_.output.find('\n', searched_)) != std::string::npos;) {
      request_.line(std::string_view(result_.output).substr(line_begin_, end - line_begin_));
      searched_ = line_begin_ = end + 1;
    }
    searched_ = result_.output.size();
  }

  const ChildRequest& request_;
  LimitWatch watch_;
  Pipe output_, errors_;
  pid_t pid_ = -1;
  bool ended_ = false, endless_ = false, near_memory_limit_ = false;
  std::size_t line_begin_ = 0, searched_ = 0;
  ChildResult result_;
};

}  // namespace

ChildResult run_child(const ChildRequest& request) { return ChildRun(request).run(); }

}  // namespace bnnplan
