#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/input_error.hpp"
#include "formats/wcnf.hpp"

namespace bnnplan {

// The largest number a variable may have. A model has one value for every number up to the largest, used or
// not, so a file that names variable 2,000,000,000 would be a file that asks for gigabytes.
constexpr std::uint32_t largest_wcnf_variable = 1u << 27;

struct FormulaTooLarge : InputError {
  using InputError::InputError;
};

// Reads a formula in any of
//   the format of the MaxSAT Evaluation since 2022   a clause a line: "h 1 -2 0" hard, "5 3 0" soft, weight 5
//   classic WCNF with "p wcnf V C TOP"               hard iff weight >= TOP
//   classic WCNF with "p wcnf V C"                   all soft
//   plain CNF with "p cnf V C"                       all hard
// from a file, plain, gzipped or packed by xz, or from standard input if path is "-". DIMACS variable v is
// variable v - 1. Throws InputError naming the line for everything that is not such a file: header counts
// that are not kept (fewer variables than announced are no error), weights that are no whole numbers, and
// soft weights that sum up to 2^64 - 1 or more. A FormulaTooLarge is the InputError of what is right and more
// than we take.
Wcnf read_wcnf(const std::filesystem::path& path);

// The same from text in memory; `name` stands for the file in errors.
Wcnf parse_wcnf(std::string_view text, std::string_view name);

}  // namespace bnnplan
