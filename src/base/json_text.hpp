#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bnnplan/base/decimal.hpp"

namespace bnnplan {

// A JSON value. A number is kept as its source text: costs may have more digits than a double can hold.
struct JsonNumber {
  std::string text;
  bool measured = false;  // as good as a double, not exact
};
// JSON text that something else wrote, such as the steps of a long plan. parse_json() makes none.
struct JsonWritten {
  std::string text;
};
struct JsonValue;
// A template, so that it is a complete type as soon as JsonValue is one.
template <class Value>
struct JsonNamed {
  std::string name;
  Value value;
};
using JsonMember = JsonNamed<JsonValue>;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in file order, names are distinct
struct JsonValue {
  std::variant<std::nullptr_t, bool, JsonNumber, std::string, JsonArray, JsonObject, JsonWritten> content;

  JsonValue() = default;
  JsonValue(std::nullptr_t) {}
  JsonValue(std::same_as<bool> auto flag) : content(flag) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) JsonValue(Integer number)
      : content(JsonNumber{std::to_string(number)}) {}
  JsonValue(double number);  // measured, with all its digits; null if it is not finite
  JsonValue(const Decimal& number) : content(JsonNumber{to_string(number)}) {}
  JsonValue(JsonNumber number) : content(std::move(number)) {}
  JsonValue(std::string text) : content(std::move(text)) {}
  JsonValue(std::string_view text) : content(std::string(text)) {}
  JsonValue(const char* text) : content(std::string(text)) {}
  JsonValue(JsonArray values) : content(std::move(values)) {}
  JsonValue(JsonObject members) : content(std::move(members)) {}
  JsonValue(JsonWritten written) : content(std::move(written)) {}
  template <class Value>
  JsonValue(const std::optional<Value>& value) {  // null if there is none
    if (value) *this = JsonValue(*value);
  }

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(content); }
  // The content if it has this type, otherwise nullptr.
  const bool* boolean() const { return std::get_if<bool>(&content); }
  const JsonNumber* number() const { return std::get_if<JsonNumber>(&content); }
  const std::string* string() const { return std::get_if<std::string>(&content); }
  const JsonArray* array() const { return std::get_if<JsonArray>(&content); }
  const JsonObject* object() const { return std::get_if<JsonObject>(&content); }
  // The value of a key; nullptr if there is no such key or this is not an object.
  const JsonValue* find(std::string_view key) const;
};

// A number that was measured, with this number of digits behind the point; one that is not finite is null.
JsonValue json_measured(double number, int digits);
// One of which six digits matter.
JsonValue json_rounded(double number);
// An exact number as it is written: a fraction such as 1/3, which JSON does not have, is a string.
JsonValue json_exact(std::string text);
// The text, null instead of an empty one.
JsonValue text_or_null(std::string text);
// An array of what a function makes of each element.
template <class List, class Function = std::identity>
JsonArray json_array_of(const List& list, Function function = {}) {
  JsonArray values;
  for (const auto& element : list) values.emplace_back(function(element));
  return values;
}

// Parses untrusted JSON. Throws InputError, with the line if known, for malformed JSON, for duplicate keys,
// and for input that no file of ours needs: nesting deeper than 64 levels, more than 32 million values,
// numbers of 1e309 and more.
JsonValue parse_json(std::string_view text, std::string_view file);

// The exact number. Empty for values of other types, and for numbers with too many digits for a Decimal.
std::optional<Decimal> decimal_of(const JsonValue& value);

// The string value of a key; empty if there is none.
std::string text_of(const JsonValue& object, std::string_view key);

// The value as JSON. `lines`: an object with a member to a line, everything inside it on that line, but for
// lists of objects, which have one to a line. `line`: all on one line. `packed`: also without blanks.
enum class JsonLayout : std::uint8_t { lines, line, packed };
std::string json_text(const JsonValue& value, JsonLayout layout = JsonLayout::lines);

// The value as it would be written, for messages; arrays and objects are abbreviated.
std::string shown_json(const JsonValue& value);

// Text in quotes, escaped.
std::string quoted_json(std::string_view text);

}  // namespace bnnplan
