// What RDDL text means, feature by feature, on expressions evaluated in one step.
#include <algorithm>

#include <gtest/gtest.h>

#include "rddl/rddl_text.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::Scene;
using testing::simulator_of;

// The value of an integer expression over b1 = true, b0 = false, five = 5, minus = -3, HALF = 0.5 and the
// objects o1, o2, o3 with N(o1) = 1, N(o2) = 2, N(o3) = 4; colour is @green.
std::int64_t value(const std::string& expression) {
  const std::string domain = R"(
    domain d {
      requirements = { reward-deterministic, integer-valued };
      types { thing : object; colour-type : { @red, @green, @blue }; };
      pvariables {
        N(thing) : { non-fluent, int, default = 0 };
        HALF : { non-fluent, real, default = 0.5 };
        FAVOURITE : { non-fluent, thing, default = o2 };
        b1 : { state-fluent, bool, default = true };
        b0 : { state-fluent, bool, default = false };
        five : { state-fluent, int, default = 5 };
        minus : { state-fluent, int, default = -3 };
        colour : { state-fluent, colour-type, default = @green };
        marked(thing) : { state-fluent, bool, default = false };
        twice : { interm-fluent, int, level = 1 };
        result : { state-fluent, int, default = 0 };
        act : { action-fluent, bool, default = false };
      };
      cpfs {
        b1' = b1; b0' = b0; five' = KronDelta(five); minus' = minus; colour' = colour;
        marked'(?t) = marked(?t);
        twice = five * 2;
        result' = )" + expression +
                             R"(;
      };
      reward = 0;
    })";
  const std::string instance = R"(
    non-fluents n { domain = d; objects { thing : { o1, $o2, o3 }; }; non-fluents { N(o1) = 1; N($o2) = 2; N(o3) = 4; }; }
    instance i { domain = d; non-fluents = n; init-state { marked(o3) = true; ~marked(o1); }; horizon = 3; })";
  Simulator simulator = simulator_of(domain, instance);
  Scene scene(simulator);
  return scene.step()["result"];
}

TEST(Language, TextForUsThatOthersTakeForAComment) {
  const auto goals = [](std::string_view line) {
    return testing::model_of(
               "domain d { pvariables { p : { state-fluent, bool }; }; cpfs { p' = p; }; reward = 0; }",
               "instance i { domain = d;\n" + std::string(line) + "\n}")
        .goals.size();
  };
  EXPECT_EQ(goals("//! goal-state { p; };"), 1u);
  EXPECT_EQ(goals("//! goal-state { p; };  // and a comment"), 1u);
  EXPECT_EQ(goals("// ! goal-state { p; };"), 0u);
}

TEST(Language, Arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(value("(1 + 2) * [3 - 4]"), -3);
  EXPECT_EQ(value("five - minus - 1"), 7);
  EXPECT_EQ(value("-five + +2"), -3);
  EXPECT_EQ(value("- -five"), 5);
  EXPECT_EQ(value("floor[five / 2]"), 2);
  EXPECT_EQ(value("ceil[five / 2]"), 3);
  EXPECT_EQ(value("floor[minus / 2]"), -2);
  EXPECT_EQ(value("floor[five * HALF] + ceil(HALF)"), 3);
  EXPECT_EQ(value("mod[minus, 2]"), 1);
  EXPECT_EQ(value("div[minus, 2]"), -2);
  EXPECT_EQ(value("div[five, five - 3]"), 2);
  EXPECT_EQ(value("abs[minus] + abs(five)"), 8);
  EXPECT_EQ(value("min[five, minus, 4] + max[five, minus]"), 2);
  EXPECT_EQ(value("twice + 1"), 11);
  EXPECT_EQ(value("floor[abs[minus * HALF]] + floor[max[five * HALF, 2.75, minus]]"), 3);
}

TEST(Language, BooleansAreZeroAndOne) {
  EXPECT_EQ(value("b1 + b1 + b0"), 2);
  EXPECT_EQ(value("five * (b1 ^ ~b0)"), 5);
  EXPECT_EQ(value("b1"), 1);
  EXPECT_EQ(value("(five > 3) + (five >= 5) + (five < 5) + (five <= 5) + (five == 5) + (five ~= 5)"), 4);
  EXPECT_EQ(value("b1 == 1"), 1);
  EXPECT_EQ(value("abs[b1] + (b1 == 2) + (b0 == false)"), 2);
}

