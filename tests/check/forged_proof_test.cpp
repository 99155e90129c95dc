// Forged proofs: every line of them would pass by itself, and the claim is
// false. fuzz/random_proof looks for more of them.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/check/pb_words.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "support/input_error_of.hpp"
#include "support/proof_text.hpp"

namespace bnnplan::checking {
namespace {

using testing::conclusion;
using testing::proof_of;

TEST(ForgedProof, WhatASolutionDemandsIsNotDeleted) {
  const PbFormula formula = parse_opb("min: +5 x1 +9 x2 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  const std::vector<std::string> derived = {"improve x1 ~x2", "rup 1 x2 >= 1", "rup 1 ~x1 >= 1"};
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    std::vector<std::string> forged = derived;
    for (const std::string step : {"del id 2", "improve ~x1 x2", "rup >= 1"}) forged.push_back(step);
    forged.push_back(version == "1.2" ? "c 6" : conclusion("BOUNDS 9 : 6 9"));
    const ProofCheck check = check_proof(formula, proof_of(version, 1, forged));
    EXPECT_FALSE(check.accepted) << "optimal with " << check.value;
    EXPECT_EQ(check.refusal, "line 6: the constraint of a solution may not be deleted");
    // The same with nothing deleted: what was derived is right, and the optimum is the first solution's.
    std::vector<std::string> honest = derived;
    honest.push_back("rup >= 1");
    honest.push_back(version == "1.2" ? "c 5" : conclusion("BOUNDS 5 : 5 5"));
    const ProofCheck right = check_proof(formula, proof_of(version, 1, honest));
    EXPECT_EQ(right.claim, ProofCheck::Claim::optimal) << right.refusal;
    EXPECT_EQ(right.value, 5);
  }
}

TEST(ForgedProof, ASolutionIsBetterThanAllBefore) {
  const PbFormula formula = parse_opb("min: +5 x1 +9 x2 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    const auto refusal = [&](const std::vector<std::string>& steps) {
      return check_proof(formula, proof_of(version, 1, steps)).refusal;
    };
    EXPECT_EQ(refusal({"improve x1 ~x2", "improve ~x1 x2"}),
              "line 4: the solution violates a constraint or leaves something open");
    EXPECT_EQ(refusal({"improve x1 ~x2", "improve x1 ~x2"}),
              "line 4: the solution violates a constraint or leaves something open")
        << "as good is not better";
    EXPECT_EQ(refusal({"show x1 ~x2", "show ~x1 x2"}),
              "line 4: a solution of value 9 after one of value 5, expected a better one");
    EXPECT_EQ(refusal({"show x1 ~x2", "improve ~x1 x2"}),
              "line 4: a solution of value 9 after one of value 5, expected a better one");
  }
  EXPECT_EQ(check_proof(formula, proof_of("3.0", 1, {"show x1 ~x2", "show x1 ~x2"})).refusal,
            "line 4: a solution of value 5 after one of value 5, expected a better one");
  const ProofCheck best = check_proof(
      formula, proof_of("3.0", 1, {"improve x1 x2", "improve ~x1 x2", "improve x1 ~x2", conclusion("SAT")}));
  EXPECT_EQ(best.claim, ProofCheck::Claim::satisfiable) << best.refusal;
  EXPECT_EQ(best.value, 5);
  EXPECT_EQ(best.solutions, 3u);
}

TEST(ForgedProof, WhatASolutionExcludesIsNotDeleted) {
  const PbFormula formula = parse_opb("+1 x1 +1 x2 >= 1 ;", "f.opb");
  EXPECT_EQ(check_proof(formula, proof_of("1.2", 1, {"show x1 x2", "del id 2", "show x1 x2"})).refusal,
            "line 4: the constraint of a solution may not be deleted");
}

TEST(ForgedProof, ANumberIsThatOfAConstraint) {
  const PbFormula formula = parse_opb("min: 1 x1 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  for (const char* number : {"3", "0", "-1", "9223372036854775807", "4294967297"}) {
    const ProofCheck check =
        check_proof(formula, proof_of("1.2", 1, {"improve ~x1 x2", std::string("c ") + number}));
    EXPECT_EQ(check.refusal, std::string("line 4: there is no constraint ") + number + ", expected 1 to 2");
  }
}

TEST(ForgedProof, AContradictionNeedsABoundAboveAllCoefficients) {
  // 2^63 - 1 is reached by both together, and nothing overflows on the way.
  const PbFormula formula = parse_opb("+4611686018427387903 x1 +4611686018427387904 x2 >= 1 ;", "f.opb");
  const auto check = [&](const std::string& step) {
    return check_proof(formula, proof_of("1.2", 1, {step, "c 2"}));
  };
  EXPECT_EQ(check("rup 4611686018427387903 x1 4611686018427387904 x2 >= 9223372036854775807").refusal,
            "line 3: the constraint does not follow by unit propagation");
  EXPECT_EQ(check("rup 9223372036854775807 x1 9223372036854775807 x2 >= 1").refusal,
            "line 3: number too large: it does not fit into 64 bits");
  EXPECT_EQ(check("rup 1 x1 >= -9223372036854775808").refusal,
            "line 3: number too large: it does not fit into 64 bits");
  EXPECT_EQ(check("rup -9223372036854775808 x1 >= 1").refusal,
            "line 3: number too large: it does not fit into 64 bits");
  EXPECT_EQ(check("rup 4611686018427387903 x1 4611686018427387904 x2 >= 1").refusal,
            "line 4: constraint 2 is not a contradiction");
  // "Better than this" would need a number below the least of 64 bits.
  const PbFormula deep = parse_opb("min: -9223372036854775807 x1 ;\n", "f.opb");
  const ProofCheck optimal = check_proof(deep, proof_of("1.2", 0, {"improve x1", "rup >= 1", "c 2"}));
  EXPECT_FALSE(optimal.accepted);
  EXPECT_EQ(optimal.refusal, "line 3: number too large: it does not fit into 64 bits");
}

TEST(ForgedProof, ASolutionIsOneAssignment) {
  const PbFormula formula = parse_opb("min: +5 x1 +9 x2 +0 x3 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    const auto refusal = [&](const std::string& literals) {
      return check_proof(formula, proof_of(version, 1, {"improve " + literals})).refusal;
    };
    const std::string open = "line 3: the solution violates a constraint or leaves something open";
    EXPECT_EQ(refusal("x1 ~x1 ~x2 x3"), open) << "both ways";
    EXPECT_EQ(refusal("~x1 ~x2 x2 x3"), open) << "what follows, and its opposite";
    EXPECT_EQ(refusal("x1 x3"), open) << "x2 may be either";
    EXPECT_EQ(refusal(""), open);
    EXPECT_EQ(refusal("x1 ~x2"), "line 3: the solution leaves a variable of the objective open");
    EXPECT_EQ(refusal("x1 ~x2 x3 x4"), "line 3: variable 'x4' is not in the formula");
    const std::string end = version == "1.2" ? "c 3" : conclusion("BOUNDS 5 : 3 5");
    for (const std::string literals : {"x1 x1 ~x2 x3", "~x2 ~x3"})  // said twice; x1 follows
      EXPECT_EQ(check_proof(formula, proof_of(version, 1, {"improve " + literals, "rup >= 1", end})).value,
                5);
  }
}

