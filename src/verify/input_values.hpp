#pragma once

#include <filesystem>
#include <vector>

#include <gmpxx.h>

#include "exchange/png_file.hpp"
#include "network/network.hpp"

namespace bnnplan {

// With columns for rows: what a network takes that reads pictures column by column.
GreyImage transposed(const GreyImage& image);

// The numbers of one input of a network, from a picture (.png: black is the least number of its input, white the
// largest), a NumPy array (.npy: floats are the shortest decimals that are read as these), or text with numbers between
// commas, blanks and line ends. Whether the network allows them is not looked at. Throws InputError.
std::vector<mpq_class> read_input_values(const std::filesystem::path& path, const Network& network,
                                         bool transpose_picture = false);

// The same, and the network takes them: otherwise throws InputError with the name of the file.
std::vector<mpq_class> read_allowed_values(const std::filesystem::path& path, const Network& network,
                                           bool transpose_picture = false);

}  // namespace bnnplan
