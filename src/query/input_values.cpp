// Inputs of a network from files, as exact numbers.
#include "bnnplan/query/input_values.hpp"

#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/exchange/npy_file.hpp"
#include "bnnplan/network/input_bits.hpp"

namespace bnnplan::verification {

namespace {

std::vector<mpq_class> values_of(const exchange::GreyImage& image, const Network& network) {
  std::vector<mpq_class> values;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    mpq_class low = 0, high = 1;
    if (i < network.numbers.size() && network.numbers[i]) {
      low = network.numbers[i]->low;
      high = network.numbers[i]->high;
    }
    values.emplace_back(low + (high - low) * image.pixels[i] / 255);
  }
  return values;
}

// A float stands for the shortest decimal that reads as this float, which is what NumPy prints. As binary
// fractions, numbers such as 19.54 have denominators for which there is no common unit of distances.
std::vector<mpq_class> values_of(const exchange::NpyArray& array, const std::string& name) {
  if (array.is_text) throw InputError(name, "the array is text, expected numbers");
  std::vector<mpq_class> values;
  for (const double value : array.tensor.values) {
    if (!std::isfinite(value)) throw InputError(name, "the array has a value that is not finite");
    if (array.kind == exchange::ElementKind::f8) {
      values.push_back(shortest_decimal(value));
    } else if (array.kind == exchange::ElementKind::f4 || array.kind == exchange::ElementKind::f2) {
      values.push_back(shortest_decimal(static_cast<float>(value)));
    } else {
      values.emplace_back(value);
    }
  }
  return values;
}

std::vector<mpq_class> parse_values(std::string_view text, const std::string& name) {
  constexpr std::string_view between = ", ;\t";
  std::vector<mpq_class> values;
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(between), line.size()));
      if (line.empty()) break;
      const std::string_view word = line.substr(0, line.find_first_of(between));
      line.remove_prefix(word.size());
      auto value = parse_exact(word);
      if (!value)
        throw InputError(name, lines.number(), fmt::format("'{}' is not a number", printable(word, 40)));
      values.push_back(std::move(*value));
    }
  }
  return values;
}

}  // namespace

exchange::GreyImage transposed(const exchange::GreyImage& image) {
  exchange::GreyImage result{image.height, image.width, {}};
  result.pixels.reserve(image.pixels.size());
  for (std::size_t x = 0; x < image.width; ++x) {
    for (std::size_t y = 0; y < image.height; ++y) result.pixels.push_back(image.pixels[y * image.width + x]);
  }
  return result;
}

std::vector<mpq_class> read_input_values(const std::filesystem::path& path, const Network& network,
                                         bool transpose_picture) {
  const std::string name = path.string();
  if (path.extension() == ".png") {
    const exchange::GreyImage image = exchange::parse_png(read_binary_file(path), name);
    return values_of(transpose_picture ? transposed(image) : image, network);
  }
  if (transpose_picture) throw InputError(name, "only a picture (.png) can be transposed");
  if (path.extension() == ".npy") return values_of(exchange::parse_npy(read_binary_file(path), name), name);
  return parse_values(read_text_file(path), name);
}

std::vector<mpq_class> read_allowed_values(const std::filesystem::path& path, const Network& network,
                                           bool transpose_picture) {
  std::vector<mpq_class> values = read_input_values(path, network, transpose_picture);
  const std::string refusal = refusal_of(network, values);
  if (!refusal.empty()) throw InputError(path.string(), refusal);
  return values;
}

std::string refusal_of(const Network& network, std::span<const mpq_class> values) {
  if (values.size() != network.inputs.size())
    return fmt::format("the input has {} numbers, but the network takes {}", values.size(),
                       network.inputs.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* number = has_numbers(network) && network.numbers[i] ? &*network.numbers[i] : nullptr;
    const bool allowed = number != nullptr ? values[i] >= number->low && values[i] <= number->high
                                           : values[i] * values[i] == values[i];  // 0 or 1
    if (!allowed)
      return fmt::format("input {} ('{}') is {}, but it has to be {}", i + 1, printable(network.inputs[i]),
                         exact_text(values[i]), range_text(network, i));
  }
  return {};
}

}  // namespace bnnplan::verification
