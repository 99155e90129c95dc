#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace bnnplan {

class LimitWatch;

// A text file being written, for output too large to be built in memory first. It is written completely or
// not at all: into a temporary file next to it, which commit() renames; without commit() nothing remains. "-"
// is standard output; anything that is not a regular file (a pipe, /dev/null) is written directly. A name
// ending in .gz or .xz is compressed. Errors are InputErrors that name the path.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view text) {
    if (text.size() > room()) return write_slowly(text);
    text.copy(end_, text.size());
    end_ += text.size();
  }
  void write(char c) {
    if (room() == 0) flush();
    *end_++ = c;
  }
  void write(std::int64_t number) {
    if (room() < longest_number) flush();
    end_ = std::to_chars(end_, end_ + longest_number, number).ptr;
  }

  // From now on write() throws LimitReached once a limit is reached. The watch must outlive all writing.
  void set_watch(LimitWatch* watch) { watch_ = watch; }

  // Makes the file appear under its name; returns when it is on disk. Nothing may be written afterwards.
  void commit();

 private:
  static constexpr std::size_t buffer_size = 1 << 18;
  static constexpr std::size_t longest_number = 20;

  std::size_t room() const { return static_cast<std::size_t>(buffer_.get() + buffer_size - end_); }
  void write_slowly(std::string_view text);
  void flush();

  struct Target;  // the descriptor, the temporary name, the compressor
  std::unique_ptr<Target> target_;
  std::unique_ptr<char[]> buffer_;
  char* end_;
  LimitWatch* watch_ = nullptr;
};

// The number of bytes that can still be written to this path. Empty if that does not limit the output: for
// standard output, anything that is not a regular file, compressed output, or if the system does not say.
std::optional<std::uint64_t> free_space(const std::filesystem::path& path);

// Throws now what OutputFile would otherwise throw after hours of work. Leaves nothing behind.
void require_writable(const std::filesystem::path& path);

}  // namespace bnnplan
