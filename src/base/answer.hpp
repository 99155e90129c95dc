#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "bnnplan/base/json_text.hpp"

namespace bnnplan {

// What a command answers. Each field stands once, with its name and exact value, beside what people are told
// about it; JSON and Python's dictionaries are written from the fields.
struct Answer {
  JsonObject fields;
  std::string text;  // whole lines

  void add(std::string name, JsonValue value) { fields.push_back({std::move(name), std::move(value)}); }
  void add_text(std::string name, std::string value) {  // left out if empty
    if (!value.empty()) add(std::move(name), std::move(value));
  }
  void say(std::string_view lines) { text += lines; }
  void append(Answer more) {  // its fields and its lines after ours
    for (JsonMember& field : more.fields) fields.push_back(std::move(field));
    text += more.text;
  }
  std::string json() const { return json_text(fields) + "\n"; }
};

}  // namespace bnnplan
