#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace bnnplan::suite {

// The contents of a file of clauses or pseudo-Boolean constraints, counted in the file as written.
struct FileFigures {
  std::int64_t variables = 0;                         // the largest number, or as many as the file announces
  std::int64_t used = 0;                              // variables that occur
  std::int64_t hard = 0;                              // hard clauses, or constraints
  std::int64_t soft = 0;                              // soft clauses, or terms of the objective
  std::int64_t weight_sum = 0, distinct_weights = 0;  // of the magnitudes of what is minimised
  std::int64_t shortest = 0, longest = 0, literals = 0;  // of hard clauses or constraints: fewest, most, all
  std::int64_t clauses = 0, cardinalities = 0, equations = 0, weighted = 0;  // constraints by kind
};

// For a format of model_formats(), also packed; all zeros for a format without a reader here (LP, MPS,
// MiniZinc).
FileFigures figures_of(const std::filesystem::path& file, std::string_view format);

}  // namespace bnnplan::suite
