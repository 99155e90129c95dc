// Every message about wrong RDDL, with its place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "rddl/rddl_text.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;

constexpr std::string_view plain_instance = "instance i { domain = d; objects { t : { o1, o2 }; }; }";

// A domain on one line: what is wrong has its column.
std::string domain(std::string_view fluents, std::string_view cpfs, std::string_view rest = "") {
  return fmt::format(
      "domain d {{ types {{ t : object; u : {{ @a, @b }}; }};\npvariables {{ s : {{ state-fluent, bool }}; n "
      ": {{ "
      "state-fluent, int }}; p(t) : {{ state-fluent, bool }}; go : {{ action-fluent, bool }};\n{} }};\n"
      "cpfs {{ p'(?x) = p(?x);\n{} }};\n{} }}",
      fluents, cpfs, rest);
}

std::string error_of(const std::string& domain_text, std::string_view instance = plain_instance) {
  return input_error_of([&] { testing::model_of(domain_text, instance); });
}

// The message about the cpf of s, which begins at line 5, column 1.
std::string in_expression(std::string_view expression) {
  return error_of(domain("", fmt::format("s' = {};\nn' = n;", expression)));
}

TEST(RddlErrors, Tokens) {
  EXPECT_EQ(in_expression("s # s"), "d.rddl:5:8: unexpected character '#'");
  EXPECT_EQ(in_expression("!s"), "d.rddl:5:6: unexpected character '!', expected ~ for not");
  EXPECT_EQ(in_expression("s != s"), "d.rddl:5:8: unexpected character '!', expected ~= for unequal");
  EXPECT_EQ(in_expression("s \xc3\xa4"), "d.rddl:5:8: unexpected character '\xc3\xa4'");
  EXPECT_EQ(in_expression("? s"), "d.rddl:5:6: '?' is not followed by a name");
  EXPECT_EQ(in_expression("s /* s"), "d.rddl:5:8: unterminated comment, expected */");
  EXPECT_EQ(in_expression("n == 1.2.3"), "d.rddl:5:11: bad number '1.2.3'");
  EXPECT_EQ(in_expression("n == 3x"), "d.rddl:5:11: bad number '3x'");
}

TEST(RddlErrors, Expressions) {
  EXPECT_EQ(in_expression(""), "d.rddl:5:6: found ';', expected an expression");
  EXPECT_EQ(in_expression("s s"), "d.rddl:5:8: found 's', expected an operator or ';'");
  EXPECT_EQ(in_expression("(s"), "d.rddl:5:8: found ';', expected an operator or ')'");
  EXPECT_EQ(in_expression("[s)"), "d.rddl:5:8: found ')', expected an operator or ']'");
  EXPECT_EQ(in_expression("if (s) s"), "d.rddl:5:13: found 's', expected an operator or 'then'");
  EXPECT_EQ(in_expression("if (s) then s"), "d.rddl:5:19: found ';', expected an operator or 'else'");
  EXPECT_EQ(in_expression("p(1)"),
            "d.rddl:5:8: found '1', expected an argument: a ?variable, an object, an @enumeration value or a "
            "fluent with such values");
  EXPECT_EQ(in_expression("p(o1 o2)"), "d.rddl:5:11: found 'o2', expected , or ')'");
  EXPECT_EQ(in_expression("exists_{x : t} s"), "d.rddl:5:14: found 'x', expected a ?variable");
  EXPECT_EQ(in_expression("exists_{?x t} s"),
            "d.rddl:5:17: found 't', expected ':' before the type of a variable");
  EXPECT_EQ(in_expression("exists_(?x : t) s"),
            "d.rddl:5:13: found '(', expected '{' before the variables of a quantifier");
  EXPECT_EQ(in_expression("switch (n) { 1 : s }"), "d.rddl:5:19: found '1', expected 'case' or 'default'");
  EXPECT_EQ(
      in_expression("switch (n) { case ?x : s }"),
      "d.rddl:5:24: found '?x', expected a value: true, false, a number, an object or an @enumeration value");
  EXPECT_EQ(in_expression("switch (n) { default : s, case 1 : s, default : s }"),
            "d.rddl:5:44: a second default");
  EXPECT_EQ(in_expression("min[n] == 1"), "d.rddl:5:6: 'min' has 1 operand, expected 2 or more");
  EXPECT_EQ(in_expression("abs[n, n] == 1"), "d.rddl:5:6: 'abs' has 2 operands, expected 1");
  EXPECT_EQ(in_expression("MultivariateNormal[n](s, s)"),
            "d.rddl:5:6: random vectors are not supported yet: 'MultivariateNormal'");
  EXPECT_EQ(in_expression("inverse[row=?x, col=?y][s] > 1"),
            "d.rddl:5:6: matrix function 'inverse' is not supported yet, only cholesky is");
  EXPECT_EQ(in_expression("Normal(0.5) > 1"), "d.rddl:5:6: 'Normal' has 1 operand, expected 2");
  EXPECT_EQ(in_expression("Discrete(u) == @a"), "d.rddl:5:6: a discrete distribution without values");
  EXPECT_EQ(in_expression("Discrete(u, @a : 1, @a : 0) == @a"), "d.rddl:5:26: duplicate value");
  EXPECT_EQ(in_expression("exp[n, n] > 1"), "d.rddl:5:6: 'exp' has 2 operands, expected 1");
  EXPECT_EQ(in_expression("exp(n) > 1"),
            "d.rddl:5:6: unknown fluent 'exp' (the function has square brackets: exp[...])");
  EXPECT_EQ(in_expression("expp[n] > 1"),
            "d.rddl:5:6: unknown function 'expp' (a fluent has its arguments in parentheses)");
  EXPECT_EQ(in_expression("argmax_{?x : t, ?y : t} (p(?x)) == o1"),
            "d.rddl:5:22: 'argmax_' gives one object, expected one variable");
  EXPECT_EQ(in_expression(std::string(500, '(') + "s" + std::string(500, ')')),
            "d.rddl:5:406: the expression is nested deeper than 200 levels");
  std::string chain = "s";
  for (int i = 0; i < 5000; ++i) chain += " => s";
  EXPECT_NE(in_expression(chain).find("nested deeper than 200 levels"), std::string::npos);
}

