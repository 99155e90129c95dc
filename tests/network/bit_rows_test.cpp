// Bits a byte each, packed and back, against the loop that says what is meant.
#include "bnnplan/network/bit_rows.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"

namespace bnnplan {
namespace {

TEST(BitRows, PackAsTheyAreDefined) {
  Random random(3);
  for (const std::size_t columns : {1u, 2u, 7u, 8u, 9u, 31u, 63u, 64u, 65u, 71u, 128u, 200u}) {
    for (const std::size_t rows : {0u, 1u, 3u}) {
      std::vector<std::uint8_t> bytes(rows * columns);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.below(2));
      const std::size_t words = (columns + 63) / 64;
      std::vector<std::uint64_t> packed(rows * words, ~std::uint64_t{0}), expected(rows * words);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t row = i / columns, column = i % columns;
        expected[row * words + column / 64] |= std::uint64_t{bytes[i]} << (column % 64);
      }
      EXPECT_EQ(pack_rows(bytes.data(), rows, columns, packed.data()), bytes.size());
      EXPECT_EQ(packed, expected);
      std::vector<std::uint8_t> back(bytes.size(), 7);
      unpack_rows(packed.data(), rows, columns, back.data());
      EXPECT_EQ(back, bytes);
      for (int tries = 0; tries < 5 && !bytes.empty(); ++tries) {
        const std::size_t place = random.below(bytes.size());
        auto broken = bytes;
        broken[place] = static_cast<std::uint8_t>(2 + random.below(254));
        EXPECT_EQ(pack_rows(broken.data(), rows, columns, packed.data()), place);
      }
    }
  }
}

TEST(BitRows, TransposeChangesRowsAndColumns) {
  Random random(4);
  BitSquare square;
  for (std::uint64_t& row : square) row = random.next();
  const BitSquare before = square;
  transpose(square);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) ASSERT_EQ(square[i] >> j & 1, before[j] >> i & 1);
  }
}

}  // namespace
}  // namespace bnnplan
