#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "verify/linear_query.hpp"

namespace bnnplan {

// A query in TOML:
//
//   assume = ["x1 + x2 <= 100", ["x3 >= 5", "x4 >= 5"]]    all of these hold; of a list within the list, one
//   prove = ["score[7] > score[3]"]                        is there an input for which one of these does not hold? Or:
//   find = ["score[7] <= score[3] + 0.5"]                  is there one for which all of these do?
//   minimize = "x1 + 2 x2"                                 and which one has the least (maximize: the largest) value?
//   region = { around = "7.png", transpose = true, epsilon = 8, norm = "linf" }
//
// Files are relative to the file's folder. Throws InputError with the line.
struct QueryFile {
  LinearQuery query;
  bool maximize = false;  // the query minimises the opposite
};
QueryFile parse_query_file(std::string_view text, const std::filesystem::path& file, const Network& network);

}  // namespace bnnplan
