#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/status.hpp"

namespace bnnplan::formats {

// The output of a solver, as far as it was understood.
struct SolverAnswer {
  Status status = Status::unknown;
  bool has_values = false;
  // Values of the first `variables` variables. One that is not mentioned is 0 if only true ones are listed,
  // and unknown_bit if false ones are listed as well: then the solver left it out.
  BitValues values;
  std::optional<std::int64_t> value;  // the claimed objective value: that of the last o line
};

// Reads the answer of a solver to a file of ours with this many model variables:
//   MaxSAT and SAT     s, o and v lines; v as literals (-1 2 -3), as a 0/1 string (0110) or a list (0 1 1 0)
//   pseudo-Boolean     the same with v x1 -x2
//   CBC, HiGHS, SCIP   their solution files
//   MiniZinc           its output
// Banners, logs, comments and runsolver's time stamps are skipped. Throws InputError at file:line for text
// that is not one of these, for contradictory statuses, for a v line that is truncated or out of range, and
// if values come with a last o line that is not a 64-bit number.
SolverAnswer parse_solver_answer(std::string_view text, std::string_view file_name, std::uint32_t variables);

// The objective value of one line, if it is an o line: to follow a running solver.
std::optional<std::int64_t> claimed_value(std::string_view line);

}  // namespace bnnplan::formats
