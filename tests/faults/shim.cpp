// Preloaded into the program to make faults that cannot be had otherwise:
//
//   FAULT_KILL_AT=n   the process is killed at its n-th step that changes files: before it makes, renames,
//                     closes or removes one, and in the middle of writing one. What it starts is spared.
//   FAULT_SYNC_LOG=f  each fsync (of a file or a folder) and each rename is a line in the file f
//   FAULT_SYNC=n      fsync fails with this error, of files or (if negative) of folders
//   FAULT_CLOCK=1     the time of day is an hour earlier every time it is asked for
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::atomic<long> steps_left = 0;
std::atomic<long> hours_back = 0;
bool clock_runs_back = false;
int sync_error = 0;
int sync_log = -1;

__attribute__((constructor)) void begin() {
  if (const char* steps = std::getenv("FAULT_KILL_AT")) {
    steps_left = std::atol(steps);
    ::unsetenv("LD_PRELOAD");
  }
  if (const char* error = std::getenv("FAULT_SYNC")) sync_error = std::atoi(error);
  if (const char* log = std::getenv("FAULT_SYNC_LOG"))
    sync_log = ::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  clock_runs_back = std::getenv("FAULT_CLOCK") != nullptr;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool now_is_the_time() { return steps_left > 0 && --steps_left == 0; }

void die() { ::kill(::getpid(), SIGKILL); }

bool is_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

void note(const char* line) {
  if (sync_log < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(sync_log, line, std::strlen(line));
}

std::time_t shifted(std::time_t seconds) { return clock_runs_back ? seconds - 3600 * ++hours_back : seconds; }

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (steps_left > 0 && is_file(descriptor) && now_is_the_time()) {
    [[maybe_unused]] const ssize_t half = real(descriptor, data, size / 2);
    die();
  }
  return real(descriptor, data, size);
}

int close(int descriptor) {
  static const auto real = next<int (*)(int)>("close");
  if (steps_left > 0 && is_file(descriptor) && now_is_the_time()) die();
  return real(descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  if (now_is_the_time()) die();
  note("rename\n");
  return real(from, to);
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  if (now_is_the_time()) die();
  const bool file = is_file(descriptor);
  note(file ? "file\n" : "folder\n");
  if (sync_error != 0 && file == (sync_error > 0)) {
    errno = std::abs(sync_error);
    return -1;
  }
  return real(descriptor);
}

int unlink(const char* path) noexcept {
  static const auto real = next<int (*)(const char*)>("unlink");
  if (now_is_the_time()) die();
  return real(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  if (now_is_the_time()) die();
  return real(path, mode);
}

int mkostemps(char* pattern, int suffix, int flags) {
  static const auto real = next<int (*)(char*, int, int)>("mkostemps");
  if (now_is_the_time()) die();
  return real(pattern, suffix, flags);
}

int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  static const auto real = next<int (*)(clockid_t, struct timespec*)>("clock_gettime");
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec = shifted(time->tv_sec);
  return result;
}

int gettimeofday(struct timeval* time, void* zone) noexcept {
  static const auto real = next<int (*)(struct timeval*, void*)>("gettimeofday");
  const int result = real(time, zone);
  time->tv_sec = shifted(time->tv_sec);
  return result;
}

std::time_t time(std::time_t* result) noexcept {
  static const auto real = next<std::time_t (*)(std::time_t*)>("time");
  const std::time_t now = shifted(real(nullptr));
  if (result != nullptr) *result = now;
  return now;
}
}
