// Random ground expressions: what is folded, bounded by intervals or read as a linear form means the same as
// the expression itself, computed here by its definition for every value of its variables.
#include <functional>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {
namespace {

using Random = std::mt19937_64;
using Values = std::vector<std::int64_t>;

struct Range {
  NodeKind kind;
  std::int64_t low, high;
};
const std::vector<Range> slots = {{NodeKind::boolean, 0, 1},
                                  {NodeKind::boolean, 0, 1},
                                  {NodeKind::integer, -2, 2},
                                  {NodeKind::integer, 0, 3}};

// An expression in the pool, and what it is by definition: nothing where it divides by zero.
using Meaning = std::function<std::optional<Rational>(const Values&)>;
struct Expression {
  NodeId node;
  Meaning meaning;
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {
    file_ = "random.rddl";
    place_ = {&file_, 1, 1};
  }

  const NodePool& pool() const { return pool_; }

  Expression boolean(int depth) {
    if (depth == 0)
      return below(8) == 0 ? constant(make_rational(below(2)), NodeKind::boolean) : variable(below(2));
    switch (below(8)) {
      case 0:
        return combine(Operation::logical_not, {boolean(depth - 1)});
      case 1:
      case 2:
        return combine(Operation::logical_and, {boolean(depth - 1), boolean(depth - 1), boolean(depth - 1)});
      case 3:
        return combine(Operation::logical_or, {boolean(depth - 1), boolean(depth - 1)});
      case 4:
        return combine(Operation::equal, {boolean(depth - 1), boolean(depth - 1)});
      case 5:
        return combine(Operation::choose, {boolean(depth - 1), boolean(depth - 1), boolean(depth - 1)});
      default:
        return combine(std::vector{Operation::equal, Operation::less, Operation::at_most}[below(3)],
                       {number(depth - 1), number(depth - 1)});
    }
  }

  Expression number(int depth) {
    switch (below(3)) {
      case 0:
        return boolean(depth);
      case 1:
        return real(depth);
      default:
        return integer(depth);
    }
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }

  Expression constant(const Rational& value, NodeKind kind) {
    return {pool_.constant(value, kind), [=](const Values&) { return value; }};
  }

  Expression variable(std::size_t slot) {
    return {pool_.variable(static_cast<std::uint32_t>(slot), slots[slot].kind, place_),
            [=](const Values& values) { return make_rational(values[slot]); }};
  }

  Expression integer(int depth) {
    if (depth == 0) {
      if (below(3) == 0)
        return constant(make_rational(static_cast<std::int64_t>(below(5)) - 2), NodeKind::integer);
      return variable(2 + below(2));
    }
    switch (below(9)) {
      case 0:
        return combine(Operation::add, {integer(depth - 1), integer(depth - 1), boolean(depth - 1)});
      case 1:
        return combine(Operation::multiply, {integer(depth - 1), integer(depth - 1)});
      case 2:
        return combine(below(2) ? Operation::minimum : Operation::maximum,
                       {integer(depth - 1), integer(depth - 1)});
      case 3:
        return combine(Operation::absolute, {integer(depth - 1)});
      case 4:
        return combine(below(2) ? Operation::floor : Operation::ceiling, {number(depth - 1)});
      case 5:
        return combine(Operation::modulo, {integer(depth - 1), integer(depth - 1)});
      case 6:
        return combine(Operation::integer_division, {integer(depth - 1), integer(depth - 1)});
      case 7:
        return combine(Operation::choose, {boolean(depth - 1), integer(depth - 1), boolean(depth - 1),
                                           integer(depth - 1), integer(depth - 1)});
      default:
        return combine(Operation::choose, {boolean(depth - 1), integer(0), integer(0)});
    }
  }

