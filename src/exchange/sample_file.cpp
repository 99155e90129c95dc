// Samples from common file formats: CSV, NumPy, MNIST's idx, pictures.
#include "bnnplan/exchange/sample_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/csv_line.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/exchange/byte_reader.hpp"
#include "bnnplan/exchange/npy_file.hpp"
#include "bnnplan/exchange/png_file.hpp"

namespace bnnplan::exchange {

namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  if (text == "true") return 1;
  if (text == "false") return 0;
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& name, const CsvColumns& columns)
      : lines_(text), name_(name), columns_(columns) {}

  CsvSamples read() {
    result_.inputs.columns = columns_.inputs.size();
    std::string_view line;
    for (bool first = true; lines_.next(line);) {
      if (trimmed(line).empty()) continue;
      if (first && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
      const std::vector<std::string> fields = csv_fields(line, name_, lines_.number(), "value");
      const bool header = first && std::any_of(fields.begin(), fields.end(),
                                               [](const std::string& field) { return !number_of(field); });
      if (first) place(fields, header);
      first = false;
      if (!header) read_row(fields);
    }
    if (result_.inputs.rows == 0) throw InputError(name_, "no samples, expected lines of numbers");
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_, lines_.number(), message);
  }

  // Finds the column of each input.
  void place(const std::vector<std::string>& fields, bool header) {
    count_ = fields.size();
    std::unordered_map<std::string_view, std::size_t> at;
    if (header) {
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!at.emplace(fields[i], i).second)
          fail(fmt::format("duplicate column '{}'", printable(fields[i])));
      }
    }
    const auto find = [&](const std::string& name) {
      const auto found = at.find(name);
      return found == at.end() ? nowhere : found->second;
    };
    if (!columns_.label.empty()) {
      label_at_ = find(columns_.label);
      if (label_at_ == nowhere)
        fail(header
                 ? fmt::format("no column '{}' for the label", printable(columns_.label))
                 : fmt::format("a label in column '{}', but there is no header", printable(columns_.label)));
    }
    for (const std::string& output : columns_.outputs) output_at_.push_back(find(output));
    if (std::find(output_at_.begin(), output_at_.end(), nowhere) != output_at_.end()) output_at_.clear();
    for (const std::string& input : columns_.inputs) input_at_.push_back(find(input));
    const auto missing = std::find(input_at_.begin(), input_at_.end(), nowhere);
    if (missing == input_at_.end()) return;
    if (std::any_of(input_at_.begin(), input_at_.end(),
                    [](std::size_t column) { return column != nowhere; })) {
      const std::string& name = columns_.inputs[static_cast<std::size_t>(missing - input_at_.begin())];
      fail(fmt::format("no column '{}', which is an input of the network", printable(name)));
    }
    take_in_order(fields.size());
  }

  void take_in_order(std::size_t columns) {
    input_at_.clear();
    for (std::size_t i = 0; i < columns; ++i) {
      const bool taken =
          i == label_at_ || std::find(output_at_.begin(), output_at_.end(), i) != output_at_.end();
      if (!taken) input_at_.push_back(i);
    }
    if (input_at_.size() != columns_.inputs.size())
      fail(fmt::format("{}, expected {}, one for each input of the network",
                       count_text(input_at_.size(), "column"), columns_.inputs.size()));
  }

  void read_row(const std::vector<std::string>& fields) {
    if (fields.size() != count_)
      fail(fmt::format("{}, expected {} as in the first line", count_text(fields.size(), "value"), count_));
    for (const std::size_t column : input_at_) result_.inputs.numbers.push_back(number_at(fields, column));
    for (const std::size_t column : output_at_) {
      const double value = number_at(fields, column);
      if (value != 0 && value != 1)
        fail(fmt::format("'{}' in column {}, expected 0 or 1", printable(fields[column]), column + 1));
      result_.expected.push_back(value != 0);
    }
    if (label_at_ != nowhere) result_.labels.push_back(fields[label_at_]);
    result_.inputs.lines.push_back(lines_.number());
    ++result_.inputs.rows;
  }

  double number_at(const std::vector<std::string>& fields, std::size_t column) const {
    const auto value = number_of(fields[column]);
    if (!value)
      fail(fmt::format("'{}' in column {}, expected a number", printable(fields[column]), column + 1));
    return *value;
  }

  LineReader lines_;
  const std::string& name_;
  const CsvColumns& columns_;
  CsvSamples result_;
  std::vector<std::size_t> input_at_, output_at_;
  std::size_t label_at_ = nowhere, count_ = 0;
};

