#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bnnplan {

// The whole content of a text file, decompressed if it is gzipped or packed by xz. Throws InputError for
// anything that is not a readable regular file (or pipe), that is larger than `limit` bytes, or that contains
// a NUL byte and so is no text.
std::string read_text_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

// The same, for files that were not named by the person who runs the program but by another file or by
// another program: a pipe or a device is refused, so that reading it cannot wait for ever.
std::string read_regular_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

// The same from standard input; `name` stands for it in errors.
std::string read_standard_input(std::string_view name, std::size_t limit = std::size_t{1} << 30);

// At most the first `bytes` bytes of a file, decompressed if it is gzipped, whatever they are; nothing if it
// cannot be read.
std::optional<std::string> read_beginning(const std::filesystem::path& path, std::size_t bytes);

// Writes a file whole or not at all, through an OutputFile.
void write_text_file(const std::filesystem::path& path, std::string_view content);

// Walks through text line by line. Line ends are \n or \r\n, and are not part of the line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line);              // false at the end
  std::size_t number() const { return number_; }  // of the line returned last, from 1

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::string_view trimmed(std::string_view text);  // without blanks and tabs on either side

}  // namespace bnnplan
