// JSON with suspicion. The library keeps the last of two equal keys without a word, so keys are watched while
// parsing; and it recurses over values that it prints or throws away, so the depth is limited while it
// parses, which it does without recursion.
#include "problem/json_text.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

constexpr int depth_limit = 64;  // a plan needs four
constexpr std::size_t most_values = 64'000'000;

std::size_t line_at(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

// The library's text begins with a number in brackets and its own way to say where: keep what comes after.
std::string detail_of(std::string_view what) {
  const auto detail = what.rfind(": ");
  const auto bracket = what.find("] ");
  if (detail != what.npos) return printable(what.substr(detail + 2));
  return printable(bracket == what.npos ? what : what.substr(bracket + 2));
}

}  // namespace

Json parse_json(std::string_view text, std::string_view file) {
  std::vector<std::set<std::string>> keys;
  std::size_t values = 0;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
      if (depth > depth_limit)
        throw InputError(file, fmt::format("nested deeper than {} levels", depth_limit));
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (!keys.back().insert(key).second)
        throw InputError(file, fmt::format("duplicate key '{}'", printable(key)));
    } else if (event == Json::parse_event_t::value && ++values > most_values) {
      throw InputError(file, fmt::format("too large: more than {} values", most_values));
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::parse_error& error) {
    throw InputError(file, line_at(text, error.byte), fmt::format("not JSON: {}", detail_of(error.what())));
  } catch (const Json::out_of_range& error) {
    throw InputError(file, fmt::format("not JSON that fits: {}", detail_of(error.what())));
  }
}

}  // namespace bnnplan
