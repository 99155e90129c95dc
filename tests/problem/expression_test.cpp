#include "bnnplan/problem/expression.hpp"

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

class Expression : public ::testing::Test {
 protected:
  Expression() {
    problem_.action.add({.name = "up"});
    problem_.action.add({.name = "move-east"});
    problem_.action.add({.name = "2 weird `name"});
    problem_.state.add({.name = "robot-at[$x21| $y12]"});
    problem_.state.add({.name = "stock", .boolean = false, .bits = 2});
    problem_.state.add({.name = "heat", .boolean = false, .bits = 3, .twos_complement = true, .scale = -1});
    problem_.state.add({.name = "one", .boolean = false, .bits = 1, .scale = 1});
    problem_.auxiliary.add({.name = "help"});
    names_ = NameTable(problem_);
  }

  LinearConstraint parse(std::string_view text, Scope scope = Scope::transition) const {
    return parse_constraint(text, problem_, names_, scope);
  }

  // "column: message"
  std::string error(std::string_view text, Scope scope = Scope::transition) const {
    try {
      parse(text, scope);
    } catch (const ExpressionError& error) {
      return std::to_string(error.position + 1) + ": " + error.what();
    }
    return "no error";
  }

  Problem problem_;
  NameTable names_;
};

const Bit up{Place::action, 0}, east{Place::action, 1}, weird{Place::action, 2}, at{Place::state, 0},
    help{Place::auxiliary, 0};
Bit state(std::uint32_t index) { return {Place::state, index}; }
Bit next(std::uint32_t index) { return {Place::next, index}; }

TEST_F(Expression, TermsSignsAndComparisons) {
  const LinearConstraint c = parse("up + move-east <= 1");
  EXPECT_EQ(c.terms, (std::vector<Term>{{1, up}, {1, east}}));
  EXPECT_EQ(c.comparison, Comparison::at_most);
  EXPECT_EQ(c.bound, 1);
  EXPECT_EQ(c.text, "up + move-east <= 1");
  EXPECT_EQ(parse("2 up - 3*move-east >= 1").terms, (std::vector<Term>{{2, up}, {-3, east}}));
  EXPECT_EQ(parse("-up>=-1").terms, (std::vector<Term>{{-1, up}}));
  EXPECT_EQ(parse("up = 1").comparison, Comparison::equal);
  EXPECT_EQ(parse("up < 1").bound, 0);
  EXPECT_EQ(parse("up > 0").bound, 1);
  EXPECT_EQ(parse("up > 0").comparison, Comparison::at_least);
  EXPECT_EQ(parse("1 >= up").terms, (std::vector<Term>{{-1, up}})) << "everything moves to the left";
  EXPECT_EQ(parse("up + 2 <= 2 up + 1").terms, (std::vector<Term>{{-1, up}}));
  EXPECT_EQ(parse("up + 2 <= 2 up + 1").bound, -1);
  EXPECT_TRUE(parse("up - up <= 0").terms.empty());
}

TEST_F(Expression, LiteralsAreOneMinusTheBit) {
  const LinearConstraint c = parse("~up + !move-east + help >= 1");
  EXPECT_EQ(c.terms, (std::vector<Term>{{-1, up}, {-1, east}, {1, help}}));
  EXPECT_EQ(c.bound, -1);
  EXPECT_EQ(parse("2 ~stock.1 <= 1").terms, (std::vector<Term>{{-2, state(2)}}));
}

TEST_F(Expression, NamesBarePrimedAndQuoted) {
  EXPECT_EQ(parse("robot-at[$x21| $y12] == 1").terms, (std::vector<Term>{{1, at}}));
  EXPECT_EQ(parse("robot-at[$x21| $y12]' == 1").terms, (std::vector<Term>{{1, next(0)}}));
  EXPECT_EQ(parse("\"2 weird `name\" == 1").terms, (std::vector<Term>{{1, weird}}));
  EXPECT_EQ(parse("3 `up` == 1").terms, (std::vector<Term>{{3, up}}));
  EXPECT_EQ(name_in_expression("move-east"), "move-east");
  EXPECT_EQ(name_in_expression("robot-at[$x21| $y12]"), "robot-at[$x21| $y12]");
  EXPECT_EQ(name_in_expression("2x"), "`2x`");
  EXPECT_EQ(name_in_expression("a b"), "`a b`");
  EXPECT_EQ(name_in_expression("a`b"), "\"a`b\"");
}

TEST_F(Expression, IntegersAreWeightedBits) {
  EXPECT_EQ(parse("stock <= 2").terms, (std::vector<Term>{{1, state(1)}, {2, state(2)}}));
  EXPECT_EQ(parse("stock' - stock == 1").terms,
            (std::vector<Term>{{-1, state(1)}, {-2, state(2)}, {1, next(1)}, {2, next(2)}}));
  // heat has three bits in two's complement and a unit of 0.1.
  const LinearConstraint c = parse("heat < 0.2");
  EXPECT_EQ(c.terms, (std::vector<Term>{{1, state(3)}, {2, state(4)}, {-4, state(5)}}));
  EXPECT_EQ(c.bound, 1);
  EXPECT_EQ(parse("heat.2 == 1").terms, (std::vector<Term>{{1, state(5)}}));
  EXPECT_EQ(parse("one <= 10").terms, (std::vector<Term>{{10, state(6)}})) << "one bit that weighs 10";
  EXPECT_EQ(parse("one.0 <= 1").terms, (std::vector<Term>{{1, state(6)}}));
}

