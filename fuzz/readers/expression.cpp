// Linear expressions. The input is two sums, one per line; they are compared in every way and in every scope.
// For any sums and any values: a <= b or a > b, never both; a >= b or a < b; a == b if and only if a <= b and
// a >= b; and b >= a means the same as a <= b. Rewards: the maximum of a sum is minus the minimum of its
// negation.
#include "bnnplan/problem/expression.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

const Problem& named_problem() {
  static const Problem problem = parse_problem(R"(horizon = 3
minimize = "a"
transitions = ["s' == s", "n' == n", "h' == h", "`odd - name`' == 1", "at[$x| $y]' == 0"]
[action]
a = "bool"
b-c = "bool"
amount = { bits = 4 }
[state]
s = "bool"
n = { bits = 3, signed = true }
h = { bits = 5, signed = true, scale = -2 }
"odd - name" = "bool"
"at[$x| $y]" = "bool"
[auxiliary]
z = "bool"
)",
                                               "example", "");
  return problem;
}

struct Values {
  BitValues action, state, auxiliary, next;
};

Values random_values(std::mt19937_64& random) {
  const auto bits = [&](std::uint32_t count) {
    BitValues values(count);
    for (BitValue& value : values) value = random() % 2;
    return values;
  };
  const Problem& problem = named_problem();
  return {bits(problem.action.bit_count()), bits(problem.state.bit_count()),
          bits(problem.auxiliary.bit_count()), bits(problem.state.bit_count())};
}

// The constraint, or an InputError as a file reader would throw. Strict comparisons may be one too large
// where the others just fit.
LinearConstraint constraint(const std::string& text, Scope scope) {
  static const NameTable names(named_problem());
  try {
    return parse_constraint(text, named_problem(), names, scope);
  } catch (const ExpressionError& error) {
    require(error.position <= text.size(), "the place of an error is in the text");
    throw InputError("f", 1, error.what());
  }
}

void compare_sums(const std::string& left, const std::string& right, Scope scope) {
  const LinearConstraint at_most = constraint(left + " <= " + right, scope);
  const LinearConstraint at_least = constraint(left + " >= " + right, scope);
  const LinearConstraint equal = constraint(left + " == " + right, scope);
  const LinearConstraint turned = constraint(right + " >= " + left, scope);
  const LinearConstraint less = constraint(left + " < " + right, scope);
  const LinearConstraint more = constraint(left + " > " + right, scope);
  std::mt19937_64 random(left.size() * 1000 + right.size());
  for (int i = 0; i < 8; ++i) {
    const Values values = random_values(random);
    const StepValues step{values.action, values.state, values.auxiliary, values.next};
    const auto says = [&](const LinearConstraint& c) { return holds(c, step); };
    require(says(at_most) != says(more), "a <= b is not a > b");
    require(says(at_least) != says(less), "a >= b is not a < b");
    require(says(at_most) || says(at_least), "a <= b or a >= b");
    require(says(equal) == (says(at_most) && says(at_least)), "a == b is a <= b and a >= b");
    require(says(turned) == says(at_most), "b >= a is a <= b");
  }
}

void negate_sum(const std::string& sum) {
  static const NameTable names(named_problem());
  try {
    const Objective least = parse_objective(sum, false, named_problem(), names);
    const Objective most = parse_objective(sum, true, named_problem(), names);
    std::mt19937_64 random(sum.size());
    const Values values = random_values(random);
    const StepValues step{values.action, values.state, values.auxiliary, values.next};
    require(least.decimals == most.decimals, "decimals do not depend on the direction");
    require(static_cast<__int128>(evaluate(least.terms, step)) + least.constant + evaluate(most.terms, step) +
                    most.constant ==
                0,
            "the maximum is the minimum negated");
  } catch (const ExpressionError& error) {
    require(error.position <= sum.size(), "the place of an error is in the text");
    throw InputError("f", 1, error.what());
  }
}

}  // namespace

void try_expression(std::string_view input) {
  const auto cut = input.find('\n');
  const std::string left(input.substr(0, cut));
  const std::string right(cut == std::string_view::npos ? "0" : input.substr(cut + 1));
  std::string refusal;
  bool any = false;
  for (const Scope scope : {Scope::step, Scope::transition, Scope::goal, Scope::reward}) {
    try {
      compare_sums(left, right, scope);
      any = true;
    } catch (const InputError& error) {
      refusal = error.message();
    }
  }
  try {
    negate_sum(left);
    any = true;
  } catch (const InputError&) {
  }
  if (!any) throw InputError("f", 1, refusal);
}

}  // namespace bnnplan::fuzz
