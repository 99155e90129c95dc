// Defensive JSON. The library's own reader silently keeps the last of two equal keys, needs quadratic time
// for objects with many keys, recurses over deep values later, and turns every number with a point into a
// double: 12345678901234.567 then becomes another number, and 0.99999999999999999999 becomes 1. So the values
// are built here from the events of its parser, which does not recurse and also provides the text of each
// number.
#include "bnnplan/base/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::json;

constexpr std::size_t depth_limit = 64;  // a plan needs four
constexpr std::size_t most_values = 32'000'000;

std::size_t line_at(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

// The library's message begins with a number in brackets and its own location ("parse error at line 1, column
// 2: "): keep what follows. That may quote the file and contain a colon itself.
std::string detail_of(std::string_view what) {
  if (const auto bracket = what.find("] "); bracket != what.npos) what.remove_prefix(bracket + 2);
  if (what.starts_with("parse error")) what.remove_prefix(std::min(what.find(": "), what.size() - 2) + 2);
  return printable(what);
}

class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  JsonValue take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t, const string_t& text) override { return add(JsonNumber{text}); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // does not occur in text

  bool start_object(std::size_t) override {
    open(JsonObject());
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
    open(JsonArray());
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
  bool add(JsonValue value) {
    place(std::move(value));
    return true;
  }

  void open(JsonValue value) {
    if (open_.size() == depth_limit)
      throw InputError(file_, fmt::format("nested deeper than {} levels", depth_limit));
    open_.push_back(place(std::move(value)));
  }

  // Returns where the value now is. The pointer stays valid while the value is open: no sibling is added
  // meanwhile.
  JsonValue* place(JsonValue value) {
    if (++values_ > most_values)
      throw InputError(file_, fmt::format("too large: more than {} values", most_values));
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* array = std::get_if<JsonArray>(&open_.back()->content))
      return &array->emplace_back(std::move(value));
    JsonObject& members = std::get<JsonObject>(open_.back()->content);
    members.push_back({std::move(key_), std::move(value)});
    return &members.back().value;
  }

  std::string_view text_, file_;
  JsonValue root_;
  std::vector<JsonValue*> open_;
  std::vector<std::unordered_set<std::string>> keys_;  // of the open objects
  std::string key_;
  std::size_t values_ = 0;
};

// What stands between the elements of a list or the members of an object at this depth.
std::string_view separator(const JsonValue& value, JsonLayout layout, std::size_t depth) {
  if (layout != JsonLayout::lines) return layout == JsonLayout::line ? ", " : ",";
  const JsonArray* elements = value.array();
  if (elements == nullptr) return depth == 0 ? ",\n " : ", ";
  return depth == 1 && elements->front().object() != nullptr ? ",\n  " : ", ";
}

void append_json(std::string& text, const JsonValue& value, JsonLayout layout, std::size_t depth) {
  if (const JsonArray* elements = value.array(); elements != nullptr && !elements->empty()) {
    const std::string_view between = separator(value, layout, depth);
    const bool lines = between.size() > 2;
    text += lines ? "[\n  " : "[";
    for (const JsonValue& element : *elements) {
      if (&element != &elements->front()) text += between;
      append_json(text, element, layout, depth + 1);
    }
    text += lines ? "\n ]" : "]";
  } else if (const JsonObject* members = value.object(); members != nullptr && !members->empty()) {
    text += '{';
    for (const JsonMember& member : *members) {
      if (&member != &members->front()) text += separator(value, layout, depth);
      text += quoted_json(member.name) + (layout == JsonLayout::packed ? ":" : ": ");
      append_json(text, member.value, layout, depth + 1);
    }
    text += '}';
  } else if (const auto* written = std::get_if<JsonWritten>(&value.content)) {
    text += written->text;
  } else {
    text += value.array() != nullptr ? "[]" : value.object() != nullptr ? "{}" : shown_json(value);
  }
}

}  // namespace

JsonValue::JsonValue(double number) {
  if (std::isfinite(number)) content = JsonNumber{fmt::format("{}", number), true};
}

JsonValue json_measured(double number, int digits) {
  return std::isfinite(number) ? JsonNumber{fmt::format("{:.{}f}", number, digits), true} : JsonValue();
}

JsonValue json_rounded(double number) {
  return std::isfinite(number) ? JsonNumber{fmt::format("{:.6g}", number), true} : JsonValue();
}

JsonValue json_exact(std::string text) {
  return text.find('/') == std::string::npos ? JsonValue(JsonNumber{std::move(text)})
                                             : JsonValue(std::move(text));
}

JsonValue text_or_null(std::string text) { return text.empty() ? JsonValue() : JsonValue(std::move(text)); }

const JsonValue* JsonValue::find(std::string_view key) const {
  if (const JsonObject* entries = object()) {
    for (const auto& [name, value] : *entries) {
      if (name == key) return &value;
    }
  }
  return nullptr;
}

std::string text_of(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->string() != nullptr ? *value->string() : std::string();
}

JsonValue parse_json(std::string_view text, std::string_view file) {
  Builder builder(text, file);
  Json::sax_parse(text, &builder);
  return builder.take();
}

std::optional<Decimal> decimal_of(const JsonValue& value) {
  const JsonNumber* number = value.number();
  if (number == nullptr) return std::nullopt;
  try {
    return parse_decimal(number->text);
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

std::string shown_json(const JsonValue& value) {
  if (const bool* flag = value.boolean()) return *flag ? "true" : "false";
  if (const JsonNumber* number = value.number()) return number->text;
  if (const std::string* text = value.string()) return quoted_json(*text);
  return value.is_null() ? "null" : value.array() != nullptr ? "[...]" : "{...}";
}

std::string json_text(const JsonValue& value, JsonLayout layout) {
  std::string text;
  append_json(text, value, layout, 0);
  return text;
}

std::string quoted_json(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bnnplan
