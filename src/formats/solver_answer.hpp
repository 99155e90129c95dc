#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bit_value.hpp"

namespace bnnplan {

enum class AnswerStatus { optimal, satisfiable, unsatisfiable, unknown };

// What a solver printed, as far as it was understood.
struct SolverAnswer {
  AnswerStatus status = AnswerStatus::unknown;
  bool has_values = false;
  // Of the first `variables` variables. One that is not mentioned is 0 where only true ones are listed, and
  // unknown_bit where false ones are as well: then the solver has left it out.
  BitValues values;
  std::optional<std::int64_t> value;  // the objective value it claims: that of its last o line
};

// Reads the answer of a solver to a file of ours with this many model variables:
//   MaxSAT and SAT     s, o and v lines; v as literals (-1 2 -3), as a 0/1 string (0110) or a list (0 1 1 0)
//   pseudo-Boolean     the same with v x1 -x2
//   CBC, HiGHS, SCIP   their solution files
//   MiniZinc           its output
// Banners, logs, comments and runsolver's time stamps are passed over. Throws InputError at file:line for
// text that is none of these, for statuses that contradict each other, for a v line cut off or out of range,
// and where values come with a last o line that is no number of 64 bits.
SolverAnswer parse_solver_answer(std::string_view text, std::string_view file_name, std::uint32_t variables);

// The objective value of one line, if it is an o line: to follow a solver while it runs.
std::optional<std::int64_t> claimed_value(std::string_view line);

}  // namespace bnnplan
