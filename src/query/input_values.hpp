#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/exchange/png_file.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::verification {

// Rows and columns exchanged: for networks that read pictures column by column.
exchange::GreyImage transposed(const exchange::GreyImage& image);

// What is wrong with the numbers of an input; empty if the network allows them.
std::string refusal_of(const Network& network, std::span<const mpq_class> values);

// The numbers of one input of a network, from a picture (.png: black is the least number of its input, white
// the largest), a NumPy array (.npy: a float stands for the shortest decimal that reads as it), or text with
// numbers separated by commas, blanks and line ends. Does not check whether the network allows them. Throws
// InputError.
std::vector<mpq_class> read_input_values(const std::filesystem::path& path, const Network& network,
                                         bool transpose_picture = false);

// The same, but throws InputError with the name of the file if the network does not allow them.
std::vector<mpq_class> read_allowed_values(const std::filesystem::path& path, const Network& network,
                                           bool transpose_picture = false);

}  // namespace bnnplan::verification
