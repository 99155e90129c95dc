// Inputs from files: pictures, arrays, text, and what is refused.
#include "bnnplan/query/input_values.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/exact_number.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

// A picture of 3 x 1 pixels, 7, 51 and 255.
const std::string three_pixels =
    std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x01\x08\0\0\0\0", 29) +
    std::string(
        "\076\213\113\150\000\000\000\014\111\104\101\124\170\234\143\140\067\376\017\000\001\176\001\072"
        "\256\237\057\270\000\000\000\000\111\105\116\104\256\102\140\202",
        40);

std::string array_file(const std::string& kind, const std::string& content) {
  const std::string header = "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (3,), }";
  const std::string padded = header + std::string(117 - header.size(), ' ') + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(padded.size()) + '\0' + padded + content;
}

TEST(InputValues, Transposed) {
  const exchange::GreyImage image = transposed({3, 2, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(image.width, 2u);
  EXPECT_EQ(image.height, 3u);
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{1, 4, 2, 5, 3, 6}));
}

TEST(InputValues, FromPicturesTextAndArrays) {
  const TemporaryFolder folder;
  Network network;
  network.inputs = {"a", "b", "c"};
  network.numbers = {NumericInput{1, 0, 255, 1}, NumericInput{0, 0, 1, mpq_class("1/255")}, std::nullopt};
  const std::string picture = folder.write("p.png", three_pixels);
  EXPECT_EQ(read_input_values(picture, network), (std::vector<mpq_class>{7, mpq_class("1/5"), 1}));
  EXPECT_EQ(read_input_values(picture, network, true).size(), 3u);
  const std::string text = folder.write("t.csv", "7, 0.2;\n\n 1/3\n");
  EXPECT_EQ(read_input_values(text, network),
            (std::vector<mpq_class>{7, mpq_class("1/5"), mpq_class("1/3")}));
  EXPECT_EQ(read_input_values(folder.write("n.npy", array_file("|u1", "\x07\x01\x02")), network),
            (std::vector<mpq_class>{7, 1, 2}));
  // Floats are what NumPy prints: 19.54, -0.1 and a fifth are not binary fractions.
  const double doubles[] = {19.54, -1e-300, 0.2};
  const float floats[] = {19.54F, -0.1F, 3e38F};
  const auto bytes = [](const auto& numbers) {
    return std::string(reinterpret_cast<const char*>(numbers), sizeof numbers);
  };
  EXPECT_EQ(read_input_values(folder.write("d.npy", array_file("<f8", bytes(doubles))), network),
            (std::vector<mpq_class>{mpq_class("977/50"), *parse_exact("-1e-300"), mpq_class("1/5")}));
  EXPECT_EQ(read_input_values(folder.write("f.npy", array_file("<f4", bytes(floats))), network),
            (std::vector<mpq_class>{mpq_class("977/50"), mpq_class("-1/10"), *parse_exact("3e38")}));
  const std::int64_t integers[] = {std::int64_t{1} << 60, -7, 0};
  EXPECT_EQ(read_input_values(folder.write("i.npy", array_file("<i8", bytes(integers))), network)[0],
            mpq_class(mpz_class(1) << 60));
}

TEST(InputValues, Refusals) {
  const TemporaryFolder folder;
  const Network network;
  const auto refusal = [&](const std::string& name, const std::string& content, bool transpose = false) {
    const std::string file = folder.write(name, content);
    const std::string message = input_error_of([&] { read_input_values(file, network, transpose); });
    EXPECT_TRUE(message.starts_with(file)) << message;
    return message.substr(std::min(file.size(), message.size()));
  };
  EXPECT_EQ(refusal("u.csv", "1,2\n3,x"), ":2: 'x' is not a number");
  EXPECT_EQ(refusal("u.csv", "1,2", true), ": only a picture (.png) can be transposed");
  EXPECT_EQ(refusal("s.npy", array_file("|S1", "abc")), ": the array is text, expected numbers");
  EXPECT_EQ(refusal("f.npy", array_file("<f4", std::string("\0\0\x80\x7f\0\0\0\0\0\0\0\0", 12))),
            ": the array has a value that is not finite");
}

}  // namespace
}  // namespace bnnplan::verification
