#include "bnnplan/exchange/npy_file.hpp"

#include <cmath>

#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;
using testing::little;
using testing::npy_of;
using testing::zip_of;

using Numbers = std::vector<double>;

TEST(NpyFile, EveryKindOfNumber) {
  const auto values = [](std::string_view type, std::string_view data) {
    return parse_npy(npy_of(type, "(2,)", data), "a").tensor.values;
  };
  EXPECT_EQ(values("|i1", "\xff\x02"), (Numbers{-1, 2}));
  EXPECT_EQ(values("|u1", "\xff\x02"), (Numbers{255, 2}));
  EXPECT_EQ(values("|b1", std::string("\x01\x00", 2)), (Numbers{1, 0}));
  EXPECT_EQ(values("<i2", little(0xfffe, 2) + little(3, 2)), (Numbers{-2, 3}));
  EXPECT_EQ(values("<u2", little(0xfffe, 2) + little(3, 2)), (Numbers{65534, 3}));
  EXPECT_EQ(values("<i4", little(0xfffffffe, 4) + little(3, 4)), (Numbers{-2, 3}));
  EXPECT_EQ(values("<u4", little(0xfffffffe, 4) + little(3, 4)), (Numbers{4294967294.0, 3}));
  EXPECT_EQ(values("<i8", little(~std::uint64_t{1}, 8) + little(std::uint64_t{1} << 53, 8)),
            (Numbers{-2, 0x1p53}));
  EXPECT_EQ(values("<f2", little(0x3c00, 2) + little(0x8001, 2)), (Numbers{1, -0x1p-24}));
  EXPECT_EQ(values("<f4", little(0x3f800000, 4) + little(0x80000001, 4)), (Numbers{1, -0x1p-149}));
  EXPECT_EQ(values("<f8", little(0x3ff0000000000000, 8) + little(1, 8)), (Numbers{1, 0x1p-1074}));
  // The highest byte first.
  EXPECT_EQ(values(">i2", std::string("\x00\x01\xff\xff", 4)), (Numbers{1, -1}));
  EXPECT_EQ(values(">f4", std::string("\x3f\x80\x00\x00\xbf\x80\x00\x00", 8)), (Numbers{1, -1}));
  EXPECT_TRUE(std::isnan(values("<f2", little(0x7e00, 2) + little(0, 2))[0]));
  EXPECT_EQ(values("<f2", little(0xfc00, 2) + little(0, 2))[0], -HUGE_VAL);
}

TEST(NpyFile, ShapesAndOrders) {
  EXPECT_EQ(parse_npy(npy_of("|u1", "()", "\x07"), "a").tensor, (Tensor{{}, {7}}));
  EXPECT_EQ(parse_npy(npy_of("|u1", "(0, 5)", ""), "a").tensor, (Tensor{{0, 5}, {}}));
  EXPECT_EQ(parse_npy(npy_of("|u1", "(2, 3)", "\x01\x02\x03\x04\x05\x06"), "a").tensor,
            (Tensor{{2, 3}, {1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(parse_npy(npy_of("|u1", "(2, 3)", "\x01\x04\x02\x05\x03\x06", true), "a").tensor,
            (Tensor{{2, 3}, {1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(parse_npy(npy_of("|u1", "(2, 1, 2)", "\x01\x03\x02\x04", true), "a").tensor,
            (Tensor{{2, 1, 2}, {1, 2, 3, 4}}));
}

TEST(NpyFile, Text) {
  const NpyArray names = parse_npy(npy_of("<U2", "(3,)",
                                          little('a', 4) + little('b', 4) + little(0xe9, 4) + little(0, 4) +
                                              little(0x1f600, 4) + little(0, 4)),
                                   "a");
  EXPECT_TRUE(names.is_text);
  EXPECT_EQ(names.texts, (std::vector<std::string>{"ab", "é", "😀"}));
  EXPECT_EQ(parse_npy(npy_of("|S3", "(2,)", std::string("abcd\0\0", 6)), "a").texts,
            (std::vector<std::string>{"abc", "d"}));
  EXPECT_EQ(input_error_of([] { parse_npy(npy_of("<U1", "(1,)", little(0xd800, 4)), "a"); }),
            "a: invalid Unicode text");
}

TEST(NpyFile, WhatIsWrong) {
  const auto error = [](const std::string& bytes) {
    return input_error_of([&] { parse_npy(bytes, "a.npy"); });
  };
  EXPECT_EQ(error(""), "a.npy: not a NumPy array (.npy)");
  EXPECT_EQ(error("\x93NUMPY\x09\x00"), "a.npy: the file ends too early (at byte 7)");
  EXPECT_EQ(error(std::string("\x93NUMPY\x09\x00\x01", 9)), "a.npy: version 9 of .npy, expected 1, 2 or 3");
  EXPECT_EQ(error(npy_of("|O", "(1,)", "x")),
            "a.npy: an array of dtype '|O', expected numbers: f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1");
  EXPECT_EQ(error(npy_of("<f4", "(2,)", "1234")), "a.npy: an array of 2 with 4 bytes, expected 4 each");
  EXPECT_EQ(error(npy_of("<f4", "(100000, 100000)", "1234")),
            "a.npy: an array of 100000 x 100000 numbers, more than 134217728");
  EXPECT_EQ(error(npy_of("<f4", "(99999999999999999999,)", "1234")),
            "a.npy: the shape of an array is damaged or too large");
  EXPECT_EQ(error(npy_of("<i8", "(1,)", little((std::uint64_t{1} << 53) + 1, 8))),
            "a.npy: the 64-bit integer at position 0 is too large for a double");
  EXPECT_EQ(error(npy_of("<f4', 'x': 'y", "(1,)", "1234")),
            "a.npy: unknown key 'x' in the header of an array");
  const std::string start = "\x93NUMPY" + std::string("\x01\x00", 2);
  for (const auto& [header, message] : std::vector<std::pair<std::string, std::string>>{
           {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
            "an array of records, expected numbers"},
           {"{'descr': '<f4'}", "the header of an array lacks its descr, fortran_order or shape"},
           {"{'descr': '<f4", "the header of an array is damaged: unterminated text"},
           {"{'fortran_order': 1}", "the header of an array is damaged, expected True or False"},
           {"[", "the header of an array is damaged, expected '{'"},
           {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + x",
            "extra text after the header of an array"}})
    EXPECT_EQ(error(start + little(header.size(), 2) + header), "a.npy: " + message);
}

TEST(NpyFile, Archives) {
  const std::vector<NamedArray> arrays =
      parse_npz(zip_of({{"w.npy", npy_of("|i1", "(2,)", "\x01\xff")},
                        {"layer0/b.npy", npy_of("|i1", "()", "\x05"), true}}),
                "n.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "w");
  EXPECT_EQ(arrays[0].array.tensor.values, (Numbers{1, -1}));
  EXPECT_EQ(arrays[1].name, "layer0/b");
  EXPECT_EQ(input_error_of([] {
              parse_npz(zip_of({{"w.txt", "x"}}), "n.npz");
            }),
            "n.npz: 'w.txt' in the archive is not an .npy file");
  EXPECT_EQ(input_error_of([] {
              parse_npz(zip_of({{"w.npy", "x"}}), "n.npz");
            }),
            "n.npz: w: not a NumPy array (.npy)");
}

}  // namespace
}  // namespace bnnplan::exchange