TEST(ForgedProof, RulesOfOthersAreRefused) {
  const PbFormula formula = parse_opb("min: +5 x1 +9 x2 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  const auto refusal = [&](const std::string& version, const std::string& step) {
    return check_proof(formula, proof_of(version, 1, {"improve x1 ~x2", "rup 1 x1 >= 0", step})).refusal;
  };
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    for (const std::string rule : {"p 1 2 +", "a 1 x1 >= 1", "dom 1 x1 >= 1 ; x1 -> 1", "d 2", "delc 2",
                                   "deld 2", "core id 2", "e 1 x1 >= 1", "obju new 1 x1", "w 1"})
      EXPECT_EQ(refusal(version, rule), "line 5: unknown rule '" + rule.substr(0, rule.find(' ')) + "'");
    for (const std::string step :
         {"del spec 1 x1 >= 0", "del range 3 4", "del find 1 x1 >= 0", "del id", "del"})
      EXPECT_EQ(refusal(version, step), "line 5: expected 'del id' and numbers of constraints") << step;
    for (const std::string step : {"del id 3 : : x", "del id 3 *"})
      EXPECT_NE(refusal(version, step).find("expected a whole number"), std::string::npos) << step;
  }
  EXPECT_EQ(check_proof(formula, "pseudo-Boolean proof version 1.2\nf 1\nrup 1 x1 1 x2 >= 1 ; 1\n").refusal,
            "line 3: unterminated constraint, expected ';'")
      << "hints";
  EXPECT_EQ(refusal("3.0", "rup 1 x1 >= 0 : 1"), "line 5: expected 'rup', terms, '>=', a number");
  for (const std::string text : {"BOUNDS INF : 2 INF", "BOUNDS 5 5", "BOUNDS 5 : 2",
                                 "BOUNDS 5 : 2 5 : x1 ~x2", "UNSAT", "SAT : x1 ~x2", "DERIVABLE", ""})
    EXPECT_NE(refusal("3.0", conclusion(text)), "") << text;
}

