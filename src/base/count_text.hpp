#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace bnnplan {

// "1 bit", "0 bits", "9 bits"; `many` is for words whose plural is not formed with an s.
template <class Count>
std::string count_text(Count count, std::string_view one, std::string_view many = {}) {
  if (count == Count{1}) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

}  // namespace bnnplan
