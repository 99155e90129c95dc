#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::exchange {

struct GreyImage {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // row by row, 0 black to 255 white
};

// A greyscale picture of 1, 2, 4 or 8 bits per pixel, not interlaced, of at most 2^26 pixels. Throws
// InputError, with `name`, for all others.
GreyImage parse_png(std::string_view bytes, const std::string& name);

// A colour picture, and its PNG file.
struct ColourImage {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // row by row, red, green and blue of each
};
std::string png_bytes(const ColourImage& image);

}  // namespace bnnplan::exchange
