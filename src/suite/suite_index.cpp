// The index of a suite, as a spreadsheet reads it. No field contains a comma or a quote.
#include "suite/suite_index.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"

namespace bnnplan {

namespace {

constexpr std::string_view header =
    "name,shape,horizon,variables,constraints,neurons,file,bytes,status,optimum,engine,seconds,problem,"
    "content";
constexpr std::size_t field_count = 14;

}  // namespace

std::string suite_index_text(const std::vector<SuiteEntry>& entries) {
  std::string text = fmt::format("{}\n", header);
  for (const SuiteEntry& entry : entries) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", entry.name, entry.shape, entry.horizon,
                    entry.variables, entry.constraints, entry.neurons, entry.file, entry.bytes, entry.status,
                    entry.optimum, entry.engine, entry.seconds, entry.problem, entry.content);
  }
  return text;
}

std::vector<SuiteEntry> parse_suite_index(std::string_view text, std::string_view file_name) {
  LineReader lines(text);
  std::string_view line;
  if (!lines.next(line) || line != header) {
    throw InputError(file_name, 1, "not the index of a suite, expected its header (name,shape,...)");
  }
  std::vector<SuiteEntry> entries;
  while (lines.next(line)) {
    std::array<std::string_view, field_count> fields;
    std::size_t count = 0;
    for (std::string_view rest = line;; ++count) {
      const std::size_t end = rest.find(',');
      if (count < field_count) fields[count] = rest.substr(0, end);
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    if (++count != field_count) {
      throw InputError(file_name, lines.number(),
                       fmt::format("{}, expected {}", count_text(count, "value"), field_count));
    }
    const auto number = [&](std::string_view field) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
      if (field.empty() || error != std::errc() || end != field.data() + field.size()) {
        throw InputError(file_name, lines.number(), fmt::format("'{}', expected a number", printable(field)));
      }
      return value;
    };
    entries.push_back({std::string(fields[0]), std::string(fields[1]), number(fields[2]), number(fields[3]),
                       number(fields[4]), number(fields[5]), std::string(fields[6]), number(fields[7]),
                       std::string(fields[8]), std::string(fields[9]), std::string(fields[10]),
                       std::string(fields[11]), std::string(fields[12]), std::string(fields[13])});
  }
  return entries;
}

}  // namespace bnnplan
