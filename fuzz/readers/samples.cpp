// Samples for `eval`: CSV, idx and PNG files (and .npy, which has a fuzzer of its own). Accepted samples have
// as many numbers as declared. Mutations break the checksum of a PNG file, so for an input that begins with
// PNG it is corrected first.
#include <cstdint>
#include <string>

#include <zlib.h>

#include "bnnplan/exchange/sample_file.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

std::string with_right_checksums(std::string bytes) {
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  };
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = number(at);
    if (size > bytes.size() - at - 12) break;
    const auto* content = reinterpret_cast<const Bytef*>(bytes.data()) + at + 4;
    const auto checksum = static_cast<std::uint32_t>(crc32_z(0, content, size + 4));
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + 8 + size + i] = static_cast<char>(checksum >> (24 - 8 * i));
    at += size + 12;
  }
  return bytes;
}

}  // namespace

void try_samples(std::string_view input) {
  const bool binary = input.starts_with("\x89PNG") || input.starts_with("\x93NUMPY") ||
                      (input.size() > 1 && input[0] == 0 && input[1] == 0);
  if (binary) {
    const bool png = input.starts_with("\x89PNG");
    const exchange::Samples samples =
        exchange::parse_samples(png ? with_right_checksums(std::string(input)) : std::string(input), "f");
    require(samples.rows * samples.columns == samples.numbers.size() + samples.bytes.size(),
            "every number is there");
    return;
  }
  const exchange::CsvSamples csv = exchange::parse_csv_samples(input, "f.csv", {{"a", "b"}, {"y'"}, ""});
  require(csv.inputs.numbers.size() == 2 * csv.inputs.rows, "every number is there");
  require(csv.inputs.lines.size() == csv.inputs.rows, "every row has its line");
  require(csv.expected.empty() || csv.expected.size() == csv.inputs.rows, "all outputs or none");
}

}  // namespace bnnplan::fuzz
