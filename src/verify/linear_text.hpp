#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "verify/linear_query.hpp"

namespace bnnplan {

// What inputs and outputs of a network are called in expressions: inputs by their names; score[CLASS], or an output bit
// by its name, unless an input has the same.
class LinearNames {
 public:
  explicit LinearNames(const Network& network);

  // The sum of one term. Throws InputError for a name that there is not.
  LinearSum sum_of(std::string_view name) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> inputs_, outputs_;
};

// Linear expressions as text, as problem files have them (problem/expression.hpp), with exact rational numbers:
//
//   condition := sum (<= | >= | < | > | == | = | !=) sum
//   sum       := [+ | -] term { (+ | -) term }
//   term      := number | [number [*]] name
//
// Throw InputError without a place.
LinearSum parse_linear_sum(std::string_view text, const LinearNames& names);
std::uint32_t parse_linear_condition(std::string_view text, const LinearNames& names,
                                     LinearProperty& property);

}  // namespace bnnplan