TEST(RddlErrors, Names) {
  EXPECT_EQ(in_expression("ss"), "d.rddl:5:6: unknown fluent 'ss', did you mean 's'?");
  EXPECT_EQ(in_expression("n-total == 1"),
            "d.rddl:5:6: unknown fluent 'n-total' (a minus needs blanks around it)");
  EXPECT_EQ(in_expression("p(o3)"), "d.rddl:5:8: unknown object 'o3', did you mean 'o1'?");
  EXPECT_EQ(in_expression("p(?x)"), "d.rddl:5:8: variable '?x' is not bound here");
  EXPECT_EQ(in_expression("exists_{?x : tt} p(?x)"), "d.rddl:5:19: unknown type 'tt', did you mean 't'?");
  EXPECT_EQ(in_expression("exists_{?x : t, ?x : t} p(?x)"), "d.rddl:5:22: '?x' is already bound");
  EXPECT_EQ(in_expression("p"), "d.rddl:5:6: 'p' has 0 arguments, expected 1");
  EXPECT_EQ(in_expression("p(o1, o2)"), "d.rddl:5:6: 'p' has 2 arguments, expected 1");
  EXPECT_EQ(in_expression("p(@a)"), "d.rddl:5:8: argument 1 of 'p': 'a' is of type 'u', expected 't'");
  EXPECT_EQ(in_expression("go'"),
            "d.rddl:5:6: 'go'' is an action-fluent: only state-fluents have a next value");
}