TEST(Language, LogicAndPrecedence) {
  EXPECT_EQ(value("b0 ^ b0 | b1"), 1) << "^ binds stronger than |";
  EXPECT_EQ(value("b1 | b0 ^ b0"), 1);
  EXPECT_EQ(value("b1 & b1"), 1);
  EXPECT_EQ(value("~b0 ^ b0"), 0) << "~ binds stronger than ^";
  EXPECT_EQ(value("~b1 == b0"), 1) << "~ binds stronger than ==";
  EXPECT_EQ(value("~b1 <= b1"), 1);
  EXPECT_EQ(value("~b0 * 3"), 3);
  EXPECT_EQ(value("b0 => b0"), 1);
  EXPECT_EQ(value("b1 => b0"), 0);
  EXPECT_EQ(value("b0 => b0 => b0"), 0) << "from the left";
  EXPECT_EQ(value("b0 <=> b0"), 1);
  EXPECT_EQ(value("b1 <=> b0 | b1"), 1);
  EXPECT_EQ(value("five - 2 == 3 ^ b1"), 1);
}

TEST(Language, ConditionsAndSwitches) {
  EXPECT_EQ(value("if (b0) then 1 else 2"), 2);
  EXPECT_EQ(value("if (b0) then 1 else if (b1) then 2 else 3"), 2);
  EXPECT_EQ(value("1 + if (b1) then 1 else 2 + 10"), 2) << "reaches to the right";
  EXPECT_EQ(value("switch (colour) { case @red : 1, case @green : 2, case @blue : 3 }"), 2);
  EXPECT_EQ(value("switch (colour) { case @red : 1, default : 7 }"), 7);
  EXPECT_EQ(value("switch (colour) { default : 7, case @red : 1, case @green : 2 }"), 2);
  EXPECT_EQ(value("switch (colour) { case @red : 1, default : 7, case @blue : 2 }"), 7);
  EXPECT_EQ(value("switch (colour) { default : 7 }"), 7);
  EXPECT_EQ(value("switch (five) { case 5 : 1, default : 0 }"), 1);
  EXPECT_EQ(value("switch (five) { case -5 : 1, default : 0 }"), 0);
  EXPECT_EQ(value("switch (b1) { case true : 4, case false : 5 }"), 4);
  EXPECT_EQ(value("colour == @green"), 1);
  EXPECT_EQ(value("colour ~= @green"), 0);
}

TEST(Language, Quantifiers) {
  EXPECT_EQ(value("sum_{?t : thing} N(?t)"), 7);
  EXPECT_EQ(value("prod_{?t : thing} N(?t)"), 8);
  EXPECT_EQ(value("min_{?t : thing} [N(?t) + five]"), 6);
  EXPECT_EQ(value("max_{?t : thing} N(?t)"), 4);
  EXPECT_EQ(value("exists_{?t : thing} marked(?t)"), 1);
  EXPECT_EQ(value("forall_{?t : thing} marked(?t)"), 0);
  EXPECT_EQ(value("forall_{?t : thing} [marked(?t) => N(?t) == 4]"), 1);
  EXPECT_EQ(value("sum_{?t : thing, ?u : thing} [(?t ~= ?u) * N(?t)]"), 14);
  EXPECT_EQ(value("sum_{?t : thing} [sum_{?u : thing} (?t == ?u)]"), 3);
  EXPECT_EQ(value("sum_{?c : colour-type} (?c == colour)"), 1);
  EXPECT_EQ(value("[sum_{?t : thing} N(?t)] + 1"), 8);
  EXPECT_EQ(value("sum_{?t : thing} N(?t) + 1"), 10) << "reaches to the right";
}

TEST(Language, ObjectLiterals) {
  EXPECT_EQ(value("N($o3) + N(o2)"), 6);
  EXPECT_EQ(value("exists_{?t : thing} [?t == $o2 ^ marked(?t)]"), 0);
  EXPECT_EQ(value("exists_{?t : thing} [?t == o3 ^ marked(?t)]"), 1);
  EXPECT_EQ(value("sum_{?t : thing} [(?t == FAVOURITE) * N(?t)]"), 2);
}

TEST(Language, NextValuesOfOthers) { EXPECT_EQ(value("five' + 1"), 6); }

TEST(Language, CommentsAnywhere) { EXPECT_EQ(value("1 // one\n + /* two */ 2"), 3); }

// As pyRDDLGym reads them.
TEST(Language, EmptyParenthesesAndByteOrderMark) {
  Simulator simulator = simulator_of(
      "\xef\xbb\xbf"
      "domain d { pvariables { s() : { state-fluent, bool }; N() : { non-fluent, int, default = 1 };"
      " a() : { action-fluent, bool }; m : { interm-fluent, bool }; };"
      " cpfs { s'() = m() ^ (N() == 2) ^ ~s; m() = a() | s(); }; }",
      "\xef\xbb\xbf"
      "non-fluents n { domain = d; non-fluents { N() = 2; }; }"
      " instance i { domain = d; non-fluents = n; init-state { s() = true; }; }");
  EXPECT_EQ(simulator.initial_state(), StateValues{1});
  EXPECT_EQ(simulator.step({1}, {1}), StateValues{0});
  EXPECT_EQ(simulator.step({0}, {1}), StateValues{1});
}

