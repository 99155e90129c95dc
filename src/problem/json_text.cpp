// JSON with suspicion. The library's own reader keeps the last of two equal keys without a word, needs
// quadratic time for objects with many keys, and recurses over deep values later on. So the values are put
// together here, from the events of its parser, which does not recurse.
#include "problem/json_text.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t depth_limit = 64;  // a plan needs four
constexpr std::size_t most_values = 32'000'000;

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

class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t& text) override {
    const bool nothing = text.find_first_of("123456789") >= text.find_first_of("eE");
    if (value == 0 && !nothing)
      throw InputError(file_, fmt::format("number too small: '{}'", printable(text, 40)));
    return add(Json(value));
  }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }  // not in text

  bool start_object(std::size_t) override {
    open(Json::object());
    keys_.emplace_back();
    return true;
  }
  bool key(string_t& value) override {
    if (!keys_.back().insert(value).second)
      throw InputError(file_, fmt::format("duplicate key '{}'", printable(value)));
    key_ = std::move(value);
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    open(Json::array());
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    throw InputError(file_, line_at(text_, position), fmt::format("not JSON: {}", detail_of(error.what())));
  }

 private:
  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  void open(Json value) {
    if (open_.size() == depth_limit)
      throw InputError(file_, fmt::format("nested deeper than {} levels", depth_limit));
    open_.push_back(place(std::move(value)));
  }

  // Where the value now is. That stays so while it is open: nothing is added beside it.
  Json* place(Json value) {
    if (++values_ > most_values)
      throw InputError(file_, fmt::format("too large: more than {} values", most_values));
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    // An object of the library looks through all its keys for each one that is added; ours are known to
    // differ.
    auto& object = open_.back()->get_ref<Json::object_t&>();
    Json::object_t::Container& entries = object;
    return &entries.emplace_back(std::move(key_), std::move(value)).second;
  }

  std::string_view text_, file_;
  Json root_;
  std::vector<Json*> open_;
  std::vector<std::unordered_set<std::string>> keys_;  // of the objects that are open
  std::string key_;
  std::size_t values_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view file) {
  Builder builder(text, file);
  Json::sax_parse(text, &builder);
  return builder.take();
}

}  // namespace bnnplan
