#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

// The fields of a line of comma-separated values, without surrounding blanks. A field may be quoted the way
// spreadsheets do: "a, ""b""" is one field. Throws InputError at file:number for an unterminated quote;
// `what` says what the fields are ("column name").
std::vector<std::string> csv_fields(std::string_view line, std::string_view file, std::size_t number,
                                    std::string_view what);

// Writes a field so that csv_fields reads it back.
std::string csv_field(std::string_view text);

}  // namespace bnnplan