TEST(ForgedProof, AVariableHasOneName) {
  const PbFormula formula = parse_opb("min: 1 x1 ;\n+1 x1 +1 x2 >= 1 ;", "f.opb");
  for (const std::string name : {"x01", "x+1", "x 1", "x1a", "X1", "~~x1", "x", "~", "x-1"}) {
    const ProofCheck check = check_proof(formula, proof_of("1.2", 1, {"improve " + name + " x2"}));
    const std::string shown = name == "x 1" ? "x" : name;
    EXPECT_EQ(check.refusal, "line 3: '" + shown + "', expected a literal such as x1 or ~x1");
    if (name != "x 1") {
      EXPECT_EQ(testing::input_error_of([&] { parse_opb("1 " + name + " >= 1 ;", "f.opb"); }),
                "f.opb:1: '" + name + "', expected a variable x1, x2, ...");
    }
  }
  EXPECT_EQ(check_proof(formula, proof_of("1.2", 1, {"rup +-1 x1 >= 1"})).refusal,
            "line 3: '+-1', expected a whole number");
  EXPECT_EQ(testing::input_error_of([] { parse_opb("+-1 x1 >= 1 ;", "f.opb"); }),
            "f.opb:1: '+-1', expected a whole number");
}

TEST(ForgedProof, CommentsOfAFormulaAreWholeLines) {
  EXPECT_EQ(parse_opb("* one\n  * two\n1 x1\n* three\n>= 1 ;", "f.opb").constraints.size(), 1u);
  EXPECT_EQ(testing::input_error_of([] { parse_opb("1 x1 >= 1 ; * 1 x2 >= 1 ;", "f.opb"); }),
            "f.opb:1: '*', expected a whole number")
      << "others would read a second constraint, or none";
}

TEST(PbWords, Numbers) {
  EXPECT_EQ(whole_number("+12"), 12);
  EXPECT_EQ(whole_number("-9223372036854775808"), INT64_MIN);
  for (const char* word : {"", "+", "-", "--1", "+-1", "1.0", "1e3", " 1", "9223372036854775808", "0x1"})
    EXPECT_EQ(whole_number(word), std::nullopt) << word;
}

TEST(PbWords, Literals) {
  EXPECT_EQ(literal_of("~x3", 3), Lit::negative({2}));
  EXPECT_EQ(literal_of("x4", 3), std::nullopt);
  EXPECT_EQ(literal_of("x0", 3), std::nullopt);
  EXPECT_EQ(literal_of("x18446744073709551617", most_variables), std::nullopt);
}

}  // namespace
}  // namespace bnnplan::checking
