// The arithmetic of pol: what each operation gives, that it follows from what it is made of (by brute force
// over all assignments), and every way to write it wrongly.
#include "bnnplan/check/cutting_planes.hpp"

#include <atomic>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "support/proof_text.hpp"

namespace bnnplan::checking {
namespace {

using testing::conclusion;
using testing::proof_of;

PbConstraint parsed(const std::string& text) { return parse_opb(text + " ;", "f.opb").constraints.at(0); }

std::string text_of(const PbConstraint& constraint) {
  std::string text;
  for (const auto& [coefficient, literal] : constraint.terms)
    text += std::to_string(coefficient) + (literal.negated() ? " ~x" : " x") +
            std::to_string(literal.var().index + 1) + " ";
  return text + ">= " + std::to_string(constraint.bound);
}

TEST(CuttingPlanes, EachOperation) {
  EXPECT_EQ(text_of(sum_of(parsed("2 x1 1 x2 >= 2"), parsed("3 ~x1 1 x3 >= 1"))), "1 ~x1 1 x2 1 x3 >= 1");
  EXPECT_EQ(text_of(sum_of(parsed("1 x1 >= 1"), parsed("1 ~x1 >= 1"))), ">= 1");
  EXPECT_EQ(text_of(multiplied(parsed("2 x1 1 ~x2 >= 2"), 3)), "6 x1 3 ~x2 >= 6");
  EXPECT_EQ(text_of(divided_up(parsed("2 x1 3 ~x2 4 x3 >= 5"), 2)), "1 x1 2 ~x2 2 x3 >= 3");
  EXPECT_EQ(text_of(divided_up({{{3, Lit::positive({0})}}, -5}, 2)), "2 x1 >= -2");
  EXPECT_EQ(text_of(saturated(parsed("7 x1 1 ~x2 >= 3"))), "3 x1 1 ~x2 >= 3");
  EXPECT_EQ(text_of(saturated({{{3, Lit::positive({0})}}, 0})), ">= 0");
  EXPECT_EQ(text_of(weakened(parsed("2 x1 3 ~x2 >= 4"), {1})), "2 x1 >= 1");
  EXPECT_EQ(text_of(weakened(parsed("2 x1 3 ~x2 >= 4"), {2})), "2 x1 3 ~x2 >= 4");
}

TEST(CuttingPlanes, RefuseWhatDoesNotFit) {
  const PbConstraint large = parsed("4611686018427387904 x1 1 x2 >= 1");
  EXPECT_THROW(sum_of(large, large), OverflowError);
  EXPECT_THROW(multiplied(large, 2), OverflowError);
  EXPECT_THROW(multiplied({{}, INT64_MAX}, 2), OverflowError);
  EXPECT_THROW(weakened({{{2, Lit::positive({0})}}, INT64_MIN + 1}, {0}), OverflowError);
}

bool holds(const PbConstraint& constraint, unsigned assignment) {
  std::int64_t sum = 0;
  for (const auto& [coefficient, literal] : constraint.terms)
    if (((assignment >> literal.var().index & 1) != 0) != literal.negated()) sum += coefficient;
  return sum >= constraint.bound;
}

TEST(CuttingPlanes, EverythingFollows) {
  std::mt19937 random(7);
  constexpr int variables = 4;
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const auto any = [&] {
    std::vector<PbConstraint::Term> terms;
    for (std::uint32_t v = 0; v < variables; ++v)
      if (below(3) > 0) terms.push_back({below(9) - 4, Lit::positive({v})});
    return normal_constraint(terms, below(7) - 2);
  };
  for (int round = 0; round < 2000; ++round) {
    const PbConstraint a = any(), b = any();
    const std::int64_t number = 1 + below(4);
    const Var variable{static_cast<std::uint32_t>(below(variables))};
    for (unsigned assignment = 0; assignment < 1u << variables; ++assignment) {
      if (!holds(a, assignment)) continue;
      EXPECT_TRUE(holds(multiplied(a, number), assignment));
      EXPECT_TRUE(holds(divided_up(a, number), assignment)) << text_of(a) << " by " << number;
      EXPECT_TRUE(holds(saturated(a), assignment)) << text_of(a);
      EXPECT_TRUE(holds(weakened(a, variable), assignment)) << text_of(a);
      if (holds(b, assignment)) {
        EXPECT_TRUE(holds(sum_of(a, b), assignment)) << text_of(a) << ", " << text_of(b);
      }
    }
  }
}

// Two of any three: by rup alone nothing follows, the sum divided by two says it.
const char* const odd_cycle = "min: 1 x1 1 x2 1 x3 ;\n1 x1 1 x2 >= 1 ;\n1 x2 1 x3 >= 1 ;\n1 x1 1 x3 >= 1 ;\n";

TEST(ProofSums, ProveWhatPropagationDoesNotSee) {
  const PbFormula formula = parse_opb(odd_cycle, "f.opb");
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    const std::string end = version == "1.2" ? "c 6" : conclusion("BOUNDS 2 : 6 2");
    const ProofCheck check = check_proof(
        formula, proof_of(version, 3, {"improve x1 x2 ~x3", "pol 1 2 + 3 + 2 d", "pol 4 5 +", end}));
    EXPECT_EQ(check.claim, ProofCheck::Claim::optimal) << check.refusal;
    EXPECT_EQ(check.value, 2);
    EXPECT_EQ(check.steps, 2u);
    // The other operations on the way: x1 >= 0 added and left out again, doubled, cut off.
    const ProofCheck long_way = check_proof(
        formula, proof_of(version, 3,
                          {"improve x1 x2 ~x3", "pol 1 2 + 3 + x1 + 2 * x1 w 1 d s 1 2 + 3 + 2 d +",
                           "pol 1 2 + 3 + 2 d 4 +", end}));
    EXPECT_EQ(long_way.claim, ProofCheck::Claim::optimal) << long_way.refusal;
    EXPECT_EQ(
        check_proof(formula, proof_of(version, 3, {"improve x1 x2 ~x3", "rup 1 x1 1 x2 1 x3 >= 2"})).refusal,
        "line 4: the constraint does not follow by unit propagation");
  }
}

TEST(ProofSums, CheckingCanBeInterrupted) {
  const PbFormula formula = parse_opb(odd_cycle, "f.opb");
  const std::string proof = proof_of("3.0", 3, {"improve x1 x2 ~x3", "pol 1 2 + 3 + 2 d"});
  std::atomic<bool> stop = false;
  Limits limits;
  limits.interrupt = &stop;
  LimitWatch watch(limits);
  EXPECT_EQ(check_proof(formula, proof, &watch).refusal, check_proof(formula, proof).refusal);
  stop = true;
  EXPECT_THROW(check_proof(formula, proof, &watch), LimitReached);
}

TEST(ProofSums, AreWrittenInOneWay) {
  const PbFormula formula = parse_opb(odd_cycle, "f.opb");
  const auto refusal = [&](const std::string& version, const std::string& step) {
    return check_proof(formula,
                       proof_of(version, 3, {"improve x1 x2 ~x3", "rup 1 x1 1 x2 >= 1", "del id 5", step}))
        .refusal;
  };
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    EXPECT_EQ(refusal(version, "pol"), "line 6: 'pol' leaves 0 constraints, expected one");
    EXPECT_EQ(refusal(version, "pol 1 2"), "line 6: 'pol' leaves 2 constraints, expected one");
    EXPECT_EQ(refusal(version, "pol +"), "line 6: '+' without two constraints before it");
    EXPECT_EQ(refusal(version, "pol 1 +"), "line 6: '+' without two constraints before it");
    EXPECT_EQ(refusal(version, "pol s"), "line 6: 's' without a constraint before it");
    EXPECT_EQ(refusal(version, "pol 2 *"), "line 6: '*' without a constraint before it");
    EXPECT_EQ(refusal(version, "pol 2 d"), "line 6: 'd' without a constraint before it");
    EXPECT_EQ(refusal(version, "pol x1 w"), "line 6: 'w' without a constraint before it");
    EXPECT_EQ(refusal(version, "pol 1 ~x1 w"), "line 6: 'w' after a negated literal, expected a variable");
    EXPECT_EQ(refusal(version, "pol 1 x9 w"), "line 6: variable 'x9' is not in the formula");
    EXPECT_EQ(refusal(version, "pol 1 x9 +"), "line 6: variable 'x9' is not in the formula");
    EXPECT_EQ(refusal(version, "pol 1 y +"), "line 6: 'y', expected a literal such as x1 or ~x1");
    EXPECT_EQ(refusal(version, "pol 1 *"), "line 6: '*' without a constraint before it");
    EXPECT_EQ(refusal(version, "pol 1 -1 *"), "line 6: '-1 *', expected a number above 0");
    EXPECT_EQ(refusal(version, "pol 1 0 *"), "line 6: '0 *', expected a number above 0");
    EXPECT_EQ(refusal(version, "pol 1 0 d"), "line 6: '0 d', expected a number above 0");
    EXPECT_EQ(refusal(version, "pol 1 -2 d"), "line 6: '-2 d', expected a number above 0");
    EXPECT_EQ(refusal(version, "pol 1 x1 *"), "line 6: 'x1', expected a whole number");
    EXPECT_EQ(refusal(version, "pol 7"), "line 6: there is no constraint 7, expected 1 to 5");
    EXPECT_EQ(refusal(version, "pol 0"), "line 6: there is no constraint 0, expected 1 to 5");
    EXPECT_EQ(refusal(version, "pol -1"), "line 6: there is no constraint -1, expected 1 to 5");
    EXPECT_EQ(refusal(version, "pol 5"), "line 6: constraint 5 was deleted");
    EXPECT_EQ(refusal(version, "pol 1 9223372036854775807 * 2 9223372036854775807 * +"),
              "line 6: number too large: it does not fit into 64 bits");
    std::string many = "pol";
    for (int i = 0; i < 1002; ++i) many += " 1";
    EXPECT_EQ(refusal(version, many), "line 6: more than 1000 constraints at once");
  }
}

TEST(ProofSums, ABoundIsNoStrongerThanWhatWasAdded) {
  const PbFormula formula = parse_opb(odd_cycle, "f.opb");
  // Without rounding the sum says that 3/2 are needed; doubled, that 3 are, of twice the objective.
  for (const std::string sum : {"pol 1 2 + 3 +", "pol 1 2 + 3 + 3 d", "pol 1 2 +", "pol 1 2 + 3 + 2 d 2 *",
                                "pol 1 2 + 3 + s", "pol 1 2 + 3 + 2 d x3 w"}) {
    const ProofCheck check =
        check_proof(formula, proof_of("1.2", 3, {"improve x1 x2 x3", sum, "pol 4 5 +", "c 6"}));
    EXPECT_EQ(check.refusal, "line 6: constraint 6 is not a contradiction") << sum;
  }
  EXPECT_EQ(check_proof(formula, proof_of("1.2", 3, {"pol x1 ~x1 +", "c 4"})).refusal,
            "line 4: constraint 4 is not a contradiction")
      << "a literal is at least 0, no more";
}

}  // namespace
}  // namespace bnnplan::checking
