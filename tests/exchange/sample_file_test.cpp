// Samples from CSV, NumPy, idx and PNG files, and networks run on them.
#include "bnnplan/exchange/sample_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "bnnplan/exchange/evaluate_samples.hpp"
#include "bnnplan/exchange/png_file.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"
#include "support/random_network.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;

std::string four_bytes(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
  return text;
}

std::string chunk(const std::string& kind, const std::string& content) {
  const std::string named = kind + content;
  const auto checksum =
      crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
  return four_bytes(static_cast<std::uint32_t>(content.size())) + named +
         four_bytes(static_cast<std::uint32_t>(checksum));
}

// `rows` with the byte of their filter before each.
std::string png(std::uint32_t width, std::uint32_t height, char depth, char colour, const std::string& rows) {
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
           rows.size());
  packed.resize(size);
  const std::string header = four_bytes(width) + four_bytes(height) + depth + colour + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

std::string raw_bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

TEST(PngFile, AllFilters) {
  // Rows 10 20 30, five times, each by another filter.
  const std::string rows = raw_bytes({0, 10, 20, 30}) + raw_bytes({1, 10, 10, 10}) + raw_bytes({2, 0, 0, 0}) +
                           raw_bytes({3, 5, 5, 5}) + raw_bytes({4, 0, 0, 0});
  const GreyImage image = parse_png(png(3, 5, 8, 0, rows), "f");
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 5u);
  std::vector<std::uint8_t> expected;
  for (int i = 0; i < 5; ++i) expected.insert(expected.end(), {10, 20, 30});
  EXPECT_EQ(image.pixels, expected);
}

TEST(PngFile, FewerBitsAPixel) {
  EXPECT_EQ(parse_png(png(3, 1, 1, 0, raw_bytes({0, 0xa0})), "f").pixels,
            (std::vector<std::uint8_t>{255, 0, 255}));
  EXPECT_EQ(parse_png(png(3, 1, 4, 0, raw_bytes({0, 0x0f, 0x30})), "f").pixels,
            (std::vector<std::uint8_t>{0, 255, 51}));
}

TEST(PngFile, RefusesAllOthers) {
  const std::string good = png(2, 1, 8, 0, raw_bytes({0, 1, 2}));
  EXPECT_EQ(parse_png(good, "f").pixels.size(), 2u);
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_THROW(parse_png(good.substr(0, length), "f"), InputError) << length;
  for (std::size_t i = 8; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_THROW(parse_png(damaged, "f"), InputError) << i;
  }
  const auto error = [](const std::string& bytes) { return input_error_of([&] { parse_png(bytes, "f"); }); };
  EXPECT_EQ(error(png(2, 1, 8, 2, raw_bytes({0, 1, 2, 3, 4, 5, 6}))),
            "f: a picture in colours or with transparency, expected shades of grey (at byte 29)");
  EXPECT_EQ(error(png(2, 1, 16, 0, raw_bytes({0, 1, 2, 3, 4}))),
            "f: 16 bits per pixel, expected at most 8 (at byte 29)");
  EXPECT_EQ(error(png(60000, 60000, 8, 0, "")),
            "f: a picture of 60000 x 60000 pixels, expected 1 to 67108864 (at byte 29)");
  EXPECT_EQ(error(png(2, 1, 8, 0, raw_bytes({0, 1}))),
            "f: a damaged PNG file: its pixels cannot be unpacked");
  EXPECT_EQ(error(png(2, 1, 8, 0, raw_bytes({5, 1, 2}))), "f: a damaged PNG file: an unknown filter");
}

