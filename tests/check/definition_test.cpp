// Definitions by red: both halves of a variable that is new, and nothing else.
#include "bnnplan/check/definition.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/check/proof_check.hpp"
#include "support/proof_text.hpp"

namespace bnnplan::checking {
namespace {

using testing::conclusion;
using testing::proof_of;

const char* const two_of_three = "min: 1 x1 1 x2 1 x3 ;\n1 x1 1 x2 1 x3 >= 2 ;\n";

// x4 is "two of the three".
const std::string first_half = "red 1 x1 1 x2 1 x3 2 ~x4 >= 2 : x4 -> 0";
const std::string other_half = "red 1 ~x1 1 ~x2 1 ~x3 2 x4 >= 2 : x4 -> 1";

std::string refusal(const std::string& version, const std::vector<std::string>& steps,
                    const char* text = two_of_three) {
  return check_proof(parse_opb(text, "f.opb"), proof_of(version, 1, steps)).refusal;
}

TEST(Definition, OfANewVariable) {
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    const bool by_lines = version == "1.2";
    for (const bool swapped : {false, true}) {
      const ProofCheck check =
          check_proof(parse_opb(two_of_three, "f.opb"),
                      proof_of(version, 1,
                               {swapped ? other_half : first_half, swapped ? first_half : other_half,
                                swapped ? "pol 1 2 + 2 d" : "pol 1 3 + 2 d", "improve x1 x2 ~x3",
                                swapped ? "pol 3 4 2 * + 5 +" : "pol 2 4 2 * + 5 +",
                                by_lines ? "c 6" : conclusion("BOUNDS 2 : 6 2")}));
      EXPECT_EQ(check.claim, ProofCheck::Claim::optimal) << check.refusal;
      EXPECT_EQ(check.steps, 4u);
    }
    // A number may be left out; later variables may use earlier ones.
    EXPECT_EQ(
        refusal(version, {"red 1 x1 1 ~x9 >= 1 : x9 -> 0", "red 1 ~x1 1 x9 >= 1 : x9 -> 1",
                          "red 1 x9 1 x2 2 ~x12 >= 2 : x12 -> 0", "red 1 ~x9 1 ~x2 1 x12 >= 1 : x12 -> 1",
                          "rup 1 ~x1 1 ~x2 1 x12 >= 1", "rup 1 x12 1 x3 >= 1", "rup 1 x5 >= 0"}),
        "line 9: variable 'x5' is not in the formula");
  }
}

TEST(Definition, OnlyOfAVariableThatIsNotUsed) {
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    EXPECT_EQ(refusal(version, {"red 1 ~x1 >= 1 : x1 -> 0"}), "line 3: variable 'x1' is not new");
    EXPECT_EQ(refusal(version, {"red 1 x1 1 x2 1 ~x3 >= 1 : x3 -> 0"}), "line 3: variable 'x3' is not new");
    EXPECT_EQ(refusal(version, {first_half, other_half, first_half}), "line 5: variable 'x4' is not new");
    EXPECT_EQ(refusal(version, {first_half, other_half, "del id 2", "del id 3", first_half}),
              "line 7: variable 'x4' is not new")
        << "what was derived with it is still there";
    EXPECT_EQ(
        refusal(version, {"red 1 x1 1 ~x9 >= 1 : x9 -> 0", "red 1 ~x1 1 x9 >= 1 : x9 -> 1", first_half}),
        "line 5: variable 'x4' is not new")
        << "numbers only go up";
    // Used before it is defined, or in its own definition.
    EXPECT_EQ(refusal(version, {"rup 1 x4 >= 0", first_half}), "line 3: variable 'x4' is not in the formula");
    EXPECT_EQ(refusal(version, {"red 1 x5 1 ~x4 >= 1 : x4 -> 0"}),
              "line 3: variable 'x5' is not in the formula");
    EXPECT_EQ(refusal(version, {"red 1 x1 1 ~x4 1 x4 >= 2 : x4 -> 0"}),
              "line 3: the constraint does not mention x4");
    EXPECT_EQ(refusal(version, {"improve x1 x2 ~x3 x4"}), "line 3: variable 'x4' is not in the formula");
    EXPECT_EQ(refusal(version, {"red 1 x1 1 ~x1000000000 >= 1 : x1000000000 -> 0"}).substr(0, 48),
              "line 3: 'x1000000000', expected a variable of at")
        << "it would take memory";
  }
}

