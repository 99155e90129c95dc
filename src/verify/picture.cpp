// Pictures of inputs. On a terminal a character is two pixels, one above the other: a half block with two
// colours, or, without colours, a letter for their brightness.
#include "bnnplan/verify/picture.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/binary_file.hpp"
#include "bnnplan/base/markup.hpp"

namespace bnnplan::verification {

namespace {

constexpr std::size_t gap = 2;  // between panels, in pixels of the network
constexpr std::size_t widest_picture = 1600;

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

std::uint8_t grey_of(const Network& network, std::size_t input, const mpq_class& value) {
  mpq_class low = 0, high = 1;
  if (has_numbers(network) && network.numbers[input]) {
    low = network.numbers[input]->low;
    high = network.numbers[input]->high;
  }
  if (high == low) return 0;
  const double share = mpq_class((value - low) / (high - low)).get_d();
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

template <class ColourOf>
exchange::ColourImage draw(const PictureShape& shape, const ColourOf& colour_of) {
  exchange::ColourImage image{shape.width, shape.height, {}};
  for (std::size_t y = 0; y < shape.height; ++y) {
    for (std::size_t x = 0; x < shape.width; ++x) {
      const Colour colour = colour_of(shape.transposed ? x * shape.height + y : y * shape.width + x);
      image.pixels.insert(image.pixels.end(), {colour.red, colour.green, colour.blue});
    }
  }
  return image;
}

Panel plain_panel(const char* title, const Network& network, const PictureShape& shape,
                  const std::vector<mpq_class>& values) {
  return {title, draw(shape, [&](std::size_t i) {
            const std::uint8_t grey = grey_of(network, i, values[i]);
            return Colour{grey, grey, grey};
          })};
}

Colour pixel(const exchange::ColourImage& image, std::size_t x, std::size_t y) {
  if (y >= image.height) return {};
  const std::uint8_t* at = image.pixels.data() + 3 * (y * image.width + x);
  return {at[0], at[1], at[2]};
}

// Without colours: the brightness, but + and - for red and blue.
char letter_of(const Colour& colour) {
  constexpr std::string_view ramp = " .:-=*%@";
  if (colour.red > colour.green + 100) return '+';
  if (colour.blue > colour.green + 100) return '-';
  return ramp[static_cast<std::size_t>(colour.green) * ramp.size() / 256];
}

std::string letters(const Colour& upper, const Colour& lower, const TextStyle& style) {
  if (style.colour && style.unicode)
    return fmt::format("\033[38;2;{};{};{}m\033[48;2;{};{};{}m\u2580", upper.red, upper.green, upper.blue,
                       lower.red, lower.green, lower.blue);
  const char one = letter_of(upper), other = letter_of(lower);
  if (one == '+' || one == '-') return std::string(1, one);
  if (other == '+' || other == '-') return std::string(1, other);
  const auto middle = static_cast<std::uint8_t>((upper.green + lower.green) / 2);
  return std::string(1, letter_of({middle, middle, middle}));
}

std::string rows_text(const std::vector<Panel>& panels, const TextStyle& style) {
  std::string text;
  for (const Panel& panel : panels)
    text += fmt::format("{:<{}}", panel.title.substr(0, panel.image.width), panel.image.width + gap);
  while (text.ends_with(' ')) text.pop_back();
  text += '\n';
  const std::size_t height = panels.front().image.height;
  for (std::size_t y = 0; y < height; y += 2) {
    std::string line;
    for (const Panel& panel : panels) {
      if (!line.empty()) line += std::string(gap, ' ');
      for (std::size_t x = 0; x < panel.image.width; ++x)
        line += letters(pixel(panel.image, x, y), pixel(panel.image, x, y + 1), style);
      if (style.colour && style.unicode) line += "\033[0m";
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  return text;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (j < count ? static_cast<std::uint8_t>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? letters[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace

std::optional<PictureShape> picture_shape(const std::filesystem::path& file, const Network& network,
                                          bool transposed) {
  PictureShape shape;
  shape.transposed = transposed;
  if (file.extension() == ".png") {
    const exchange::GreyImage image = exchange::parse_png(read_binary_file(file), file.string());
    shape.width = image.width;
    shape.height = image.height;
  } else {
    shape.width = shape.height =
        static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(network.inputs.size()))));
  }
  if (shape.width * shape.height != network.inputs.size()) return std::nullopt;
  return shape;
}

std::vector<Panel> change_panels(const Network& network, const PictureShape& shape,
                                 const std::vector<mpq_class>& values,
                                 const std::vector<mpq_class>& changed) {
  std::vector<Panel> panels{plain_panel("original", network, shape, values)};
  if (changed.empty()) return panels;
  panels.push_back(plain_panel("changed", network, shape, changed));
  panels.push_back({"difference", draw(shape, [&](std::size_t i) {
                      if (changed[i] > values[i]) return Colour{255, 60, 40};
                      if (changed[i] < values[i]) return Colour{60, 90, 255};
                      const auto grey = static_cast<std::uint8_t>(grey_of(network, i, values[i]) / 4);
                      return Colour{grey, grey, grey};
                    })});
  return panels;
}

std::vector<Panel> explanation_panels(const Network& network, const PictureShape& shape,
                                      const std::vector<mpq_class>& values,
                                      const std::vector<std::uint32_t>& inputs) {
  std::vector<bool> kept(values.size());
  for (const std::uint32_t input : inputs) kept[input] = true;
  return {plain_panel("original", network, shape, values),
          {"explanation", draw(shape, [&](std::size_t i) {
             const std::uint8_t grey = grey_of(network, i, values[i]);
             if (kept[i]) return grey >= 128 ? Colour{255, 200, 40} : Colour{30, 60, 160};
             const auto dark = static_cast<std::uint8_t>(grey / 4);
             return Colour{dark, dark, dark};
           })}};
}

exchange::ColourImage beside_each_other(const std::vector<Panel>& panels) {
  std::size_t width = gap * (panels.size() - 1), height = 0;
  for (const Panel& panel : panels) {
    width += panel.image.width;
    height = std::max(height, panel.image.height);
  }
  const std::size_t scale = std::clamp<std::size_t>(widest_picture / width, 1, 8);
  exchange::ColourImage image{width * scale, height * scale,
                              std::vector<std::uint8_t>(width * height * scale * scale * 3, 255)};
  std::size_t left = 0;
  for (const Panel& panel : panels) {
    for (std::size_t y = 0; y < panel.image.height * scale; ++y) {
      for (std::size_t x = 0; x < panel.image.width * scale; ++x) {
        const Colour colour = pixel(panel.image, x / scale, y / scale);
        std::uint8_t* to = image.pixels.data() + 3 * (y * image.width + left * scale + x);
        to[0] = colour.red, to[1] = colour.green, to[2] = colour.blue;
      }
    }
    left += panel.image.width + gap;
  }
  return image;
}

std::string panels_text(const std::vector<Panel>& panels, const TextStyle& style) {
  std::size_t width = gap * (panels.size() - 1);
  for (const Panel& panel : panels) width += panel.image.width;
  if (width <= style.width) return rows_text(panels, style);
  std::string text;
  for (const Panel& panel : panels) text += rows_text({panel}, style);
  return text;
}

std::string picture_page(const std::string& title, const std::vector<Panel>& panels,
                         const std::string& answer, const Network& network,
                         const std::vector<mpq_class>& scores, const std::vector<mpq_class>& changed_scores) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 "
      "1rem;color:#222}}"
      "figure{{display:inline-block;margin:0 1rem 1rem "
      "0}}img{{width:16rem;image-rendering:pixelated;border:1px solid #888}}"
      "figcaption{{text-align:center}}table{{border-collapse:collapse}}td,th{{padding:.2rem "
      ".8rem;text-align:right}}"
      "th:first-child,td:first-child{{text-align:left}}tr:nth-child(even){{background:#f3f3f3}}"
      "pre{{background:#f7f7f7;padding:1rem;overflow:auto}}</style></head>\n<body><h1>{0}</h1>\n",
      markup_escaped(title));
  for (const Panel& panel : panels)
    page += fmt::format(
        "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
        markup_escaped(panel.title), base64(exchange::png_bytes(panel.image)));
  if (!scores.empty()) {
    page += fmt::format("<table><tr><th>class</th><th>score</th>{}</tr>\n",
                        changed_scores.empty() ? "" : "<th>changed</th>");
    for (std::size_t c = 0; c < scores.size(); ++c) {
      page += fmt::format("<tr><td>{}</td><td>{:.3f}</td>", markup_escaped(network.outputs[c]),
                          scores[c].get_d());
      if (!changed_scores.empty()) page += fmt::format("<td>{:.3f}</td>", changed_scores[c].get_d());
      page += "</tr>\n";
    }
    page += "</table>\n";
  }
  return page + fmt::format("<pre>{}</pre>\n</body></html>\n", markup_escaped(answer));
}

}  // namespace bnnplan::verification