TEST(RddlErrors, Types) {
  EXPECT_EQ(in_expression("n"), "d.rddl:5:6: the cpf of 's' gives int, expected bool");
  EXPECT_EQ(in_expression("s ^ n"), "d.rddl:5:10: an operand of ^ is int, expected bool");
  EXPECT_EQ(in_expression("~n == 3"),
            "d.rddl:5:7: an operand of ~ is int, expected bool (~ binds strongest: a negated comparison is "
            "~(a == b))");
  EXPECT_EQ(in_expression("if (n) then s else s"),
            "d.rddl:5:10: the condition of an if is int, expected bool");
  EXPECT_EQ(in_expression("n == @a"), "d.rddl:5:11: u cannot be compared with int");
  EXPECT_EQ(in_expression("@a == o1"), "d.rddl:5:12: t cannot be compared with u");
  EXPECT_EQ(in_expression("@a < @b"), "d.rddl:5:6: an operand of an inequality is u, expected a number");
  EXPECT_EQ(in_expression("@a + 1 > 0"), "d.rddl:5:6: an operand of arithmetic is u, expected a number");
  EXPECT_EQ(in_expression("mod[n, 1.5] == 0"), "d.rddl:5:13: an operand of mod is real, expected int");
  EXPECT_EQ(in_expression("exists_{?x : t} n"),
            "d.rddl:5:22: the body of a quantifier is int, expected bool");
  EXPECT_EQ(in_expression("(sum_{?x : t} ?x) > 0"),
            "d.rddl:5:20: the body of an aggregation is t, expected a number");
  EXPECT_EQ(in_expression("switch (n) { case 1 : s }"),
            "d.rddl:5:6: the switch does not cover all values, expected 'default : ...'");
  EXPECT_EQ(in_expression("switch (n) { case 1 : s, case 1 : s, default : s }"),
            "d.rddl:5:36: duplicate case");
  EXPECT_EQ(in_expression("if (s) then @a else s"), "d.rddl:5:18: another case is u, expected bool");
  EXPECT_EQ(error_of(domain("", "s' = s;\nn' = n / 2;")),
            "d.rddl:6:8: the cpf of 'n' gives real, expected int (floor[...] or ceil[...] makes it one)");
}

TEST(RddlErrors, Declarations) {
  const std::string cpfs = "s' = s; n' = n;";
  EXPECT_EQ(error_of(domain("r : { state-fluent, real };", cpfs)),
            "d.rddl:3:1: state-fluent 'r' has no cpf, expected 'r' = ...;' in cpfs");
  EXPECT_EQ(error_of(domain("o : { observ-fluent, bool };", cpfs)),
            "d.rddl:3:1: observ-fluent 'o' has no cpf, expected 'o = ...;' in cpfs");
  EXPECT_EQ(error_of(domain("o : { fluent, bool };", cpfs)),
            "d.rddl:3:7: unknown kind of fluent 'fluent', expected non-fluent, state-fluent, action-fluent, "
            "interm-fluent or observ-fluent");
  EXPECT_EQ(error_of(domain("s : { action-fluent, bool };", cpfs)), "d.rddl:3:1: duplicate fluent 's'");
  EXPECT_EQ(error_of(domain("q(tt) : { action-fluent, bool };", cpfs)),
            "d.rddl:3:3: unknown type 'tt', did you mean 't'?");
  EXPECT_EQ(error_of(domain("q : { action-fluent, bool, default = 3 };", cpfs)),
            "d.rddl:3:38: value 3 for 'q', expected true or false");
  EXPECT_EQ(error_of(domain("q : { action-fluent, int, default = true };", cpfs)),
            "d.rddl:3:37: value 'true' for 'q', expected an integer");
  EXPECT_EQ(error_of(domain("q : { action-fluent, u, default = o1 };", cpfs)),
            "d.rddl:3:35: value 'o1' for 'q', expected an object of type 'u'");
  EXPECT_EQ(error_of(domain("q : { action-fluent, u, standard = o1 };", cpfs)),
            "d.rddl:3:25: found 'standard', expected 'default = VALUE' or 'level = NUMBER'");
  EXPECT_EQ(error_of(domain("o1 : { action-fluent, bool };", cpfs)),
            "d.rddl:3:1: fluent 'o1' has the name of an object");
  EXPECT_EQ(error_of("domain d { types { bool : object; }; }"),
            "d.rddl:1:20: 'bool' is a built-in type, expected another name");
  EXPECT_EQ(error_of("domain d { types { t : object; t : object; }; }"), "d.rddl:1:32: duplicate type 't'");
  EXPECT_EQ(error_of("domain d { types { t : thing; }; }"),
            "d.rddl:1:24: found 'thing', expected 'object' or a list { @value, ... }");
  EXPECT_EQ(error_of("domain d { types { t : object; v : {@a, @a}; }; }"),
            "d.rddl:1:32: 'a' is already an object of type 'v'");
}

