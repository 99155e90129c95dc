#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/text_style.hpp"
#include "bnnplan/exchange/png_file.hpp"
#include "bnnplan/verify/explain.hpp"
#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

// How the inputs of a network are pixels: row by row, or, transposed, column by column.
struct PictureShape {
  std::size_t width = 0, height = 0;
  bool transposed = false;
};

// The shape of a picture file (.png); for other files a square, if the number of inputs is a square.
std::optional<PictureShape> picture_shape(const std::filesystem::path& file, const Network& network,
                                          bool transposed);

// A picture with its title.
struct Panel {
  std::string title;
  exchange::ColourImage image;
};

// The given input, the changed input, and the difference: red where a number grew, blue where it fell.
// Without a changed input, only the first.
std::vector<Panel> change_panels(const Network& network, const PictureShape& shape,
                                 const std::vector<mpq_class>& values, const std::vector<mpq_class>& changed);

// The given input, and the inputs that fix its class, in yellow where they are bright and in blue where they
// are dark.
std::vector<Panel> explanation_panels(const Network& network, const PictureShape& shape,
                                      const std::vector<mpq_class>& values,
                                      const std::vector<std::uint32_t>& inputs);

// Side by side: as one enlarged picture; and on a terminal, in colours or in characters, one below the other
// if they do not fit.
exchange::ColourImage beside_each_other(const std::vector<Panel>& panels);
std::string panels_text(const std::vector<Panel>& panels, const TextStyle& style);

// A self-contained HTML page: the panels and an answer as text, with a table of all scores if there are any.
std::string picture_page(const std::string& title, const std::vector<Panel>& panels,
                         const std::string& answer, const Network& network,
                         const std::vector<mpq_class>& scores, const std::vector<mpq_class>& changed_scores);

}  // namespace bnnplan::verification