// Two zero bytes, the element type (8: bytes), the number of dimensions, and the length of each in four
// bytes, highest byte first.
Samples parse_idx(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  const std::string_view magic = reader.take(4);
  if (magic[2] != 8) reader.fail("an idx file with numbers other than bytes");
  const int dimensions = magic[3];
  if (dimensions < 1) reader.fail("an idx file without a dimension");
  Samples samples;
  std::vector<std::size_t> shape;
  for (int i = 0; i < dimensions; ++i) shape.push_back(reader.big_endian_number(4));
  const auto count = element_count(shape);
  if (!count || *count != reader.left())
    reader.fail(fmt::format("{} of numbers, expected those of {}", count_text(reader.left(), "byte"),
                            shape_text(shape)));
  samples.rows = shape[0];
  samples.columns = shape[0] == 0 ? 0 : *count / shape[0];
  const std::string_view data = reader.take(*count);
  samples.bytes.assign(data.begin(), data.end());
  return samples;
}

// The decimal that a 32-bit float stands for, as verify reads it; whole numbers are so already.
double decimal_of_float(double value) {
  if (value == std::trunc(value) || !std::isfinite(value)) return value;
  return *number_of(fmt::format("{}", static_cast<float>(value)));
}

Samples samples_of(NpyArray array, const std::string& name) {
  if (array.is_text) throw InputError(name, "an array of text, expected numbers");
  const std::vector<std::size_t>& shape = array.tensor.shape;
  if (shape.empty()) throw InputError(name, "a single number, expected rows of them");
  Samples samples;
  samples.rows = shape[0];
  samples.columns = shape[0] == 0 ? 0 : array.tensor.values.size() / shape[0];
  samples.numbers = std::move(array.tensor.values);
  if (array.kind == ElementKind::f4 || array.kind == ElementKind::f2)
    std::transform(samples.numbers.begin(), samples.numbers.end(), samples.numbers.begin(), decimal_of_float);
  return samples;
}

}  // namespace

CsvSamples parse_csv_samples(std::string_view text, const std::string& name, const CsvColumns& columns) {
  return CsvReader(text, name, columns).read();
}

Samples parse_samples(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\x93NUMPY")) return samples_of(parse_npy(bytes, name), name);
  if (bytes.starts_with("\x89PNG")) {
    GreyImage image = parse_png(bytes, name);
    return {1, image.pixels.size(), {}, std::move(image.pixels), {}};
  }
  if (bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0) return parse_idx(bytes, name);
  throw InputError(name, "neither .csv, .npy, .png nor an idx file");
}

bool is_csv(const std::filesystem::path& path) {
  const std::filesystem::path plain = path.extension() == ".gz" ? path.stem() : path;
  return plain.extension() == ".csv" || path == "-";
}

std::string read_sample_bytes(const std::filesystem::path& path) {
  if (path == "-") return read_standard_input("<stdin>");
  if (is_csv(path)) return read_text_file(path);
  if (path.extension() == ".gz") {
    // MNIST samples are distributed this way.
    const auto bytes = read_beginning(path, std::size_t{1} << 30);
    if (!bytes) throw InputError(path.string(), "cannot be read");
    return *bytes;
  }
  return read_binary_file(path);
}

}  // namespace bnnplan::exchange
