// A checkpoint is a line of text, words as they are in memory, and a checksum over them and their number.
// Changing one word always changes the checksum, since each of its steps is a bijection of the previous
// value. That detects every accident, but no attack, so the reader also checks each number. A machine of the
// other byte order sees a different version.
#include "bnnplan/engines/search/checkpoint_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/engines/search/hash_index.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::string_view title = "bnnplan search checkpoint\n\n\n\n\n\n\n";
// Must be raised with every change to what is saved and to how a search decides: resuming an older one could
// end with a different plan.
constexpr std::uint64_t version = 2;
constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t header_words = title.size() / word_bytes + 1;
constexpr std::size_t buffer_words = std::size_t{1} << 15;
static_assert(title.size() % word_bytes == 0);

}  // namespace

CheckpointWriter::CheckpointWriter(const std::filesystem::path& path) : file_(path) {
  file_.write(title);
  bytes_ = title.size();
  write(version);
}

void CheckpointWriter::write(std::uint64_t word) {
  checksum_ = mixed_hash(checksum_, word);
  char bytes[word_bytes];
  std::memcpy(bytes, &word, word_bytes);
  file_.write(std::string_view(bytes, word_bytes));
  bytes_ += word_bytes;
}

void CheckpointWriter::commit() {
  write(mixed_hash(checksum_, bytes_ / word_bytes));
  file_.commit();
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : name_(path.string()), buffer_(buffer_words) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(name_, "no such file");
  if (status.type() != std::filesystem::file_type::regular)
    throw InputError(name_, "is not a regular file, expected a checkpoint");
  file_.open(path, std::ios::binary);
  std::array<char, title.size()> beginning{};
  if (!file_.read(beginning.data(), beginning.size()) && !file_.eof()) throw InputError(name_, "cannot read");
  if (std::string_view(beginning.data(), beginning.size()) != title)
    throw InputError(name_, "is not a checkpoint");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw InputError(name_, fmt::format("cannot read: {}", error.message()));
  const char* const damaged = "is damaged: truncated or altered since it was written";
  if (size % word_bytes != 0 || size / word_bytes < header_words + 1) throw InputError(name_, damaged);
  left_ = size / word_bytes - header_words;
  const std::uint64_t words = left_;
  std::uint64_t checksum = mixed_hash(0, next_word());
  for (std::uint64_t i = 1; i < words; ++i) checksum = mixed_hash(checksum, next_word());
  if (next_word() != mixed_hash(checksum, size / word_bytes - 1)) throw InputError(name_, damaged);
  file_.clear();
  file_.seekg(title.size());
  position_ = filled_ = 0;
  if (const std::uint64_t found = next_word(); found != version)
    throw InputError(
        name_, fmt::format("is a checkpoint of version {}, this program reads version {}", found, version));
  left_ = words - 1;
}

std::uint64_t CheckpointReader::next_word() {
  if (position_ == filled_) {
    file_.read(reinterpret_cast<char*>(buffer_.data()),
               static_cast<std::streamsize>(buffer_.size() * word_bytes));
    filled_ = static_cast<std::size_t>(file_.gcount()) / word_bytes;
    position_ = 0;
    if (filled_ == 0) throw InputError(name_, "cannot read: the file became shorter");
  }
  return buffer_[position_++];
}

std::uint64_t CheckpointReader::read() {
  require(left_ > 0, "it ends early");
  --left_;
  return next_word();
}

std::uint64_t CheckpointReader::read_up_to(std::uint64_t most, std::string_view what) {
  const std::uint64_t word = read();
  require(word <= most, what);
  return word;
}

std::int64_t CheckpointReader::read_signed(std::int64_t least, std::int64_t most, std::string_view what) {
  const auto number = static_cast<std::int64_t>(read());
  require(number >= least && number <= most, what);
  return number;
}

CheckpointReader::Pair CheckpointReader::read_pair() {
  const std::uint64_t word = read();
  return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
}

std::size_t CheckpointReader::read_count(std::size_t words_each) {
  const std::uint64_t count = read();
  require(count <= left_ / words_each, "it ends early");
  return static_cast<std::size_t>(count);
}

void CheckpointReader::require_end() { require(left_ == 0, "data after its end"); }

void CheckpointReader::refuse(std::string_view what) const {
  throw InputError(name_, fmt::format("is not a checkpoint written by bnnplan: {}", what));
}

}  // namespace bnnplan::engines
