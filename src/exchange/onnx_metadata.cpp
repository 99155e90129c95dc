// Names and ranges as text, one line per input: "0 255 1" means from 0 to 255 in steps of 1.
#include "bnnplan/exchange/onnx_metadata.hpp"

#include <sstream>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/exchange/import_notes.hpp"

namespace bnnplan::exchange {

namespace {

constexpr const char* inputs_key = "bnnplan.inputs";
constexpr const char* outputs_key = "bnnplan.outputs";
constexpr const char* ranges_key = "bnnplan.ranges";
constexpr const char* record_key = "bnnplan.record";

std::vector<std::string> lines_of(const std::map<std::string, std::string>& metadata, const char* key) {
  std::vector<std::string> lines;
  const auto found = metadata.find(key);
  if (found == metadata.end()) return lines;
  LineReader reader(found->second);
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

}  // namespace

std::map<std::string, std::string> metadata_of(const Network& network) {
  std::string ranges;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    if (!has_numbers(network) || !network.numbers[i]) {
      ranges += "0 1 1\n";
      continue;
    }
    const NumericInput& number = *network.numbers[i];
    ranges +=
        fmt::format("{} {} {}\n", exact_text(number.low), exact_text(number.high), exact_text(number.step));
  }
  std::map<std::string, std::string> metadata{
      {inputs_key, fmt::format("{}\n", fmt::join(network.inputs, "\n"))},
      {outputs_key, fmt::format("{}\n", fmt::join(network.outputs, "\n"))},
      {ranges_key, ranges}};
  if (!network.record.empty()) metadata[record_key] = fmt::format("{}\n", fmt::join(network.record, "\n"));
  return metadata;
}

OnnxFacts facts_of_metadata(const std::map<std::string, std::string>& metadata, const std::string& file) {
  OnnxFacts facts{lines_of(metadata, inputs_key),
                  lines_of(metadata, outputs_key),
                  {},
                  record_lines(lines_of(metadata, record_key))};
  for (const std::string& line : lines_of(metadata, ranges_key)) {
    std::istringstream words(line);
    std::string low, high, step, more;
    words >> low >> high >> step;
    const auto lowest = parse_exact(low), highest = parse_exact(high), distance = parse_exact(step);
    if (!lowest || !highest || !distance || words >> more)
      throw InputError(file, fmt::format("'{}' in the metadata, expected the range and the step of an input",
                                         printable(line)));
    facts.ranges.push_back({*lowest, *highest, *distance});
  }
  return facts;
}

}  // namespace bnnplan::exchange
