// Whole files in and out. Reading goes straight to POSIX so that a directory, a missing file and a read error
// are each told apart; writing is OutputFile's business.
#include "base/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/input_error.hpp"
#include "base/output_file.hpp"

namespace bnnplan {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw InputError(path.string(), fmt::format("cannot read: {}", std::strerror(error)));
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

 private:
  int number_;
};

[[noreturn]] void fail_too_large(const std::filesystem::path& path, std::size_t limit) {
  throw InputError(path.string(), fmt::format("too large: more than {} bytes", limit));
}

bool is_gzipped(const std::string& content) { return content.starts_with("\x1f\x8b"); }

std::string decompressed(const std::filesystem::path& path, const std::string& content, std::size_t limit) {
  z_stream stream{};
  constexpr int gzip_only = 15 + 16;
  if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::bad_alloc();
  std::string text;
  std::size_t given = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END || given < content.size() || stream.avail_in > 0) {
    if (stream.avail_in == 0) {
      constexpr std::size_t most = std::size_t{1} << 30;
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data() + given));
      stream.avail_in = static_cast<uInt>(std::min(most, content.size() - given));
      given += stream.avail_in;
    }
    if (state == Z_STREAM_END && inflateReset(&stream) != Z_OK) break;  // one stream after the other
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
    if (state != Z_OK && state != Z_STREAM_END) break;
    if (text.size() > limit) break;
  }
  inflateEnd(&stream);
  if (text.size() > limit) fail_too_large(path, limit);
  if (state != Z_STREAM_END) throw InputError(path.string(), "a gzipped file that is damaged or cut off");
  return text;
}

// All that an open file has; `path` is for errors.
std::string read_all(int file, const std::filesystem::path& path, std::size_t limit, bool regular_only) {
  struct stat status {};
  if (::fstat(file, &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  std::string content;
  if (S_ISREG(status.st_mode)) {
    // What /proc and the like give has no size beforehand.
    if (static_cast<std::size_t>(status.st_size) > limit) fail_too_large(path, limit);
    content.reserve(static_cast<std::size_t>(status.st_size));
  } else if (regular_only) {
    throw InputError(path.string(), "cannot read: a pipe or a device, expected a file");
  }
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, errno);
    if (got == 0) break;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > limit) fail_too_large(path, limit);
  }
  if (is_gzipped(content)) content = decompressed(path, content, limit);
  if (const auto zero = content.find('\0'); zero != std::string::npos) {
    throw InputError(path.string(), fmt::format("not a text file: it has a zero byte at offset {}", zero));
  }
  return content;
}

std::string read_file(const std::filesystem::path& path, std::size_t limit, bool regular_only) {
  // A pipe without a writer would hold us up in open().
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (regular_only ? O_NONBLOCK : 0)));
  if (file.get() < 0) fail(path, errno);
  return read_all(file.get(), path, limit, regular_only);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit, false);
}

std::string read_regular_file(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit, true);
}

std::string read_standard_input(std::string_view name, std::size_t limit) {
  return read_all(STDIN_FILENO, name, limit, false);
}

std::optional<std::string> read_beginning(const std::filesystem::path& path, std::size_t bytes) {
  const gzFile file = ::gzopen(path.c_str(), "rb");  // passes plain files through as they are
  if (file == nullptr) return std::nullopt;
  std::string text(bytes, '\0');
  const int got = ::gzread(file, text.data(), static_cast<unsigned>(bytes));
  ::gzclose_r(file);
  if (got < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(got));
  return text;
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
