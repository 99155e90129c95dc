// Greyscale pictures in PNG files: chunks with checksums, whose data is one zlib stream of rows; the byte
// before each row selects one of five filters, by which its bytes are differences to those on the left and
// above. The numbers are those of the file: no gamma, no conversion of colours to grey, as a network was not
// trained on those.
#include "bnnplan/exchange/png_file.hpp"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <zlib.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/byte_reader.hpp"

namespace bnnplan::exchange {

namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t pixel_limit = std::size_t{1} << 26;

struct PngData {
  std::size_t width = 0, height = 0;
  unsigned depth = 0;
  std::string packed;
};

void read_header(ByteReader& reader, PngData& png) {
  png.width = reader.big_endian_number(4);
  png.height = reader.big_endian_number(4);
  png.depth = static_cast<unsigned>(reader.number(1));
  const std::uint64_t colour = reader.number(1), packing = reader.number(1), filters = reader.number(1),
                      interlaced = reader.number(1);
  if (png.width == 0 || png.height == 0 || png.width > pixel_limit || png.height > pixel_limit / png.width)
    reader.fail(
        fmt::format("a picture of {} x {} pixels, expected 1 to {}", png.width, png.height, pixel_limit));
  if (colour != 0) reader.fail("a picture in colours or with transparency, expected shades of grey");
  if (png.depth != 1 && png.depth != 2 && png.depth != 4 && png.depth != 8)
    reader.fail(fmt::format("{} bits per pixel, expected at most 8", png.depth));
  if (packing != 0 || filters != 0) reader.fail("a PNG file of an unknown kind");
  if (interlaced != 0) reader.fail("an interlaced picture, expected one row by row");
}

PngData read_chunks(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name);
  if (!bytes.starts_with(png_signature)) throw InputError(name, "not a PNG file");
  reader.take(png_signature.size());
  PngData png;
  for (bool first = true;; first = false) {
    const std::uint64_t size = reader.big_endian_number(4);
    const std::size_t start = reader.at() + 4;
    const std::string_view named = reader.take(4 + size);
    const std::string_view kind = named.substr(0, 4);
    const uLong checksum = crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), named.size());
    if (reader.big_endian_number(4) != checksum) reader.fail("a damaged PNG file: a checksum is wrong");
    if (first != (kind == "IHDR") || (first && size != 13))
      reader.fail("a damaged PNG file: it does not begin with its header");
    if (first) {
      ByteReader header(bytes, name, start);
      read_header(header, png);
    }
    if (kind == "IDAT") png.packed += named.substr(4);
    if (kind == "IEND") return png;
  }
}

std::string unpacked(const PngData& png, std::size_t size, const std::string& name) {
  std::string rows(size, '\0');
  uLongf length = size;
  const int result = uncompress(reinterpret_cast<Bytef*>(rows.data()), &length,
                                reinterpret_cast<const Bytef*>(png.packed.data()), png.packed.size());
  if (result != Z_OK || length != size)
    throw InputError(name, "a damaged PNG file: its pixels cannot be unpacked");
  return rows;
}

int paeth(int left, int above, int above_left) {
  const int estimate = left + above - above_left;
  const int to_left = std::abs(estimate - left), to_above = std::abs(estimate - above),
            to_above_left = std::abs(estimate - above_left);
  if (to_left <= to_above && to_left <= to_above_left) return left;
  return to_above <= to_above_left ? above : above_left;
}

// Undoes a filter. With at most a byte per pixel, the pixel on the left is the byte on the left.
void undo_filter(unsigned filter, std::uint8_t* row, const std::uint8_t* above, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const int left = i > 0 ? row[i - 1] : 0, up = above != nullptr ? above[i] : 0,
              up_left = i > 0 && above != nullptr ? above[i - 1] : 0;
    const std::array<int, 5> estimate = {0, left, up, (left + up) / 2, paeth(left, up, up_left)};
    row[i] = static_cast<std::uint8_t>(row[i] + estimate[filter]);
  }
}

}  // namespace

GreyImage parse_png(std::string_view bytes, const std::string& name) {
  const PngData png = read_chunks(bytes, name);
  const std::size_t row_size = (png.width * png.depth + 7) / 8;
  std::string rows = unpacked(png, png.height * (row_size + 1), name);
  GreyImage image{png.width, png.height, {}};
  image.pixels.reserve(png.width * png.height);
  const std::uint8_t* above = nullptr;
  for (std::size_t y = 0; y < png.height; ++y) {
    auto* row = reinterpret_cast<std::uint8_t*>(rows.data()) + y * (row_size + 1);
    const unsigned filter = *row++;
    if (filter > 4) throw InputError(name, "a damaged PNG file: an unknown filter");
    undo_filter(filter, row, above, row_size);
    above = row;
    const unsigned most = (1U << png.depth) - 1;
    for (std::size_t x = 0; x < png.width; ++x) {
      const std::size_t bit = x * png.depth;
      const unsigned value = row[bit / 8] >> (8 - png.depth - bit % 8) & most;
      image.pixels.push_back(static_cast<std::uint8_t>(value * (255 / most)));
    }
  }
  return image;
}

std::string png_bytes(const ColourImage& image) {
  const auto big_endian = [](std::size_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
  };
  std::string file(png_signature);
  const auto add_chunk = [&](std::string_view kind, const std::string& data) {
    const std::string named = std::string(kind) + data;
    file += big_endian(data.size()) + named +
            big_endian(crc32_z(0, reinterpret_cast<const Bytef*>(named.data()), named.size()));
  };
  // 8 bits per channel, colours without transparency, no filters, not interlaced
  add_chunk("IHDR", big_endian(image.width) + big_endian(image.height) + std::string("\x08\x02\0\0\0", 5));
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<const char*>(image.pixels.data()) + y * image.width * 3, image.width * 3);
  }
  uLongf size = compressBound(rows.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
            rows.size(), Z_BEST_COMPRESSION);
  packed.resize(size);
  add_chunk("IDAT", packed);
  add_chunk("IEND", "");
  return file;
}

}  // namespace bnnplan::exchange
