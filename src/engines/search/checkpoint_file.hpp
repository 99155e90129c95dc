#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/output_file.hpp"

namespace bnnplan::engines {

// A file of 64-bit words after an identifying line, with a checksum as the last word: the format of saved
// searches. Written completely or not at all. Errors are InputErrors that name the file.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(const std::filesystem::path& path);

  void write(std::uint64_t word);
  void write(std::uint32_t high, std::uint32_t low) { write(std::uint64_t{high} << 32 | low); }
  void write_signed(std::int64_t number) { write(static_cast<std::uint64_t>(number)); }
  std::size_t bytes() const { return bytes_; }  // so far

  void commit();

 private:
  OutputFile file_;
  std::uint64_t checksum_ = 0;
  std::size_t bytes_ = 0;
};

// Reads such a file. Regardless of its contents, memory use is at most proportional to its size.
class CheckpointReader {
 public:
  // Reads the whole file once. Throws InputError if it is not a checkpoint, has a different version, is
  // truncated or was altered.
  explicit CheckpointReader(const std::filesystem::path& path);

  std::uint64_t read();
  std::uint64_t read_up_to(std::uint64_t most, std::string_view what);
  std::int64_t read_signed(std::int64_t least, std::int64_t most, std::string_view what);
  struct Pair {
    std::uint32_t high, low;
  };
  Pair read_pair();
  // The number of items that follow, of `words_each` words each: no more than there are words left.
  std::size_t read_count(std::size_t words_each);
  void require_end();

  // Anyone can write a file with the right checksum: its contents are checked like any other input.
  void require(bool condition, std::string_view what) const {
    if (!condition) refuse(what);
  }
  [[noreturn]] void refuse(std::string_view what) const;
  const std::string& name() const { return name_; }

 private:
  std::uint64_t next_word();
  void rewind();

  std::string name_;
  std::ifstream file_;
  std::vector<std::uint64_t> buffer_;
  std::size_t position_ = 0, filled_ = 0;  // in the buffer
  std::uint64_t left_ = 0;                 // words left before the checksum
};

}  // namespace bnnplan::engines