TEST(SampleFile, Idx) {
  const std::string good =
      std::string("\0\0\x08\x03", 4) + four_bytes(2) + four_bytes(1) + four_bytes(3) + "abcdef";
  const Samples samples = parse_samples(good, "f");
  EXPECT_EQ(samples.rows, 2u);
  EXPECT_EQ(samples.columns, 3u);
  EXPECT_EQ(samples.bytes, (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(input_error_of([&] { parse_samples(good + "x", "f"); }),
            "f: 7 bytes of numbers, expected those of 2 x 1 x 3 (at byte 16)");
  EXPECT_EQ(input_error_of([&] { parse_samples(std::string("\0\0\x0d\x01", 4) + four_bytes(0), "f"); }),
            "f: an idx file with numbers other than bytes (at byte 4)");
  EXPECT_THROW(parse_samples(std::string("\0\0\x08\x7f", 4), "f"), InputError);
  EXPECT_EQ(input_error_of([&] { parse_samples("hello", "f"); }),
            "f: neither .csv, .npy, .png nor an idx file");
}

// 0.7 as a double is below 7/10, and as a 32-bit float further below; both are read as 0.7.
TEST(SampleFile, FloatsOfArraysAreTheirDecimals) {
  const Samples floats =
      parse_samples(testing::npy_of("<f4", "(1, 2)", std::string("\x33\x33\x33\x3f\0\0\0\x40", 8)), "f");
  EXPECT_EQ(floats.numbers, (std::vector<double>{0.7, 2}));
  EXPECT_EQ(parse_samples(testing::npy_of_doubles("(1, 1)", {0.7}), "f").numbers, std::vector<double>{0.7});
}

CsvSamples csv(std::string_view text, const CsvColumns& columns) {
  return parse_csv_samples(text, "f", columns);
}

TEST(SampleFile, CsvColumnsByNameOrInOrder) {
  const CsvColumns columns{{"a", "b"}, {}, ""};
  EXPECT_EQ(csv("1,2\n3,4\n", columns).inputs.numbers, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(csv("b,other,a\n1,x,2\n3,y,4\n", columns).inputs.numbers, (std::vector<double>{2, 1, 4, 3}));
  EXPECT_EQ(csv("p,q\n1,-2.5e1\n", columns).inputs.numbers, (std::vector<double>{1, -25}));
  const CsvSamples labelled =
      csv("\xEF\xBB\xBFlabel,p,q\n\"a,b\",1,2\n\n7, 3 ,true\n", {{"a", "b"}, {}, "label"});
  EXPECT_EQ(labelled.inputs.numbers, (std::vector<double>{1, 2, 3, 1}));
  EXPECT_EQ(labelled.labels, (std::vector<std::string>{"a,b", "7"}));
  EXPECT_EQ(labelled.inputs.lines, (std::vector<std::size_t>{2, 4}));
  const CsvSamples outputs = csv("a,b,y'\n1,0,1\n0,0,0\n", {{"a", "b"}, {"y'"}, ""});
  EXPECT_EQ(outputs.expected, (std::vector<std::uint8_t>{1, 0}));
}

TEST(SampleFile, CsvErrors) {
  const auto error = [](std::string_view text, const CsvColumns& columns) {
    return input_error_of([&] { csv(text, columns); });
  };
  const CsvColumns columns{{"a", "b"}, {}, ""};
  EXPECT_EQ(error("", columns), "f: no samples, expected lines of numbers");
  EXPECT_EQ(error("a,b\n", columns), "f: no samples, expected lines of numbers");
  EXPECT_EQ(error("a,c\n1,2\n", columns), "f:1: no column 'b', which is an input of the network");
  EXPECT_EQ(error("p,q,r\n1,2,3\n", columns),
            "f:1: 3 columns, expected 2, one for each input of the network");
  EXPECT_EQ(error("a,b\n1,x\n", columns), "f:2: 'x' in column 2, expected a number");
  EXPECT_EQ(error("a,b\n1,nan\n", columns), "f:2: 'nan' in column 2, expected a number");
  EXPECT_EQ(error("a,b\n1\n", columns), "f:2: 1 value, expected 2 as in the first line");
  EXPECT_EQ(error("a,a\n1,2\n", columns), "f:1: duplicate column 'a'");
  EXPECT_EQ(error("a,b\n1,2\n", {{"a", "b"}, {}, "label"}), "f:1: no column 'label' for the label");
  EXPECT_EQ(error("1,2\n", {{"a", "b"}, {}, "label"}),
            "f:1: a label in column 'label', but there is no header");
  EXPECT_EQ(error("a,b,y'\n1,2,3\n", {{"a", "b"}, {"y'"}, ""}), "f:2: '3' in column 3, expected 0 or 1");
}

constexpr std::string_view pets =
    "bnn 2\nshape 2:2\ninputs\n  width\n  red\nnumbers\n  >= 0.5 from 0 to 1 step 1/255\n  bit\noutputs\n  "
    "cat\n  dog\n"
    "scores lowest\n  ++ * 1 + 0\n  -- * 1 + 1/3\nend\n";

TEST(Eval, ClassesScoresAndLabels) {
  const testing::TemporaryFolder folder;
  const Network network = parse_network(pets, "n");
  const auto file = folder.write("d.csv", "width,red,is\n0.5,1,cat\n0,0,dog\n0.25,1,cat\n");
  EvalOptions options;
  options.label_column = "is";
  options.scores = true;
  const Evaluation evaluation = evaluate_samples(network, {file}, options);
  EXPECT_EQ(evaluation.classes, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(evaluation.right, 2u);
  EXPECT_EQ(evaluation.ties, 0u);
  EXPECT_EQ(evaluation_csv(network, evaluation),
            "class,score[cat],score[dog]\ncat,2,-5/3\ndog,-2,7/3\ndog,0,1/3\n");
}

TEST(Eval, AScaleIsExact) {
  Network network = parse_network(pets, "n");
  network.numbers[0]->threshold = mpq_class(77, 255);
  network.numbers[1] = NumericInput{mpq_class(1, 2), 0, 1, 1};
  Samples samples{256, 2, {}, {}, {}};
  for (int i = 0; i < 256; ++i) samples.bytes.insert(samples.bytes.end(), {static_cast<std::uint8_t>(i), 0});
  EvalOptions options;
  options.scale = mpq_class(1, 255);
  options.scores = true;
  const Evaluation evaluation = evaluate_samples(network, samples, options);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(evaluation.agreeing[2 * i], i >= 77 ? 1 : 0) << i;
}

TEST(Eval, OutputBits) {
  const testing::TemporaryFolder folder;
  Random random(1);
  const Network network = testing::random_network(random, {{9, 7, 70}, false, false});
  std::string text;
  for (const std::string& name : network.inputs) text += name + ",";
  for (const std::string& name : network.outputs)
    text += name + (name == network.outputs.back() ? "\n" : ",");
  std::string expected = text.substr(text.find("out0'"));
  for (int i = 0; i < 600; ++i) {
    const BitValues bits = testing::random_bits(random, 9);
    for (const BitValue bit : bits) text += fmt::format("{},", int{bit});
    std::string row;
    for (const BitValue bit : evaluate_reference(network, bits))
      row += fmt::format("{}{}", row.empty() ? "" : ",", int{bit});
    expected += row + "\n";
    if (i == 5) row[0] = row[0] == '0' ? '1' : '0';
    text += row + "\n";
  }
  const Evaluation evaluation = evaluate_samples(network, {folder.write("d.csv", text)});
  EXPECT_EQ(evaluation_csv(network, evaluation), expected);
  EXPECT_EQ(evaluation.right, 599u);
  EXPECT_EQ(evaluation.output_errors[0], 1u);
  EXPECT_EQ(std::count(evaluation.output_errors.begin(), evaluation.output_errors.end(), 0u), 69);
}

TEST(Eval, PicturesAndFilesOfLabels) {
  const testing::TemporaryFolder folder;
  Network network = parse_network(pets, "n");
  for (auto& number : network.numbers) number = NumericInput{128, 0, 255, 1};
  const auto dark = folder.write("dark.png", png(2, 1, 8, 0, raw_bytes({0, 1, 2})));
  const auto light = folder.write("light.png", png(2, 1, 8, 0, raw_bytes({0, 200, 255})));
  const std::string idx = std::string("\0\0\x08\x01", 4) + four_bytes(2);
  EvalOptions options;
  options.labels = folder.write("labels-idx1", idx + raw_bytes({1, 1}));
  const Evaluation evaluation = evaluate_samples(network, {dark, light}, options);
  EXPECT_EQ(evaluation.classes, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(evaluation.right, 1u);
  options.labels = folder.write("labels.csv", "label\ndog\ncat\n");
  EXPECT_EQ(evaluate_samples(network, {dark, light}, options).right, 2u);
  const auto error = [&](const std::vector<std::filesystem::path>& files) {
    return input_error_of([&] { evaluate_samples(network, files, options); });
  };
  const auto wide = folder.write("wide.png", png(3, 1, 8, 0, raw_bytes({0, 1, 2, 3})));
  EXPECT_EQ(error({dark, wide}), wide + ": 3 pixels, but the previous pictures have 2");
  EXPECT_EQ(error({wide}), wide + ": 3 numbers per sample, expected 2, one for each input of the network");
  EXPECT_EQ(error({dark}), options.labels->string() + ": 3 labels, but 1 sample in " + dark);
  options.labels = folder.write("labels.csv", "cat\ncow\n");
  EXPECT_EQ(error({dark, light}), options.labels->string() + ":2: label 'cow' is not a class of the network");
}

TEST(Eval, Errors) {
  const testing::TemporaryFolder folder;
  const Network network = parse_network(pets, "n");
  const auto error = [&](std::string_view text, const EvalOptions& options) {
    const auto file = folder.write("d.csv", text);
    return input_error_of([&] { evaluate_samples(network, {file}, options); });
  };
  const std::string file = (folder / "d.csv").string();
  EXPECT_EQ(error("0,1\n2,1\n", {}), file + ":2: 2 for the input 'width', which is from 0 to 1");
  EXPECT_EQ(error("0,0.5\n", {}), file + ":1: 0.5 for the input 'red', which is 0 or 1");
  EvalOptions options;
  options.scale = -1;
  EXPECT_EQ(error("0,1\n", options), "the scale is not positive");
  options.scale.reset();
  options.label_column = "c";
  options.labels = "l";
  EXPECT_EQ(error("0,1\n", options), "both a label column and a file of labels are given, expected one");
  Network bits{{"a"}, {"y'"}, {{{{{1}, 1}}}}};
  options = {};
  options.scores = true;
  const auto one = folder.write("one.csv", "1\n");
  EXPECT_EQ(input_error_of([&] { evaluate_samples(bits, {one}, options); }),
            "scores are requested, but the network outputs bits");
  options.scores = false;
  options.scale = 2;
  EXPECT_EQ(input_error_of([&] { evaluate_samples(bits, {one}, options); }),
            "a scale is given, but the inputs of the network are bits");
}

}  // namespace
}  // namespace bnnplan::exchange
