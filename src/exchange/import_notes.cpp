// Facts that files of other tools leave open, in words: for the record of a network, and for errors.
#include "bnnplan/exchange/import_notes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan::exchange {

std::vector<std::string> facts_of_sign(const ImportOptions& options) {
  if (!options.tie) return {};
  return {fmt::format("sign at 0 gives {} (tie)", *options.tie == ZeroGives::one ? "1" : "0")};
}

std::vector<std::string> facts_of_bits(const ImportOptions& options) {
  const auto [low, high] = options.bits.value_or(std::pair<mpq_class, mpq_class>{-1, 1});
  return {fmt::format("inputs are bits, {} and {} (bits)", exact_text(low), exact_text(high))};
}

std::vector<std::string> facts_of_numbers(const ImportOptions& options) {
  std::vector<std::string> facts;
  if (options.range)
    facts.push_back(fmt::format("inputs from {} to {} (range)", exact_text(options.range->first),
                                exact_text(options.range->second)));
  if (options.step) facts.push_back(fmt::format("step of the inputs {} (step)", exact_text(*options.step)));
  facts.push_back(fmt::format("inputs are multiplied by {} (scale)", exact_text(options.scale.value_or(1))));
  return facts;
}

std::vector<std::string> record_lines(std::vector<std::string> lines) {
  constexpr std::size_t longest = 10'000;
  std::erase_if(lines, [](const std::string& line) {
    return line.size() > longest || std::any_of(line.begin(), line.end(), [](char c) {
             return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
           });
  });
  return lines;
}

void add_to_record(std::vector<std::string>& record, const std::vector<std::string>& facts) {
  for (const std::string& fact : facts) {
    if (std::find(record.begin(), record.end(), fact) == record.end()) record.push_back(fact);
  }
}

void require_numbers(const ImportOptions& options, const std::string& file) {
  if (!options.range)
    throw InputError(
        file, "the inputs are numbers, and the file does not state their range: specify the option 'range'");
  if (!options.step)
    throw InputError(
        file, "the inputs are numbers, and the file does not state their step: specify the option 'step'");
}

std::vector<std::string> output_names(const std::vector<std::string>& given, std::size_t count, bool scores,
                                      const std::string& file) {
  std::vector<std::string> names = given;
  if (names.empty())
    for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", scores ? "" : "y", i));
  if (names.size() != count)
    throw InputError(file, fmt::format("{} output names, expected {}", names.size(), count));
  return names;
}

}  // namespace bnnplan::exchange
