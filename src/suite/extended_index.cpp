// The index of an extended suite: many columns, all texts, so that one table of names is all there is to it. No value has a
// comma, a quote or a line end.
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "suite/extended_suite.hpp"

namespace bnnplan {

const std::vector<std::string>& extended_columns() {
  static const std::vector<std::string> columns = {"name",
                                                   "family",
                                                   "horizon",
                                                   "seed",
                                                   "version",
                                                   "shape",
                                                   "format",
                                                   "encoding",
                                                   "numbering",
                                                   "file",
                                                   "bytes",
                                                   "sha256",
                                                   "map",
                                                   "variables",
                                                   "used",
                                                   "hard",
                                                   "soft",
                                                   "weight_sum",
                                                   "distinct_weights",
                                                   "shortest",
                                                   "longest",
                                                   "literals",
                                                   "clauses",
                                                   "cardinalities",
                                                   "equations",
                                                   "weighted",
                                                   "status",
                                                   "optimum",
                                                   "lower_bound",
                                                   "upper_bound",
                                                   "value",
                                                   "value_lower",
                                                   "value_upper",
                                                   "times",
                                                   "limit",
                                                   "proof",
                                                   "proof_sha256",
                                                   "problem"};
  return columns;
}

std::string extended_index_text(const std::vector<ExtendedEntry>& entries) {
  std::string text;
  const auto add_line = [&](auto&& value) {
    for (std::size_t i = 0; i < extended_columns().size(); ++i) {
      if (i > 0) text += ',';
      text += value(extended_columns()[i]);
    }
    text += '\n';
  };
  add_line([](const std::string& column) { return column; });
  for (const ExtendedEntry& entry : entries) {
    add_line([&](const std::string& column) {
      const auto found = entry.find(column);
      return found == entry.end() ? std::string() : found->second;
    });
  }
  return text;
}

std::vector<ExtendedEntry> parse_extended_index(std::string_view text, std::string_view file_name) {
  LineReader lines(text);
  std::string_view line;
  const std::string header = extended_index_text({});
  if (!lines.next(line) || line != std::string_view(header).substr(0, header.size() - 1))
    throw InputError(file_name, 1,
                     "not the index of an extended suite, expected its header (name,family,...)");
  std::vector<ExtendedEntry> entries;
  while (lines.next(line)) {
    ExtendedEntry entry;
    std::size_t count = 0;
    for (std::string_view rest = line;;) {
      const std::size_t end = rest.find(',');
      if (count < extended_columns().size()) entry[extended_columns()[count]] = rest.substr(0, end);
      ++count;
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (count != extended_columns().size())
      throw InputError(file_name, lines.number(),
                       fmt::format("{}, expected {}", count_text(count, "value"), extended_columns().size()));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace bnnplan