TEST(RddlErrors, Definitions) {
  EXPECT_EQ(error_of(domain("", "s' = s;")),
            "d.rddl:2:42: state-fluent 'n' has no cpf, expected 'n' = ...;' in cpfs");
  EXPECT_EQ(error_of(domain("", "s' = s; n' = n; m' = n;")).substr(0, 38),
            "d.rddl:5:17: unknown fluent 'm', did y");
  EXPECT_EQ(error_of(domain("", "s' = s; n' = n; s' = s;")), "d.rddl:5:17: a second cpf for 's'");
  EXPECT_EQ(error_of(domain("", "s = s; n' = n;")),
            "d.rddl:5:1: the cpf of a state-fluent gives its next value, expected 's''");
  EXPECT_EQ(error_of(domain("i : { interm-fluent, bool };", "s' = s; n' = n; i' = s;")),
            "d.rddl:5:17: an interm-fluent has no next value, expected 'i'");
  EXPECT_EQ(error_of(domain("", "s' = s; n' = n; go = s;")),
            "d.rddl:5:17: 'go' is an action-fluent, expected a state-fluent or interm-fluent in cpfs");
  EXPECT_EQ(error_of(domain("", "s'(?x) = s; n' = n;")),
            "d.rddl:5:1: the cpf of 's' has 1 parameter, expected 0");
}

TEST(RddlErrors, CyclesAreFoundBeforeAnythingRuns) {
  EXPECT_EQ(error_of(domain("i : { interm-fluent, bool }; j(t) : { interm-fluent, bool };",
                            "s' = i; n' = n;\ni = exists_{?x : t} j(?x);\nj(?x) = i ^ p(?x);")),
            "d.rddl:6:1: cyclic definitions: i -> j[o1] -> i");
  EXPECT_EQ(error_of(domain("", "s' = s'; n' = n;")), "d.rddl:5:1: cyclic definitions: s' -> s'");
}

TEST(RddlErrors, PositionsDecideWhichFluentsMayBeUsed) {
  const std::string cpfs = "s' = s; n' = n;";
  EXPECT_EQ(
      error_of(domain("", cpfs, "state-invariants { go; };")),
      "d.rddl:6:20: action-fluent 'go' in a state invariant, expected state-fluents and non-fluents only");
  EXPECT_EQ(error_of(domain("", cpfs, "goal-state { s'; };")),
            "d.rddl:6:14: state-fluent 's'' in the goal, expected state-fluents and non-fluents only");
  EXPECT_EQ(error_of(domain("", cpfs, "action-preconditions { s'; };")),
            "d.rddl:6:24: state-fluent 's'' in a constraint, expected fluents of the current step only");
  EXPECT_EQ(error_of(domain("", cpfs, "state-action-constraints { n + 1; };")),
            "d.rddl:6:30: a constraint is int, expected bool");
  EXPECT_EQ(error_of(domain("", cpfs, "reward = @a;")), "d.rddl:6:10: the reward is u, expected a number");
  EXPECT_EQ(error_of(domain("", cpfs, "reward = 1; reward = 2;")), "d.rddl:6:13: a second reward");
  EXPECT_EQ(error_of(domain("", cpfs, "termination { n; };")),
            "d.rddl:6:15: a termination condition is int, expected bool");
  EXPECT_EQ(error_of(domain("", cpfs, "rewards = 1;")).substr(0, 48),
            "d.rddl:6:1: unknown section 'rewards' of a domai");
}

