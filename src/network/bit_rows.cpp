// Eight bytes at a time. The bytes b0 .. b7 of a word x, each 0 or 1, become bits 0 .. 7 by one
// multiplication: byte i, at bit 8 i, meets bit 56 - 7 i of the factor at bit 56 + i, and nothing else lands
// there. For the way back, the eight bits are copied into every byte, byte i keeps bit i, and nonzero becomes
// 1. About a nanosecond per eight bits, where a layer of neurons takes tens.
#include "bnnplan/network/bit_rows.hpp"

#include <bit>
#include <cstring>

namespace bnnplan {

namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::uint64_t ones = 0x0101010101010101u;

std::uint64_t load_bytes(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

std::uint64_t spread_bits(std::uint64_t eight) {
  const std::uint64_t own = (eight * ones) & 0x8040201008040201u;
  return ((own + 0x7f7f7f7f7f7f7f7fu) >> 7) & ones;
}

}  // namespace

std::size_t pack_rows(const std::uint8_t* bytes, std::size_t rows, std::size_t columns,
                      std::uint64_t* words) {
  const std::size_t per_row = (columns + 63) / 64;
  std::uint64_t all = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t* from = bytes + row * columns;
    std::uint64_t* to = words + row * per_row;
    for (std::size_t word = 0; word < per_row; ++word) {
      std::uint64_t bits = 0;
      const std::size_t end = columns - word * 64 < 64 ? columns - word * 64 : 64;
      std::size_t i = 0;
      for (; i + 8 <= end; i += 8) {
        const std::uint64_t eight = load_bytes(from + word * 64 + i, 8);
        all |= eight;
        bits |= ((eight * 0x0102040810204080u) >> 56) << i;
      }
      if (i < end) {
        const std::uint64_t rest = load_bytes(from + word * 64 + i, end - i);
        all |= rest;
        bits |= ((rest * 0x0102040810204080u) >> 56) << i;
      }
      to[word] = bits;
    }
  }
  const std::size_t count = rows * columns;
  if ((all & ~ones) == 0) return count;
  std::size_t place = 0;
  while (place < count && bytes[place] <= 1) ++place;
  return place;
}

void unpack_rows(const std::uint64_t* words, std::size_t rows, std::size_t columns, std::uint8_t* bytes) {
  const std::size_t per_row = (columns + 63) / 64;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t* from = words + row * per_row;
    std::uint8_t* to = bytes + row * columns;
    std::size_t i = 0;
    for (; i + 8 <= columns; i += 8) {
      const std::uint64_t eight = spread_bits((from[i / 64] >> (i % 64)) & 0xff);
      std::memcpy(to + i, &eight, 8);
    }
    if (i < columns) {
      const std::uint64_t rest = spread_bits((from[i / 64] >> (i % 64)) & 0xff);
      std::memcpy(to + i, &rest, columns - i);
    }
  }
}

// Swaps the two off-diagonal quarters of ever smaller squares.
void transpose(BitSquare& square) {
  std::uint64_t mask = 0x00000000ffffffff;
  for (unsigned half = 32; half > 0; half /= 2, mask ^= mask << half) {
    for (unsigned row = 0; row < 64; row += 2 * half) {
      for (unsigned i = row; i < row + half; ++i) {
        const std::uint64_t moved = (square[i] >> half ^ square[i + half]) & mask;
        square[i] ^= moved << half;
        square[i + half] ^= moved;
      }
    }
  }
}

}  // namespace bnnplan