TEST(Definition, NeedsBothHalvesTogether) {
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    for (const std::string step : {"rup 1 x1 >= 0", "pol 1", "del id 2", "improve x1 x2 ~x3"})
      EXPECT_EQ(refusal(version, {first_half, step}), "line 4: expected the other half of a definition")
          << step;
    const std::string expected = "line 4: expected the other half of the definition of x4";
    EXPECT_EQ(refusal(version, {first_half, first_half}), expected);
    EXPECT_EQ(refusal(version, {first_half, "red 1 x1 1 ~x5 >= 1 : x5 -> 0"}), expected);
    EXPECT_EQ(refusal(version, {first_half, "red 1 ~x1 1 ~x2 1 ~x3 2 x5 >= 2 : x5 -> 1"}), expected);
    const std::string negated = expected + ", with all other literals negated";
    EXPECT_EQ(refusal(version, {first_half, "red 1 x1 1 ~x2 1 ~x3 2 x4 >= 2 : x4 -> 1"}), negated);
    EXPECT_EQ(refusal(version, {first_half, "red 2 ~x1 1 ~x2 1 ~x3 2 x4 >= 2 : x4 -> 1"}), negated);
    EXPECT_EQ(refusal(version, {first_half, "red 1 ~x1 1 ~x2 2 x4 >= 2 : x4 -> 1"}), negated);
    EXPECT_EQ(refusal(version, {first_half, "red 1 x4 >= 1 : x4 -> 1"}), negated) << "x4 would be true";
    // With two of three true, x4 could be neither.
    EXPECT_EQ(refusal(version, {first_half, "red 1 ~x1 1 ~x2 1 ~x3 3 x4 >= 3 : x4 -> 1"}),
              "line 4: there may be no value of x4 that satisfies both halves");
    // Weaker than it could be is right, too.
    EXPECT_EQ(refusal(version, {first_half, "red 1 ~x1 1 ~x2 1 ~x3 2 x4 >= 1 : x4 -> 1", "e"}),
              "line 5: unknown rule 'e'");
  }
  EXPECT_EQ(check_proof(parse_opb(two_of_three, "f.opb"), proof_of("1.2", 1, {"show x1 x2 x3", first_half}))
                .refusal,
            "line 4: the proof stops after half of a definition");
}

TEST(Definition, HasAWitnessThatSatisfiesIt) {
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    EXPECT_EQ(refusal(version, {"red 1 x1 1 x2 1 x3 2 ~x4 >= 2 : x4 -> 1"}),
              "line 3: x4 -> 1 does not satisfy the constraint");
    EXPECT_EQ(refusal(version, {"red 1 x1 1 x2 1 x3 1 ~x4 >= 2 : x4 -> 0"}),
              "line 3: x4 -> 0 does not satisfy the constraint");
    EXPECT_EQ(refusal(version, {"red -1 x1 -3 x2 -1 x4 >= -3 : x4 -> 0"}),
              "line 3: x4 -> 0 does not satisfy the constraint")
        << "negative weights are those of negated literals";
    EXPECT_EQ(refusal(version, {"red 9223372036854775807 x1 9223372036854775807 ~x4 >= 1 : x4 -> 0"}),
              "line 3: number too large: it does not fit into 64 bits");
    const std::string form = version == "1.2"
                                 ? "line 3: expected 'red', a constraint, ';', a variable, '->', 0 or 1"
                                 : "line 3: expected 'red', a constraint, ':', a variable, '->', 0 or 1";
    for (const std::string step :
         {"red", "red 1 x1 1 ~x4 >= 1", "red 1 x1 1 ~x4 >= 1 : x4", "red 1 x1 1 ~x4 >= 1 : x4 0",
          "red 1 x1 1 ~x4 >= 1 : x4 = 0", "red 1 x1 1 ~x4 >= 1 : x4 -> x1", "red 1 x1 1 ~x4 >= 1 : x4 -> 2",
          "red 1 x1 1 ~x4 >= 1 : x4 -> 0 x1 -> 1", "red 1 x1 1 ~x4 >= 1 x4 -> 0",
          "red 1 x1 1 ~x4 >= 1 : x4 -> 0 : begin"})
      EXPECT_EQ(refusal(version, {step}), form) << step;
    EXPECT_EQ(refusal(version, {"red 1 x1 1 ~x4 >= 1 : ~x4 -> 1"}).substr(0, 38),
              "line 3: '~x4', expected a variable of ");
    EXPECT_EQ(refusal(version, {"red 1 x1 1 ~x4 1 : x4 -> 0"}),
              "line 3: expected 'red', terms, '>=', a number");
    EXPECT_EQ(refusal(version, {"red 1 x1 ~x4 >= 1 : x4 -> 0"}),
              "line 3: expected pairs of a coefficient and a literal");
    EXPECT_EQ(refusal(version, {"red >= 1 : x4 -> 0", "e"}), "line 3: the constraint does not mention x4");
  }
}