// A table of four million values, of which two are given, is no reason to refuse a domain.
TEST(Language, LargeNonFluents) {
  std::string objects = "o0";
  for (int i = 1; i < 2000; ++i) objects += ", o" + std::to_string(i);
  Simulator simulator = simulator_of(
      "domain d { types { t : object; }; pvariables { NEAR(t, t) : { non-fluent, bool };"
      " s(t) : { state-fluent, bool }; a : { action-fluent, bool }; };"
      " cpfs { s'(?x) = s(?x) | (a ^ NEAR($o1, ?x)); }; }",
      "non-fluents n { domain = d; objects { t : { " + objects +
          " }; }; non-fluents { NEAR(o1, o3); NEAR(o1999, o2); }; } instance i { domain = d; non-fluents = "
          "n; }");
  const StateValues next = simulator.step(simulator.initial_state(), {1});
  EXPECT_EQ(std::count(next.begin(), next.end(), 1), 1);
  EXPECT_EQ(next[3], 1);
}

TEST(Language, LongChainsAreNotDeep) {
  std::string sum = "0";
  for (int i = 0; i < 20'000; ++i) sum += " + 1 - b0";
  EXPECT_EQ(value(sum), 20'000);
  std::string choice;
  for (int i = 0; i < 2'000; ++i) choice += "if (five == " + std::to_string(100 + i) + ") then 0 else ";
  EXPECT_EQ(value(choice + "9"), 9);
}

TEST(Language, ArithmeticThatGoesWrongIsToldWhenItHappens) {
  EXPECT_EQ(value("if (b0) then div[five, 0] else 1"), 1) << "not evaluated";
  EXPECT_EQ(testing::input_error_of([] { value("div[five, b0 + 0]"); }).substr(0, 10), "d.rddl:23:");
  EXPECT_NE(testing::input_error_of([] { value("floor[five / (minus + 3)]"); }).find("division by zero"),
            std::string::npos);
  EXPECT_NE(testing::input_error_of([] {
              value("five * 4611686018427387904");
            }).find("number too large: it does not fit into 64 bits"),
            std::string::npos);
  EXPECT_NE(testing::input_error_of([] { value("4611686018427387904 * 4"); }).find("number too large"),
            std::string::npos);
}

TEST(Language, IntermediateChainsOverObjects) {
  Simulator simulator = simulator_of(R"(
    domain d {
      types { place : object; };
      pvariables {
        BEFORE(place, place) : { non-fluent, bool, default = false };
        s : { state-fluent, int, default = 1 };
        count(place) : { interm-fluent, int };
      };
      cpfs {
        count(?p) = 1 + sum_{?q : place} (if (BEFORE(?q, ?p)) then 2 * count(?q) else 0);
        s' = max_{?p : place} count(?p);
      };
    })",
                                     R"(
    non-fluents n { domain = d; objects { place : {a, b, c}; }; non-fluents { BEFORE(c, b); BEFORE(b, a); }; }
    instance i { domain = d; non-fluents = n; init-state { s = 0; }; })");
  EXPECT_EQ(Scene(simulator).step()["s"], 7);
}

TEST(Language, NothingButVariables) {
  Simulator simulator = simulator_of(
      "domain d { pvariables { s : { state-fluent, bool, default = true }; }; cpfs { s' = s; }; }",
      "instance i { domain = d; }");
  EXPECT_EQ(Scene(simulator).step()["s"], 1);
}

TEST(Language, MaxNondefaultActions) {
  Simulator simulator = simulator_of(R"(
    domain d {
      types { t : object; };
      pvariables { s : { state-fluent, bool, default = false }; a(t) : { action-fluent, bool, default = true }; };
      cpfs { s' = exists_{?x : t} ~a(?x); };
    })",
                                     R"(
    instance i { domain = d; objects { t : {o1, o2, o3}; }; max-nondef-actions = 1; horizon = 2; discount = 1; })");
  Scene scene(simulator);
  EXPECT_TRUE(scene.legal());
  EXPECT_TRUE(scene.set("a[o1]", 0).legal());
  EXPECT_FALSE(scene.set("a[o3]", 0).legal());
  EXPECT_EQ(simulator.illegal_because(scene.state, scene.action), "max-nondef-actions = 1");
}

}  // namespace
}  // namespace bnnplan::rddl