  Expression real(int depth) {
    if (depth == 0)
      return constant(make_rational(static_cast<std::int64_t>(below(7)) - 3, 2), NodeKind::real);
    switch (below(6)) {
      case 0:
        return combine(Operation::add, {real(depth - 1), number(depth - 1)});
      case 1:
        return combine(Operation::multiply, {real(depth - 1), number(depth - 1)});
      case 2:
        return combine(below(2) ? Operation::minimum : Operation::maximum,
                       {real(depth - 1), number(depth - 1)});
      case 3:
        return combine(Operation::absolute, {real(depth - 1)});
      case 4:
        return combine(Operation::choose, {boolean(depth - 1), real(depth - 1), number(depth - 1)});
      default:
        return combine(Operation::divide, {number(depth - 1), number(depth - 1)});
    }
  }

  Expression combine(Operation operation, const std::vector<Expression>& operands) {
    std::vector<NodeId> nodes;
    std::vector<Meaning> meanings;
    for (const Expression& operand : operands) {
      nodes.push_back(operand.node);
      meanings.push_back(operand.meaning);
    }
    return {pool_.make(operation, std::move(nodes), place_),
            [=](const Values& values) { return meaning(operation, meanings, values); }};
  }

  static std::optional<Rational> meaning(Operation operation, const std::vector<Meaning>& operands,
                                         const Values& values) {
    const Rational zero;
    const auto truth = [](bool value) { return make_rational(value ? 1 : 0); };
    if (operation == Operation::choose) {
      std::size_t i = 0;
      for (; i + 1 < operands.size(); i += 2) {
        const auto condition = operands[i](values);
        if (!condition) return std::nullopt;
        if (*condition != zero) return operands[i + 1](values);
      }
      return operands[i](values);
    }
    if (operation == Operation::logical_and || operation == Operation::logical_or) {
      const bool decides = operation == Operation::logical_or;
      for (const Meaning& operand : operands) {
        const auto value = operand(values);
        if (!value) return std::nullopt;
        if ((*value != zero) == decides) return truth(decides);
      }
      return truth(!decides);
    }
    std::vector<Rational> numbers;
    for (const Meaning& operand : operands) {
      const auto value = operand(values);
      if (!value) return std::nullopt;
      numbers.push_back(*value);
    }
    const Rational &a = numbers.front(), &b = numbers.back();
    switch (operation) {
      case Operation::logical_not:
        return truth(a == zero);
      case Operation::equal:
        return truth(a == b);
      case Operation::less:
        return truth(a < b);
      case Operation::at_most:
        return truth(a <= b);
      case Operation::add: {
        Rational sum;
        for (const Rational& number : numbers) sum = sum + number;
        return sum;
      }
      case Operation::multiply:
        return a * b;
      case Operation::divide:
        return b == zero ? std::optional<Rational>() : a / b;
      case Operation::minimum:
        return std::min(a, b);
      case Operation::maximum:
        return std::max(a, b);
      case Operation::absolute:
        return std::max(a, zero - a);
      case Operation::floor:
        return make_rational(floor(a));
      case Operation::ceiling:
        return make_rational(ceiling(a));
      case Operation::modulo:
        return b == zero ? std::optional<Rational>() : a - b * make_rational(floor(a / b));
      case Operation::integer_division:
        return b == zero ? std::optional<Rational>() : make_rational(floor(a / b));
      default:
        throw std::logic_error("no such operation");
    }
  }