TEST(RddlErrors, Blocks) {
  const std::string good = domain("", "s' = s; n' = n;");
  EXPECT_EQ(error_of("domains d { }"),
            "d.rddl:1:1: found 'domains', expected domain, non-fluents or instance");
  EXPECT_EQ(error_of(""), "d.rddl: there is no domain in this file");
  EXPECT_EQ(error_of(good + "\ndomain e { }", "instance i { domain = f; }"),
            "i.rddl:1:1: no domain of the domain file has the name 'f', expected one of: d, e");
  EXPECT_EQ(error_of(good, "instance i { domain = d; } instance j { domain = d; }"),
            "i.rddl:1:28: the file has several instances, expected the name of one: i, j");
  EXPECT_EQ(error_of(good, ""), "i.rddl: there is no instance in this file");
  EXPECT_EQ(error_of(good, "instance i { }"), "i.rddl:1:1: no domain given, expected 'domain = NAME;'");
  // Another name alone is not an error, but it is named where something does not fit.
  EXPECT_EQ(error_of(good, "instance i { domain = e; init-state { nowhere; }; }"),
            "i.rddl:1:23: this is for the domain 'e', but the domain file has 'd'");
  EXPECT_EQ(error_of(good, "instance i { domain = d; non-fluents = m; }"),
            "i.rddl:1:40: there are no non-fluents 'm' in either file");
  EXPECT_EQ(error_of(good, "instance i { domain = d; objects { t : { o1, o1 }; }; }"),
            "i.rddl:1:46: 'o1' is already an object of type 't'");
  EXPECT_EQ(error_of(good, "instance i { domain = d; objects { u : { o1 }; }; }"),
            "i.rddl:1:36: type 'u' is an enumeration: its values are in the domain");
  EXPECT_EQ(error_of(good, "instance i { domain = d; init-state { go; }; }"),
            "i.rddl:1:39: 'go' is an action-fluent, expected a state-fluent here");
  EXPECT_EQ(error_of(good, "instance i { domain = d; init-state { s = 2; }; }"),
            "i.rddl:1:43: value 2 for 's', expected true or false");
  EXPECT_EQ(error_of(good, "instance i { domain = d; init-state { n; }; }"),
            "i.rddl:1:39: value 'true' for 'n', expected an integer");
  EXPECT_EQ(error_of(good, "instance i { domain = d; init-state { p(o1); }; }"),
            "i.rddl:1:41: unknown object 'o1'");
  EXPECT_EQ(error_of(good, "instance i { domain = d; horizon = 0; }"),
            "i.rddl:1:1: horizon 0 is out of range, expected 1 to 1000000");
  EXPECT_EQ(error_of(good, "instance i { domain = d; horizon = -2; }"),
            "i.rddl:1:36: bad horizon, expected an unsigned number");
  EXPECT_EQ(error_of(good, "instance i { domain = d; discount = high; }"),
            "i.rddl:1:37: bad discount, expected a number");
  EXPECT_EQ(error_of(good, "instance i { domain = d; goals { s; }; }").substr(0, 47),
            "i.rddl:1:26: unknown section 'goals' of an inst");
  EXPECT_EQ(error_of(good, "instance i { domain = d;"),
            "i.rddl:1:25: found the end of the file, expected domain, non-fluents, objects, init-state, "
            "goal-state, "
            "max-nondef-actions, horizon, discount or '}'");
  EXPECT_EQ(error_of("domain d { }", "instance i { domain = d; }"),
            "i.rddl:1:1: the instance has no state variables");
}

TEST(RddlErrors, InvariantsHoldInitially) {
  EXPECT_EQ(input_error_of([] {
              testing::simulator_of(domain("", "s' = s; n' = n;", "state-invariants { n >= 1; };"),
                                    plain_instance);
            }),
            "i.rddl:1:1: the initial state breaks the invariant at d.rddl:6:20");
}

TEST(RddlErrors, ASumThatIsCompared) {
  const std::string hint =
      " (it extends as far to the right as it can: put a sum that is compared in parentheses, "
      "(sum_{...} ...) <= 1)";
  const std::string cpfs = "s' = s; n' = n;";
  EXPECT_EQ(error_of(domain("", cpfs, "state-action-constraints { sum_{?x : t}[p(?x)] <= 1; };")),
            "d.rddl:6:28: a constraint is int, expected bool" + hint);
  EXPECT_EQ(error_of(domain("", cpfs, "state-invariants { s | (sum_{?x : t}[p(?x)] <= 1 ^ s); };")),
            "d.rddl:6:25: an operand of | is int, expected bool" + hint);
  EXPECT_EQ(in_expression("sum_{?x : t} p(?x) == 1"),
            "d.rddl:5:6: the cpf of 's' gives int, expected bool" + hint);
  EXPECT_EQ(in_expression("sum_{?x : t} p(?x)"), "d.rddl:5:6: the cpf of 's' gives int, expected bool");
}

