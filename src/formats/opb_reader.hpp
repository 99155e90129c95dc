#pragma once

#include <string>
#include <string_view>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/model/pb_formula.hpp"

namespace bnnplan::formats {

// A valid file with features that are not supported here: products of variables, soft constraints, numbers
// beyond 64 bits.
struct UnsupportedFormula : InputError {
  using InputError::InputError;
};

// OPB as in the Pseudo-Boolean Competition, for solvers; the checker has a reader of its own. Throws
// InputError.
model::PbFormula parse_opb(std::string_view text, const std::string& name);

}  // namespace bnnplan::formats
