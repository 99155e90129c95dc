// Output of solvers. Accepted values are bits, or unknown, one for every variable.
#include "bnnplan/formats/solver_answer.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

void try_answer(std::string_view input) {
  constexpr std::uint32_t variables = 12;
  const formats::SolverAnswer answer = formats::parse_solver_answer(input, "answer", variables);
  if (!answer.has_values) return;
  require(answer.values.size() == variables, "there is a value for every variable");
  for (const auto value : answer.values)
    require(value == 0 || value == 1 || value == unknown_bit, "values are 0, 1 or unknown");
}

}  // namespace bnnplan::fuzz
