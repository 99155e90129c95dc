#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

// The fields of a line of comma-separated values, without blanks around them. A field may be quoted as
// spreadsheets do it: "a, ""b""" is one field. Throws InputError at file:number for a quote without an end;
// `what` says what the fields are ("column name").
std::vector<std::string> csv_fields(std::string_view line, std::string_view file, std::size_t number,
                                    std::string_view what);

// A field as csv_fields reads it again.
std::string csv_field(std::string_view text);

}  // namespace bnnplan
