// Networks as NumPy archives: a zip of .npy files, each a header in Python syntax followed by the numbers,
// lowest byte first. Nothing is compressed; weights of one byte are small enough, and every zip reader
// supports stored entries.
//
// For a network with two layers and scores, numpy.load gives layer0/weight (neurons x inputs),
// layer0/threshold, layer1/weight, layer1/threshold, scores/weight, scores/scale, scores/bias, scores/tie,
// input/names, output/names; and input/threshold, input/low, input/high, input/step if inputs are numbers.
#include "bnnplan/exchange/write_npz.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan::exchange {

namespace {

template <class Integer>
void append_integer(std::string& bytes, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

// A file of numpy.save, version 1: the header is padded so that the numbers begin at a multiple of 64 bytes.
std::string npy_bytes(std::string_view type, std::string_view shape, std::string_view data) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append_integer(bytes, static_cast<std::uint16_t>(header.size()));
  return bytes + header + std::string(data);
}

// The code points of UTF-8 text; invalid UTF-8 is taken byte by byte.
std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> points;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(i);
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    std::uint32_t point = length == 1 ? first : first & (0x7fU >> length);
    bool whole = i + length <= text.size();
    for (std::size_t k = 1; whole && k < length; ++k) {
      whole = byte(i + k) >> 6 == 2;
      point = point << 6 | (byte(i + k) & 0x3fU);
    }
    points.push_back(whole ? point : first);
    i += whole ? length : 1;
  }
  return points;
}

// Fixed-width text: dtype U with four bytes per character.
std::string text_array(const std::vector<std::string>& texts, bool single = false) {
  std::vector<std::vector<std::uint32_t>> rows;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    rows.push_back(code_points(text));
    longest = std::max(longest, rows.back().size());
  }
  std::string data;
  for (std::vector<std::uint32_t>& row : rows) {
    row.resize(longest, 0);
    for (const std::uint32_t point : row) append_integer(data, point);
  }
  return npy_bytes(fmt::format("<U{}", longest), single ? "" : fmt::format("{},", texts.size()), data);
}

std::string number_array(const std::vector<mpq_class>& numbers) {
  const auto is_double = [](const mpq_class& number) {
    const double value = nearest_double(number);
    return std::isfinite(value) && mpq_class(value) == number;
  };
  if (!std::all_of(numbers.begin(), numbers.end(), is_double)) {
    std::vector<std::string> texts;
    for (const mpq_class& number : numbers) texts.push_back(exact_text(number));
    return text_array(texts);
  }
  std::string data;
  for (const mpq_class& number : numbers)
    append_integer(data, std::bit_cast<std::uint64_t>(nearest_double(number)));
  return npy_bytes("<f8", fmt::format("{},", numbers.size()), data);
}

template <class Neurons>
std::string weight_array(const Neurons& neurons) {
  std::string data;
  for (const auto& neuron : neurons) {
    for (const std::int8_t weight : neuron.weights) data += static_cast<char>(weight);
  }
  return npy_bytes("|i1", fmt::format("{}, {}", neurons.size(), neurons.front().weights.size()), data);
}

std::string threshold_array(const Layer& layer) {
  std::string data;
  for (const Neuron& neuron : layer.neurons)
    append_integer(data, static_cast<std::uint32_t>(neuron.threshold));
  return npy_bytes("<i4", fmt::format("{},", layer.neurons.size()), data);
}

// An uncompressed zip archive: each entry after its own header, then the directory.
class StoredZip {
 public:
  void add(const std::string& name, const std::string& content) {
    const auto checksum = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const unsigned char*>(content.data()), content.size()));
    std::string common;
    append_integer(common, std::uint16_t{20});          // the version needed
    append_integer(common, std::uint16_t{0x0800});      // names are UTF-8
    append_integer(common, std::uint16_t{0});           // stored
    append_integer(common, std::uint32_t{0x00210000});  // the earliest date in zip
    append_integer(common, checksum);
    append_integer(common, static_cast<std::uint32_t>(content.size()));
    append_integer(common, static_cast<std::uint32_t>(content.size()));
    append_integer(common, static_cast<std::uint16_t>(name.size()));
    append_integer(common, std::uint16_t{0});

    directory_ += "PK\x01\x02";
    append_integer(directory_, std::uint16_t{20});
    directory_ += common;
    append_integer(directory_, std::uint16_t{0});
    append_integer(directory_, std::uint16_t{0});
    append_integer(directory_, std::uint16_t{0});
    append_integer(directory_, std::uint32_t{0});
    append_integer(directory_, static_cast<std::uint32_t>(bytes_.size()));
    directory_ += name;
    ++entries_;

    bytes_ += "PK\x03\x04" + common + name + content;
  }

  std::string finish() {
    std::string end = "PK\x05\x06";
    append_integer(end, std::uint32_t{0});
    append_integer(end, entries_);
    append_integer(end, entries_);
    append_integer(end, static_cast<std::uint32_t>(directory_.size()));
    append_integer(end, static_cast<std::uint32_t>(bytes_.size()));
    append_integer(end, std::uint16_t{0});
    return bytes_ + directory_ + end;
  }

 private:
  std::string bytes_, directory_;
  std::uint16_t entries_ = 0;
};

void add_numbers(StoredZip& zip, const Network& network) {
  std::vector<mpq_class> threshold, low, high, step;
  for (const auto& number : network.numbers) {
    const NumericInput& as_number = number ? *number : NumericInput{1, 0, 1, 1};  // read back as a bit
    threshold.push_back(as_number.threshold);
    low.push_back(as_number.low);
    high.push_back(as_number.high);
    step.push_back(as_number.step);
  }
  zip.add("input/threshold.npy", number_array(threshold));
  zip.add("input/low.npy", number_array(low));
  zip.add("input/high.npy", number_array(high));
  zip.add("input/step.npy", number_array(step));
}

void add_scores(StoredZip& zip, const Network& network) {
  std::vector<mpq_class> scales, biases;
  for (const Score& score : network.scores) {
    scales.push_back(score.scale);
    biases.push_back(score.bias);
  }
  zip.add("scores/weight.npy", weight_array(network.scores));
  zip.add("scores/scale.npy", number_array(scales));
  zip.add("scores/bias.npy", number_array(biases));
  zip.add("scores/tie.npy", text_array({network.tie == ClassTie::lowest ? "lowest" : "highest"}, true));
}

}  // namespace

std::string npz_text(const Network& network) {
  StoredZip zip;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    zip.add(fmt::format("layer{}/weight.npy", l), weight_array(network.layers[l].neurons));
    zip.add(fmt::format("layer{}/threshold.npy", l), threshold_array(network.layers[l]));
  }
  if (is_classifier(network)) add_scores(zip, network);
  if (has_numbers(network)) add_numbers(zip, network);
  zip.add("input/names.npy", text_array(network.inputs));
  zip.add("output/names.npy", text_array(network.outputs));
  if (!network.record.empty()) zip.add("record/lines.npy", text_array(network.record));
  return zip.finish();
}

}  // namespace bnnplan::exchange