  Random random_;
  std::string file_;
  SourcePlace place_;
  NodePool pool_{100'000};
};

template <class Visit>
void for_all_values(const std::vector<Range>& ranges, Visit visit) {
  Values values;
  for (const Range& range : ranges) values.push_back(range.low);
  for (;;) {
    visit(values);
    std::size_t i = 0;
    while (i < ranges.size() && values[i] == ranges[i].high) {
      values[i] = ranges[i].low;
      ++i;
    }
    if (i == ranges.size()) return;
    ++values[i];
  }
}

std::vector<Interval> points(const Values& values) {
  std::vector<Interval> result;
  for (const std::int64_t value : values) result.push_back(point_interval(value));
  return result;
}

constexpr int expressions = 3000;

TEST(RandomExpression, FoldedItIsTheSame) {
  int defined = 0;
  for (int seed = 0; seed < expressions; ++seed) {
    Writer writer(static_cast<std::uint64_t>(seed));
    const Expression expression = writer.number(1 + seed % 4);
    for_all_values(slots, [&](const Values& values) {
      const auto value = expression.meaning(values);
      if (!value) return;
      ++defined;
      EXPECT_EQ(evaluate_rational(writer.pool(), expression.node, values), *value) << "seed " << seed;
    });
  }
  EXPECT_GT(defined, 50 * expressions);
}

TEST(RandomExpression, IntervalsHoldAllValues) {
  int known = 0, tight = 0;
  for (int seed = 0; seed < expressions; ++seed) {
    Writer writer(static_cast<std::uint64_t>(seed));
    const Expression expression = writer.number(1 + seed % 4);
    Random random(static_cast<std::uint64_t>(seed) + 1'000'000);
    std::vector<Range> box = slots;
    std::vector<Interval> intervals;
    for (Range& range : box) {
      const auto inside = [&] {
        return range.low +
               static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.high - range.low + 1));
      };
      const std::int64_t a = inside(), b = inside();
      range.low = std::min(a, b);
      range.high = std::max(a, b);
      intervals.push_back({true, make_rational(range.low), make_rational(range.high)});
    }
    const Interval interval = evaluate_interval(writer.pool(), expression.node, intervals);
    known += interval.known;
    tight += interval.is_point();
    for_all_values(box, [&](const Values& values) {
      const auto value = expression.meaning(values);
      if (!value) return;
      if (interval.known) {
        EXPECT_TRUE(interval.low <= *value && *value <= interval.high) << "seed " << seed;
      }
      const Interval point = evaluate_interval(writer.pool(), expression.node, points(values));
      EXPECT_TRUE(point.is_point() && point.low == *value) << "seed " << seed;
    });
  }
  EXPECT_GT(known, expressions / 2);
  EXPECT_GT(tight, expressions / 10);
}

Rational value_of(const LinearForm& form, const Values& values) {
  Rational sum = form.constant;
  for (const auto& [slot, coefficient] : form.terms) sum = sum + coefficient * make_rational(values[slot]);
  return sum;
}

TEST(RandomExpression, LinearFormsAreTheExpression) {
  int forms = 0, comparisons = 0;
  for (int seed = 0; seed < expressions; ++seed) {
    Writer writer(static_cast<std::uint64_t>(seed));
    const Expression number = writer.number(1 + seed % 3), truth = writer.boolean(1 + seed % 3);
    const auto form = linear_form(writer.pool(), number.node);
    const auto as_is = linear_comparison(writer.pool(), truth.node, false);
    const auto negated = linear_comparison(writer.pool(), truth.node, true);
    forms += form.has_value();
    comparisons += as_is.has_value() + negated.has_value();
    for_all_values(slots, [&](const Values& values) {
      if (const auto value = number.meaning(values); form && value) {
        EXPECT_EQ(value_of(*form, values), *value) << "seed " << seed;
      }
      const auto holds = truth.meaning(values);
      if (!holds) return;
      for (const auto& [comparison, expected] :
           {std::pair(as_is, *holds != Rational{}), std::pair(negated, *holds == Rational{})}) {
        if (!comparison) continue;
        const Rational value = value_of(comparison->form, values);
        const bool actual = comparison->comparison == FormComparison::zero         ? value == Rational{}
                            : comparison->comparison == FormComparison::below_zero ? value < Rational{}
                                                                                   : value <= Rational{};
        EXPECT_EQ(actual, expected) << "seed " << seed;
      }
    });
  }
  EXPECT_GT(forms, expressions / 4);
  EXPECT_GT(comparisons, expressions / 10);
}

}  // namespace
}  // namespace bnnplan::rddl