TEST_F(Expression, DecimalsAreScaledExactly) {
  const LinearConstraint c = parse("0.5 up - 1.25 ~move-east < 3");
  EXPECT_EQ(c.terms, (std::vector<Term>{{50, up}, {125, east}}));
  EXPECT_EQ(c.bound, 424);
  EXPECT_EQ(parse("1e2 up <= 1").terms, (std::vector<Term>{{100, up}}));
}

TEST_F(Expression, ErrorsPointIntoTheText) {
  EXPECT_EQ(error(""), "1: the expression ends, expected a number or a name");
  EXPECT_EQ(error("up"), "3: the expression ends, expected + - or one of <= >= == < >");
  EXPECT_EQ(error("up <="), "6: the expression ends, expected a number or a name");
  EXPECT_EQ(error("up help <= 1"), "4: found 'help', expected + - or one of <= >= == < >");
  EXPECT_EQ(error("up <= 1 1"), "9: found '1', expected + - or the end");
  EXPECT_EQ(error("up <= 1 <= 2"), "9: found '<', expected + - or the end");
  EXPECT_EQ(error("up + upp <= 1"), "6: unknown variable 'upp', did you mean 'up'?");
  EXPECT_EQ(error("temperature-9 <= 1"),
            "1: unknown variable 'temperature-9' (a minus needs blanks around it)");
  EXPECT_EQ(error("1.2.3 up <= 1"), "1: bad number '1.2.3'");
  EXPECT_EQ(error("2 * <= 1"), "5: found '<', expected a number or a name");
  EXPECT_EQ(error("2 * 3 <= 1"), "5: found '3', expected a number or a name");
  EXPECT_EQ(error("`up <= 1"), "1: no closing ` for this name");
  EXPECT_EQ(error("robot-at[$x21 <= 1"), "9: no closing ] for this name");
  EXPECT_EQ(error("~stock <= 1"), "2: '~stock' negates an integer, expected a single bit");
  EXPECT_EQ(error("up & help <= 1"), "4: found '&', expected + - or one of <= >= == < >");
  EXPECT_EQ(error("up' <= 1"), "1: 'up'' is not a state variable: only those have a next value");
  EXPECT_EQ(error("9223372036854775808 up <= 1"),
            "1: a coefficient or a sum of them is too large: it does not fit into 62 bits");
  EXPECT_EQ(error("4611686018427387904 up <= 1"),
            "1: a coefficient or a sum of them is too large: it does not fit into 62 bits");
  EXPECT_EQ(error("1e17 up + 0.001 help <= 1"),
            "1: a coefficient or a sum of them is too large: it does not fit into 62 bits");
  EXPECT_EQ(error("4611686018427387902 up <= 1"), "no error");
}

TEST_F(Expression, ScopesAllowWhatTheyShould) {
  EXPECT_EQ(error("stock' <= 1", Scope::step),
            "1: 'stock'' in a constraint: next-state variables belong in transitions");
  EXPECT_EQ(error("stock + up + help <= 1", Scope::step), "no error");
  EXPECT_EQ(error("up <= 1", Scope::goal), "1: 'up' in the goal, expected state variables only, without '");
  EXPECT_EQ(error("stock' <= 1", Scope::goal),
            "1: 'stock'' in the goal, expected state variables only, without '");
  EXPECT_EQ(error("help <= 1", Scope::goal),
            "1: 'help' in the goal, expected state variables only, without '");
}

TEST_F(Expression, ObjectivesAreMinimised) {
  const Objective cost = parse_objective("0.5 up + stock' - 2", false, problem_, names_);
  EXPECT_EQ(cost.terms, (std::vector<Term>{{5, up}, {10, next(1)}, {20, next(2)}}));
  EXPECT_EQ(cost.constant, -20);
  EXPECT_EQ(cost.decimals, 1);
  EXPECT_FALSE(cost.maximize);
  const Objective reward = parse_objective("-up + 3 ~move-east", true, problem_, names_);
  EXPECT_EQ(reward.terms, (std::vector<Term>{{1, up}, {3, east}}));
  EXPECT_EQ(reward.constant, -3);
  EXPECT_TRUE(reward.maximize);
  const auto error = [&](std::string_view text) -> std::string {
    try {
      parse_objective(text, false, problem_, names_);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("stock"), "'stock' in the reward: it is over actions and the next state, write 'stock''");
  EXPECT_EQ(error("help"),
            "auxiliary variable 'help' in the reward, expected actions and next-state variables");
  EXPECT_EQ(error("up <= 1"), "found '<', expected + - or the end");
}

}  // namespace
}  // namespace bnnplan
