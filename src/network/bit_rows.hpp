#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bnnplan {

// Converts between bits as other programs keep them in arrays, one byte each, row by row, and the packed bits
// that inference takes: words_of(columns) words per row.

// Returns the position of the first byte that is neither 0 nor 1, or rows * columns if there is none.
std::size_t pack_rows(const std::uint8_t* bytes, std::size_t rows, std::size_t columns, std::uint64_t* words);

void unpack_rows(const std::uint64_t* words, std::size_t rows, std::size_t columns, std::uint8_t* bytes);

// Bit j of word i and bit i of word j are exchanged.
using BitSquare = std::array<std::uint64_t, 64>;
void transpose(BitSquare& square);

}  // namespace bnnplan
