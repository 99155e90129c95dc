#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::suite {

// One line of the index of a suite, by column: a problem, one of its files, and what is known of its optimum.
// suite_columns() lists the columns; a column without a value is empty.
using SuiteEntry = std::map<std::string, std::string>;
const std::vector<std::string>& suite_columns();

// Comma-separated values with a header; the second throws InputError at file:line for anything that the first
// would not write.
std::string suite_index_text(const std::vector<SuiteEntry>& entries);
std::vector<SuiteEntry> parse_suite_index(std::string_view text, std::string_view file_name);

}  // namespace bnnplan::suite