TEST(RddlErrors, ContradictoryInitialState) {
  const auto instance = [](std::string_view initial) {
    return fmt::format("instance i {{ domain = d; objects {{ t : {{ o1, o2 }}; }};\ninit-state {{ {} }}; }}",
                       initial);
  };
  const std::string text = domain("", "s' = s; n' = n;");
  EXPECT_EQ(error_of(text, instance("p(o1); n = 2; ~p(o1);")),
            "i.rddl:2:28: 'p[o1]' has another value in the same init-state");
  EXPECT_EQ(error_of(text, instance("n = 2; n = 3;")),
            "i.rddl:2:21: 'n' has another value in the same init-state");
  testing::model_of(text, instance("p(o1); n = 2; p(o1) = true; n = 2;"));  // the same twice is harmless
}

TEST(RddlErrors, GroundingIsLimited) {
  std::string objects = "o0";
  for (int i = 1; i < 2000; ++i) objects += ", o" + std::to_string(i);
  const std::string instance = "instance i { domain = d; objects { t : { " + objects + " }; }; }";
  EXPECT_EQ(error_of(domain("big(t, t, t) : { action-fluent, bool };", "s' = s; n' = n;"), instance),
            "d.rddl:3:1: 'big' has more than 5000000 instances, expected fewer objects");
  const auto limited = [&](const std::string& expression, GroundingLimits limits) {
    return input_error_of([&] {
      ground(link_rddl(parse_rddl(domain("", "s' = " + expression + "; n' = n;"), "d.rddl"),
                       parse_rddl(instance, "i.rddl")),
             limits);
    });
  };
  GroundingLimits few_instantiations;
  few_instantiations.instantiations = 100'000;
  EXPECT_EQ(
      limited("exists_{?x : t, ?y : t, ?z : t} [?x == ?y ^ ?y == ?z ^ ?x ~= ?z]", few_instantiations)
          .substr(12),
      " grounding takes more than 100000 instantiations, expected fewer objects or quantified variables");
  GroundingLimits few_nodes;
  few_nodes.nodes = 50'000;
  EXPECT_NE(limited("exists_{?x : t, ?y : t} [p(?x) ^ p(?y)]", few_nodes)
                .find("the ground expressions are too large: more than 50000 nodes, expected fewer objects"),
            std::string::npos);
  GroundingLimits few_variables;
  few_variables.variables = 100;
  EXPECT_NE(limited("s", few_variables).find("'p' has more than 100 instances, expected fewer objects"),
            std::string::npos);
}

TEST(RddlErrors, IntegersNeedBounds) {
  const auto layout_error = [](const std::string& rest, const GivenBits& bits) {
    return input_error_of([&] {
      make_bit_layout(testing::model_of(domain("", "s' = s; n' = n;", rest), plain_instance), bits);
    });
  };
  EXPECT_EQ(layout_error("", {}),
            "d.rddl:5:9: integer 'n' has no upper bound, expected a state invariant "
            "such as 'n <= 7' or bits n=N (or compile reachable_ranges, simulate values)");
  EXPECT_EQ(layout_error("state-invariants { n < 4; };", {}),
            "d.rddl:5:9: integer 'n' has no lower bound, expected a state invariant such as "
            "'n >= 7' or bits n=N (or compile reachable_ranges, simulate values)");
  EXPECT_EQ(layout_error("state-invariants { n < 4 ^ n > 4; };", {}),
            "d.rddl:5:9: no value of 'n' satisfies its bounds");
  EXPECT_EQ(layout_error("state-invariants { n >= 0; n <= 4000000000000000000; };", {}),
            "'n' from 0 to 4000000000000000000 needs more than 60 bits");
  EXPECT_EQ(layout_error("", {{"m", 3}}),
            "bits for 'm', which is not an integer of the model, did you mean 'n'?");
  EXPECT_EQ(layout_error("", {{"s", 3}}),
            "bits for 's', which is not an integer of the model, did you mean 'n'?");
  EXPECT_EQ(layout_error("", {{"n", 40}}), "40 bits for 'n', expected 1 to 32");
  EXPECT_EQ(input_error_of([] { parse_given_bits({"n"}); }),
            "bad bit count 'n', expected NAME=N, or NAME=Ns for signed numbers, with N from 1 to 32");
  EXPECT_EQ(input_error_of([] { parse_given_bits({"n=3x"}); }),
            "bad bit count 'n=3x', expected NAME=N, or NAME=Ns for signed numbers, with N from 1 to 32");
}

}  // namespace
}  // namespace bnnplan::rddl
