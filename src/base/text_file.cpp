// Reading and writing whole files. Reading uses POSIX directly, to distinguish a directory, a missing file
// and a read error; writing is left to OutputFile.
#include "bnnplan/base/text_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/input_stream.hpp"
#include "bnnplan/base/output_file.hpp"

namespace bnnplan {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw InputError(path.string(), fmt::format("cannot read: {}", std::strerror(error)));
}

[[noreturn]] void fail_too_large(const std::filesystem::path& path, std::size_t limit) {
  throw InputError(path.string(), fmt::format("too large: more than {} bytes", limit));
}

// Reads everything from an open file; `path` is for errors. Takes ownership of the descriptor.
std::string read_all(int descriptor, const std::filesystem::path& path, std::size_t limit,
                     bool regular_only) {
  struct stat status {};
  const int error = ::fstat(descriptor, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
  if (error != 0) {
    ::close(descriptor);
    fail(path, error);
  }
  if (regular_only && !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw InputError(path.string(), "cannot read: a pipe or a device, expected a file");
  }
  InputStream stream(path.string(), descriptor);
  std::string content;
  if (S_ISREG(status.st_mode)) {
    // Files in /proc and the like report no size, and that of a compressed file differs.
    if (static_cast<std::size_t>(status.st_size) > limit) fail_too_large(path, limit);
    content.reserve(static_cast<std::size_t>(status.st_size));
  }
  char buffer[1 << 16];
  while (const std::size_t got = stream.read(buffer, sizeof buffer)) {
    const std::size_t before = content.size();
    content.append(buffer, got);
    if (const auto zero = content.find('\0', before); zero != std::string::npos)
      throw InputError(path.string(), fmt::format("not a text file: it has a zero byte at offset {}", zero));
    if (content.size() > limit) fail_too_large(path, limit);
  }
  return content;
}

std::string read_file(const std::filesystem::path& path, std::size_t limit, bool regular_only) {
  // open() would block on a pipe without a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (regular_only ? O_NONBLOCK : 0));
  if (descriptor < 0) fail(path, errno);
  return read_all(descriptor, path, limit, regular_only);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit, false);
}

std::string read_regular_file(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit, true);
}

std::string read_standard_input(std::string_view name, std::size_t limit) {
  const int descriptor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) fail(name, errno);
  return read_all(descriptor, name, limit, false);
}

std::optional<std::string> read_beginning(const std::filesystem::path& path, std::size_t bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  try {
    InputStream stream(path.string(), descriptor);
    std::string text(bytes, '\0');
    std::size_t length = 0;
    while (const std::size_t got = stream.read(text.data() + length, bytes - length)) length += got;
    text.resize(length);
    return text;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

void write_text_file(const std::filesystem::path& path, std::string_view content) {
  OutputFile file(path);
  file.write(content);
  file.commit();
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
