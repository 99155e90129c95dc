#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bnnplan {

// The whole content of a text file, decompressed if it is gzip or xz. Throws InputError for anything that is
// not a readable regular file (or pipe), that is larger than `limit` bytes, or that contains a NUL byte and
// so is not text.
std::string read_text_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

// The same, for files named not by the user but by another file or another program: a pipe or a device is
// refused, so that reading it cannot block forever.
std::string read_regular_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

// The same for standard input; `name` stands for it in errors.
std::string read_standard_input(std::string_view name, std::size_t limit = std::size_t{1} << 30);

// The first `bytes` bytes of a file or fewer, decompressed if it is compressed, whatever they contain; empty
// if it cannot be read.
std::optional<std::string> read_beginning(const std::filesystem::path& path, std::size_t bytes);

// Writes a file whole or not at all, through an OutputFile.
void write_text_file(const std::filesystem::path& path, std::string_view content);

// Iterates over the lines of a text. Line ends are \n or \r\n and are not part of the line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line);              // false at the end
  std::size_t number() const { return number_; }  // of the line returned last, from 1

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::string_view trimmed(std::string_view text);  // without leading and trailing blanks and tabs

}  // namespace bnnplan
