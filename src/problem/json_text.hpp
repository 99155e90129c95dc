#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace bnnplan {

// Parses JSON that others wrote. Throws InputError, with the line where it is known, for what is no JSON, for
// a key that is given twice, and for what no file of ours needs: nesting deeper than 64 levels, more than 64
// million values, numbers beyond double precision.
nlohmann::ordered_json parse_json(std::string_view text, std::string_view file);

}  // namespace bnnplan
