#pragma once

#include <cstddef>
#include <cstdint>

namespace bnnplan {

// Bits as other programs have them in arrays, a byte each, row by row, and as packed inference takes them: words_of(columns)
// words a row.

// Returns the place of the first byte that is neither 0 nor 1, or rows * columns if there is none.
std::size_t pack_rows(const std::uint8_t* bytes, std::size_t rows, std::size_t columns, std::uint64_t* words);

void unpack_rows(const std::uint64_t* words, std::size_t rows, std::size_t columns, std::uint8_t* bytes);

}  // namespace bnnplan
