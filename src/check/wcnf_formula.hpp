#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::checking {

// A weighted formula as the formula of a proof. Variable v of the file is x(v). Its clauses in the order of
// the file become constraints:
//   hard (l_1 or ... or l_n)          l_1 + ... + l_n >= 1
//   soft unit clause (l), weight w    none; ~l costs w
//   soft, longer, weight w            l_1 + ... + l_n + b >= 1, where b, which costs w, is the next variable
//                                    after those of the file (the largest that occurs or is announced)
//   soft, empty, weight w             none; w is always paid
// Soft clauses that cannot cost anything (weight 0, a literal and its negation) are dropped. A repeated
// literal counts once.
struct WcnfFormula {
  PbFormula formula;
  std::uint32_t file_variables = 0;
  std::int64_t offset = 0;  // the cost of an assignment is `offset` plus its value in the formula
};

// The same formats as formats/wcnf_reader.hpp, with an independent reader. Throws InputError, and
// UnsupportedFormula if the weights add up to more than 2^62.
WcnfFormula parse_wcnf_formula(std::string_view text, const std::string& name);

}  // namespace bnnplan::checking
