#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/decimal.hpp"

namespace bnnplan {

// A JSON value. A number is the text it was written as: costs may have more digits than a double has.
struct JsonNumber {
  std::string text;
};
struct JsonValue;
struct JsonMember;
using JsonArray = std::vector<JsonValue>;
using JsonObject = std::vector<JsonMember>;  // in the order of the file, names differ
struct JsonValue {
  std::variant<std::nullptr_t, bool, JsonNumber, std::string, JsonArray, JsonObject> content;

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(content); }
  // What it holds; nullptr if that is something else.
  const bool* boolean() const { return std::get_if<bool>(&content); }
  const JsonNumber* number() const { return std::get_if<JsonNumber>(&content); }
  const std::string* string() const { return std::get_if<std::string>(&content); }
  const JsonArray* array() const { return std::get_if<JsonArray>(&content); }
  const JsonObject* object() const { return std::get_if<JsonObject>(&content); }
  // The value of a key; nullptr if it has no such key, or is no object.
  const JsonValue* find(std::string_view key) const;
};
struct JsonMember {
  std::string name;
  JsonValue value;
};

// Parses JSON that others wrote. Throws InputError, with the line where it is known, for what is no JSON, for
// a key that is given twice, and for what no file of ours needs: nesting deeper than 64 levels, more than 32
// million values, numbers of 1e309 and more.
JsonValue parse_json(std::string_view text, std::string_view file);

// A number, exactly. Nothing for everything else, and for numbers of too many digits for a Decimal.
std::optional<Decimal> decimal_of(const JsonValue& value);

// The text that a key has; empty if there is none.
std::string text_of(const JsonValue& object, std::string_view key);

// As it would be written, for messages; arrays and objects are only named.
std::string shown_json(const JsonValue& value);

// A text in quotes, escaped.
std::string quoted_json(std::string_view text);

}  // namespace bnnplan
