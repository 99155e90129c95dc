#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/formats/wcnf.hpp"

namespace bnnplan::formats {

// The largest allowed variable number. A model has one value for every number up to the largest, used or not,
// so a file that mentions variable 2,000,000,000 would require gigabytes.
constexpr std::uint32_t largest_wcnf_variable = 1u << 27;

struct FormulaTooLarge : InputError {
  using InputError::InputError;
};

// Reads a formula in any of
//   the format of the MaxSAT Evaluation since 2022   a line each: "h 1 -2 0" hard, "5 3 0" soft, weight 5
//   classic WCNF with "p wcnf V C TOP"               hard iff weight >= TOP
//   classic WCNF with "p wcnf V C"                   all soft
//   plain CNF with "p cnf V C"                       all hard
// from a file, plain or compressed with gzip or xz, or from standard input if path is "-". DIMACS variable v
// is variable v - 1. Throws InputError with the line for everything that is not such a file: wrong header
// counts (fewer variables than announced are not an error), weights that are not integers, and soft weights
// that sum up to 2^64 - 1 or more. FormulaTooLarge is thrown for a valid file beyond our limits.
Wcnf read_wcnf(const std::filesystem::path& path);

// The same from text in memory; `name` stands for the file in errors.
Wcnf parse_wcnf(std::string_view text, std::string_view name);

}  // namespace bnnplan::formats
