#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/text_style.hpp"

namespace bnnplan::cli {

// Writes results to standard output; throws InputError if they cannot be written.
void print(std::string_view text);
void print(const Answer& answer, bool as_json);

// Writes progress and messages to standard error, at once. Nothing else happens where that cannot be written.
void print_message(std::string_view text);

// How text on standard output may look; `colour` is auto, always or never, the value of --color.
bool output_is_terminal();
TextStyle output_style(const std::string& colour);

}  // namespace bnnplan::cli
