// Files in and out. Reading goes straight to POSIX so that a directory, a missing file and a read error are
// each told apart; writing goes to a temporary file that is renamed when it is complete, so that an
// interrupted run, a full disk or two runs at once never leave half a file under the real name.
#include "base/text_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view doing, int error) {
  throw InputError(path.string(), fmt::format("cannot {}: {}", doing, std::strerror(error)));
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  int close() {
    const int result = ::close(number_);
    number_ = -1;
    return result;
  }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, "read", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "read", errno);
  if (S_ISDIR(status.st_mode)) fail(path, "read", EISDIR);
  std::string content;
  if (S_ISREG(status.st_mode)) content.reserve(static_cast<std::size_t>(status.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "read", errno);
    if (got == 0) break;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > limit) {
      throw InputError(path.string(), fmt::format("too large: more than {} bytes", limit));
    }
  }
  if (const auto zero = content.find('\0'); zero != std::string::npos) {
    throw InputError(path.string(), fmt::format("not a text file: it has a zero byte at offset {}", zero));
  }
  return content;
}

void write_text_file(const std::filesystem::path& path, std::string_view content) {
  if (path == "-") {
    if (!write_all(STDOUT_FILENO, content)) fail("standard output", "write", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), content) || file.close() != 0) fail(path, "write", errno);
    return;
  }
  // A link keeps pointing where it does: what it points to is replaced.
  const std::filesystem::path target = exists ? std::filesystem::canonical(path) : path;
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, "write", errno);
  std::string temporary = target.string() + ".XXXXXX.tmp";
  Descriptor file(::mkostemps(temporary.data(), 4, O_CLOEXEC));
  if (file.get() < 0) fail(path, "write", errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  if (!write_all(file.get(), content) || ::fchmod(file.get(), mode) != 0 || file.close() != 0 ||
      std::rename(temporary.c_str(), target.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail(path, "write", error);
  }
}

bool LineReader::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const auto end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  ++number_;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace bnnplan
