#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/encode/lower.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// A format in which a model can be written; the values of the option --to.
struct ModelFormat {
  std::string_view name;
  void (*write)(const model::ZeroOneModel& model, const encoding::LoweringOptions& options, OutputFile& file);
  bool clauses;                // lowered to clauses, and so simplified first unless requested otherwise
  bool objective;              // states what to minimise
  std::string_view extension;  // of its files, as solvers expect it
};

// The one table of formats.
std::span<const ModelFormat> model_formats();
const ModelFormat* find_model_format(std::string_view name);  // nullptr if there is none

// The model's cost is (value + offset) / 10^decimals, where value is what a file of this format minimises.
std::int64_t objective_offset(const ModelFormat& format, const model::ZeroOneModel& model);

}  // namespace bnnplan::formats
