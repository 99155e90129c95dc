#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "bnnplan/network/network.hpp"
#include "bnnplan/query/linear_query.hpp"

namespace bnnplan::verification {

// The names of a network's inputs and outputs in expressions: inputs by their names; score[CLASS], or an
// output bit by its name, unless an input has the same name.
class LinearNames {
 public:
  explicit LinearNames(const Network& network);

  // The sum of one term. Throws InputError for an unknown name.
  LinearSum sum_of(std::string_view name) const;

 private:
  std::map<std::string, std::uint32_t, std::less<>> inputs_, outputs_;
};

// Linear expressions as text, as in problem files (problem/expression.hpp), with exact rational numbers:
//
//   condition := sum (<= | >= | < | > | == | = | !=) sum
//   sum       := [+ | -] term { (+ | -) term }
//   term      := number | [number [*]] name
//
// Both throw InputError without a location.
LinearSum parse_linear_sum(std::string_view text, const LinearNames& names);
std::uint32_t parse_linear_condition(std::string_view text, const LinearNames& names,
                                     LinearProperty& property);

}  // namespace bnnplan::verification
