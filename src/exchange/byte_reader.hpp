#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::exchange {

// Reads untrusted bytes in order: anything missing is an InputError with the offset.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view name, std::size_t at = 0)
      : bytes_(bytes), name_(name), at_(at) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(name_, fmt::format("{} (at byte {})", what, at_));
  }

  std::string_view take(std::uint64_t size) {
    if (at_ > bytes_.size() || size > left()) fail("the file ends too early");
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }

  // An unsigned number of `size` bytes, at most 8, lowest byte first.
  std::uint64_t number(int size) {
    const std::string_view taken = take(static_cast<std::uint64_t>(size));
    std::uint64_t value = 0;
    for (int i = size; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(taken[static_cast<std::size_t>(i)]);
    return value;
  }

  // The same, highest byte first.
  std::uint64_t big_endian_number(int size) {
    std::uint64_t value = 0;
    for (const char byte : take(static_cast<std::uint64_t>(size)))
      value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

  // The text up to the next line end, which is skipped.
  std::string_view line() {
    const auto end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("the file ends too early");
    const std::string_view taken = take(end - at_);
    ++at_;
    return taken;
  }

 private:
  std::string_view bytes_;
  std::string name_;
  std::size_t at_;
};

}  // namespace bnnplan::exchange
