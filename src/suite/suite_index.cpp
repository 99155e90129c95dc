// The index of a suite: many columns, all text, so a table of names is all it takes. No value contains a
// comma, a quote or a line end.
#include "bnnplan/suite/suite_index.hpp"

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::suite {

namespace {

constexpr std::string_view header =
    "name,family,horizon,seed,version,shape,format,encoding,numbering,file,bytes,sha256,map,variables,used,"
    "hard,soft,"
    "weight_sum,distinct_weights,shortest,longest,literals,clauses,cardinalities,equations,weighted,status,"
    "optimum,"
    "lower_bound,upper_bound,value,value_lower,value_upper,times,limit,proof,proof_sha256,problem";

std::vector<std::string> values_of(std::string_view line) {
  std::vector<std::string> values;
  while (true) {
    const std::size_t end = line.find(',');
    values.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return values;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

const std::vector<std::string>& suite_columns() {
  static const std::vector<std::string> columns = values_of(header);
  return columns;
}

std::string suite_index_text(const std::vector<SuiteEntry>& entries) {
  std::string text = fmt::format("{}\n", header);
  for (const SuiteEntry& entry : entries) {
    for (const std::string& column : suite_columns()) {
      const auto found = entry.find(column);
      if (found != entry.end()) text += found->second;
      text += &column == &suite_columns().back() ? '\n' : ',';
    }
  }
  return text;
}

std::vector<SuiteEntry> parse_suite_index(std::string_view text, std::string_view file_name) {
  LineReader lines(text);
  std::string_view line;
  if (!lines.next(line) || line != header)
    throw InputError(file_name, 1, "not the index of a suite, expected its header (name,family,...)");
  std::vector<SuiteEntry> entries;
  while (lines.next(line)) {
    std::vector<std::string> values = values_of(line);
    if (values.size() != suite_columns().size())
      throw InputError(
          file_name, lines.number(),
          fmt::format("{}, expected {}", count_text(values.size(), "value"), suite_columns().size()));
    SuiteEntry& entry = entries.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i) entry[suite_columns()[i]] = std::move(values[i]);
  }
  return entries;
}

}  // namespace bnnplan::suite
