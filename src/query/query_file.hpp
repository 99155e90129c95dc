#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/network/network.hpp"
#include "bnnplan/query/linear_query.hpp"

namespace bnnplan::verification {

// A query in TOML:
//
//   assume = ["x1 + x2 <= 100", ["x3 >= 5", "x4 >= 5"]]    all of these hold; of a nested list, at least one
//   prove = ["score[7] > score[3]"]                        is there an input that violates one of these? Or:
//   find = ["score[7] <= score[3] + 0.5"]                  is there one that satisfies all of these?
//   minimize = "x1 + 2 x2"                                 and which has the least (maximize: largest) value?
//   region = { around = "7.png", transpose = true, epsilon = 8, norm = "linf" }
//
// File names are relative to the query's folder. Throws InputError with the line.
struct QueryFile {
  LinearQuery query;
  bool maximize = false;  // the query minimises the opposite
};
QueryFile parse_query_file(std::string_view text, const std::filesystem::path& file, const Network& network);

}  // namespace bnnplan::verification