// Solutions are those of the formula: what was deleted of a definition does not matter, and what remains of
// it cannot refuse one.
// A solution says what every variable is that a constraint mentions, or it follows: so does VeriPB read one.
TEST(Definition, SolutionsGiveEveryVariableAValue) {
  const std::string open = "the solution violates a constraint or leaves something open";
  for (const std::string version : {"1.2", "3.0"}) {
    SCOPED_TRACE(version);
    const bool by_lines = version == "1.2";
    const auto claim = [&](const std::string& first, const std::string& second) {
      return check_proof(parse_opb(two_of_three, "f.opb"),
                         proof_of(version, 1,
                                  {first_half, other_half, "del id 3", first, second, "pol 1 5 +",
                                   by_lines ? "c 6" : conclusion("BOUNDS 2 : 6 2")}));
    };
    EXPECT_EQ(claim("improve x1 x2 x3 x4", "improve x1 x2 ~x3 x4").claim, ProofCheck::Claim::optimal);
    EXPECT_EQ(claim("improve x1 x2 x3 ~x4", "improve x1 x2 ~x3 x4").claim, ProofCheck::Claim::optimal)
        << "the half that would say otherwise is gone";
    EXPECT_EQ(claim("improve x1 x2 x3", "improve x1 x2 ~x3 x4").refusal, "line 6: " + open);
    EXPECT_EQ(claim("improve x1 x2 x3 x4", "improve x1 x2 ~x3").refusal, "line 7: " + open);
    EXPECT_EQ(refusal(version, {first_half, other_half, "del id 2", "del id 3", "improve x1 x2 ~x3"}),
              by_lines ? "line 7: the proof ends without a result"
                       : "line 7: the proof stops without 'end pseudo-Boolean proof'")
        << "nothing mentions x4 any more";
    EXPECT_EQ(refusal(version, {first_half, other_half, "improve x1 x2 ~x3 ~x4"}), "line 5: " + open);
    EXPECT_EQ(refusal(version, {first_half, other_half, "del id 2", "improve x1 x2 ~x3"}), "line 6: " + open)
        << "x4 follows, but only by what is left of its definition";
    EXPECT_EQ(refusal(version, {first_half, other_half, "improve x1 ~x2 ~x3"}),
              "line 5: the solution violates a constraint or leaves something open");
    EXPECT_EQ(refusal(version, {first_half, other_half, "improve x1 x2 ~x3", "improve x1 x2 x3"}),
              "line 6: the solution violates a constraint or leaves something open");
    EXPECT_EQ(refusal(version, {first_half, other_half, "improve x1 x2 x3", "del id 4"}),
              "line 6: the constraint of a solution may not be deleted");
  }
}

// Pairs at random: whatever is accepted leaves a value of the new variable for every assignment.
TEST(Definition, EveryAssignmentExtends) {
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  constexpr std::uint32_t variables = 3;
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<PbConstraint::Term> terms, opposite;
    for (std::uint32_t v = 0; v < variables; ++v) {
      const std::int64_t coefficient = below(4);
      const Lit literal = Lit::of({v}, below(2) == 0);
      terms.push_back({coefficient, literal});
      opposite.push_back({coefficient + (below(20) == 0 ? 1 : 0), below(20) == 0 ? literal : ~literal});
    }
    const Var fresh{variables};
    const std::int64_t bound = below(8) - 1, other_bound = below(8) - 1;
    terms.push_back({below(8), Lit::negative(fresh)});
    opposite.push_back({below(8), below(20) == 0 ? Lit::negative(fresh) : Lit::positive(fresh)});
    const DefinitionHalf first{fresh, false, normal_constraint(terms, bound)};
    const DefinitionHalf second{fresh, below(20) != 0, normal_constraint(opposite, other_bound)};
    if (!flaw_of_half(first).empty() || !flaw_of_half(second).empty() || !flaw_of_pair(first, second).empty())
      continue;
    ++accepted;
    const auto holds = [](const PbConstraint& constraint, unsigned assignment) {
      std::int64_t sum = 0;
      for (const auto& [coefficient, literal] : constraint.terms)
        if (((assignment >> literal.var().index & 1) != 0) != literal.negated()) sum += coefficient;
      return sum >= constraint.bound;
    };
    for (unsigned assignment = 0; assignment < 1u << variables; ++assignment) {
      const unsigned with = assignment | 1u << variables;
      EXPECT_TRUE((holds(first.constraint, assignment) && holds(second.constraint, assignment)) ||
                  (holds(first.constraint, with) && holds(second.constraint, with)));
    }
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace bnnplan::checking
