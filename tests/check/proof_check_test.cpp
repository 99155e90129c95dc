// Proofs are accepted as the engine writes them and refused after any change that makes them wrong: each kind
// of line, in both versions.
#include "bnnplan/check/proof_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/problem_formula.hpp"
#include "bnnplan/engines/engine.hpp"
#include "support/input_error_of.hpp"
#include "support/random_problem.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::checking {
namespace {

// x1 = 0 needs both of the others, which the equation (two constraints) forbids; x1 = 1 and one of the others
// cost 3.
const char* const small_formula =
    "* a comment\nmin: +2 x1 +1 x2 +1 x3 ;\n+1 x1 +1 x2 >= 1 ;\n+1 x1 +1 x3 >= 1 ;\n+1 x2 +1 x3 = 1 ;\n";

const char* const small_proof =
    "pseudo-Boolean proof version 1.2\n"
    "* x1 must be true\n"
    "f 4\n"
    "rup 1 x1 >= 1 ;\n"
    "o x1 x2 ~x3\n"
    "rup 1 x1 1 x2 >= 1 ;\n"
    "del id 7\n"
    "rup >= 1 ;\n"
    "c 8\n";

const char* const small_proof_3 =
    "pseudo-Boolean proof version 3.0\n"
    "f 4 ;\n"
    "rup 1 x1 >= 1 ;\n"
    "soli x1 x2 ~x3 ;\n"
    "rup 1 x1 1 x2 >= 1 ;\n"
    "del id 7 ;\n"
    "rup >= 1 ;\n"
    "output NONE ;\n"
    "conclusion BOUNDS 3 : 8 3 ;\n"
    "end pseudo-Boolean proof ;\n";

ProofCheck check_small(const std::string& proof) {
  return check_proof(parse_opb(small_formula, "f.opb"), proof);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(ProofCheck, AcceptsBothVersions) {
  for (const char* proof : {small_proof, small_proof_3}) {
    const ProofCheck check = check_small(proof);
    EXPECT_TRUE(check.accepted) << check.refusal;
    EXPECT_EQ(check.claim, ProofCheck::Claim::optimal);
    EXPECT_EQ(check.value, 3);
    EXPECT_EQ(check.steps, 3u);
    EXPECT_EQ(check.solutions, 1u);
  }
}

struct Mutation {
  const char *what, *by, *refusal;
};

TEST(ProofCheck, RefusesEachAlteredLine) {
  for (const Mutation& m : std::vector<Mutation>{
           {"version 1.2", "version 2.0", "line 1: proof version '2.0', expected 1.2 or 3.0"},
           {"pseudo-Boolean proof version 1.2", "proof",
            "line 1: expected 'pseudo-Boolean proof version 1.2'"},
           {"f 4", "f 5",
            "line 3: the formula has 4 constraints (an equation counts as two), the proof says '5'"},
           {"f 4\n", "", "line 3: expected 'f'"},
           {"f 4\n", "f 4\nf 4\n", "line 4: a second 'f'"},
           {"rup 1 x1 >=", "rup 1 ~x1 >=", "line 4: the constraint does not follow by unit propagation"},
           {"rup 1 x1 >=", "rup 1 x2 >=", "line 4: the constraint does not follow"},
           {"rup 1 x1 >= 1", "rup 1 x1 >= 2", "line 4: the constraint does not follow"},
           {"rup 1 x1 >= 1 ;", "rup 1 x1 >= 1", "line 4: unterminated constraint, expected ';'"},
           {"rup 1 x1 >=", "rup 1 x1 x2 >=", "line 4: expected pairs"},
           {"rup 1 x1 >=", "rup 1 x9 >=", "line 4: variable 'x9' is not in the formula"},
           {"rup 1 x1 >=", "rup 1 y1 >=", "line 4: 'y1', expected a literal"},
           {"rup 1 x1 >=", "rup one x1 >=", "line 4: 'one', expected a whole number"},
           {"rup 1 x1 >= 1 ;", "rup 1 x1 ;", "line 4: expected 'rup', terms, '>=', a number"},
           {"rup 1 x1 >=", "pbc 1 2 + ; >=", "line 4: unknown rule 'pbc'"},
           {"o x1 x2 ~x3", "o ~x1 x2 ~x3", "line 5: the solution violates a constraint"},
           {"o x1 x2 ~x3", "o x1 x2 x3", "line 5: the solution violates a constraint"},
           {"o x1 x2 ~x3", "o x1", "line 5: the solution violates a constraint or leaves something open"},
           {"o x1 x2 ~x3", "soli x1 x2 ~x3", "line 5: unknown rule 'soli'"},
           {"o x1 x2 ~x3\n", "", "line 6: there is no constraint 7"},
           {"del id 7", "del id 17", "line 7: there is no constraint 17, expected 1 to 7"},
           {"del id 7", "del id 2", "line 7: only derived constraints may be deleted"},
           {"del id 7", "del id 7 7", "line 7: constraint 7 was deleted"},
           {"del id 7", "del 7", "line 7: expected 'del id'"},
           {"del id 7", "del no 7", "line 7: expected 'del id'"},
           {"del id 7", "del id 4", "line 7: only derived constraints may be deleted"},
           {"del id 7", "del id 0", "line 7: there is no constraint 0, expected 1 to 7"},
           {"del id 7", "del id 7x", "line 7: '7x', expected a whole number"},
           {"f 4", "f 4 4", "line 3: the formula has 4 constraints"},
           {"pseudo-Boolean proof version", "pseudo-Boolean proof of",
            "line 1: expected 'pseudo-Boolean proof"},
           {"rup 1 x1 >=", "rup 1 x0 >=", "line 4: 'x0', expected a literal"},
           {"del id 7", "del id 6", "line 7: the constraint of a solution may not be deleted"},
           {"c 8", "c 5", "line 9: constraint 5 is not a contradiction"},
           {"c 8", "c 7", "line 9: constraint 7 was deleted"},
           {"c 8", "c", "line 9: expected 'c' and the number"},
           {"c 8", "c 8 8", "line 9: expected 'c' and the number"},
           {"c 8\n", "", "the proof ends without a result"},
           {"c 8\n", "c 8\nrup >= 1 ;\n", "line 10: more lines after the conclusion"},
       }) {
    SCOPED_TRACE(m.by);
    const ProofCheck check = check_small(replaced(small_proof, m.what, m.by));
    EXPECT_FALSE(check.accepted);
    EXPECT_NE(check.refusal.find(m.refusal), std::string::npos) << check.refusal;
  }
}

TEST(ProofCheck, RefusesEachAlteredConclusion) {
  for (const Mutation& m : std::vector<Mutation>{
           {"BOUNDS 3 : 8 3", "BOUNDS 2 : 8 3", "bounds 2 and 3, but the best solution has the value 3"},
           {"BOUNDS 3 : 8 3", "BOUNDS 3 : 8 2", "bounds 3 and 2"},
           {"BOUNDS 3 : 8 3", "BOUNDS 3 : 5 3", "constraint 5 is not a contradiction"},
           {"BOUNDS 3 : 8 3", "BOUNDS 3 3", "expected 'conclusion' with"},
           {"BOUNDS 3 : 8 3", "UNSAT : 8", "the conclusion UNSAT after a solution"},
           {"BOUNDS 3 : 8 3", "NONE", "the proof ends without a result"},
           {"soli x1 x2 ~x3 ;\n", "", "there is no constraint 7"},
           {"soli", "sol", "there is no constraint 7"},
           {"soli", "o", "unknown rule 'o'"},
           {"output NONE ;\n", "", "expected 'output NONE' before the conclusion"},
           {"output NONE", "output DERIVABLE", "expected 'output NONE'"},
           {"conclusion BOUNDS 3 : 8 3 ;\n", "", "expected a conclusion"},
           {"conclusion", "rup >= 1 ;\nconclusion", "expected 'conclusion' after 'output'"},
           {"end pseudo-Boolean proof ;\n", "", "stops without 'end pseudo-Boolean proof'"},
           {"end pseudo-Boolean proof ;", "end pseudo-Boolean proof", "unterminated statement, expected ';'"},
           {"end pseudo-Boolean proof ;", "end pseudo-Boolean proof ; f 4 ;", "more lines after the end"},
           {"end pseudo-Boolean proof ;", "end ;", "expected a conclusion, then 'end pseudo-Boolean proof'"},
       }) {
    SCOPED_TRACE(m.by);
    const ProofCheck check = check_small(replaced(small_proof_3, m.what, m.by));
    EXPECT_FALSE(check.accepted);
    EXPECT_NE(check.refusal.find(m.refusal), std::string::npos) << check.refusal;
  }
}

TEST(ProofCheck, EmptyProofsAndFormulasWithoutObjective) {
  EXPECT_EQ(check_small("").refusal, "line 1: an empty proof, expected 'pseudo-Boolean proof version'");
  const PbFormula free = parse_opb("+1 x1 +1 x2 >= 1 ;", "f.opb");
  const auto proof = [](const std::string& line) { return "pseudo-Boolean proof version 1.2\nf 1\n" + line; };
  EXPECT_EQ(check_proof(free, proof("v x1 ~x2\n")).claim, ProofCheck::Claim::satisfiable);
  EXPECT_EQ(check_proof(free, proof("o x1 ~x2\n")).refusal,
            "line 3: the formula has no objective to improve");
  EXPECT_FALSE(check_proof(free, proof("v x1 ~x2\nv x1 ~x2\n")).accepted) << "the first one excluded it";
  EXPECT_TRUE(check_proof(free, proof("v x1 ~x2\nv ~x1 x2\n")).accepted);
  EXPECT_FALSE(check_proof(free, proof("v ~x1 ~x2\n")).accepted);
  EXPECT_FALSE(check_proof(free, proof("v x1\n")).accepted) << "x2 is left open";
  EXPECT_TRUE(check_proof(free, proof("v ~x1\n")).accepted) << "x2 follows";
  // All solutions excluded one by one is not a proof of infeasibility.
  EXPECT_EQ(
      check_proof(free, proof("v x1 ~x2\nv x1 x2\nv ~x1 x2\nrup 1 x1 >= 1 ;\nrup >= 1 ;\nc 6\n")).refusal,
      "line 8: a contradiction proves nothing after solutions that were only excluded");
  const PbFormula never = parse_opb("+1 x1 >= 1 ;\n-1 x1 >= 0 ;", "f.opb");
  const ProofCheck check = check_proof(never, "pseudo-Boolean proof version 1.2\nf 2\nrup >= 1 ;\nc 3\n");
  EXPECT_EQ(check.claim, ProofCheck::Claim::infeasible) << check.refusal;
}

TEST(ProofCheck, DeletedReasonsNoLongerPropagate) {
  const PbFormula formula = parse_opb("+1 x1 +1 x2 >= 1 ;\n+1 x1 +1 ~x2 >= 1 ;\n+1 x3 +1 x4 >= 1 ;", "f.opb");
  const std::string begin = "pseudo-Boolean proof version 3.0\nf 3 ;\nrup 1 x1 >= 1 ;\n";
  const std::string end = "sol x1 x2 x3 x4 ;\noutput NONE ;\nconclusion SAT ;\nend pseudo-Boolean proof ;\n";
  EXPECT_TRUE(check_proof(formula, begin + "rup 1 x1 1 x3 >= 1 ;\n" + end).accepted);
  EXPECT_TRUE(check_proof(formula, begin + "del id 4 ;\nrup 1 x1 1 x3 >= 1 ;\n" + end).accepted);  // again
  EXPECT_FALSE(check_proof(formula, begin + "rup 1 x3 >= 1 ;\n" + end).accepted);
}

TEST(ProofCheck, ASolutionGivesAllOfTheObjective) {
  const PbFormula formula = parse_opb("min: 1 x1 1 x2 ;\n1 x1 >= 1 ;", "f.opb");
  const std::string begin = "pseudo-Boolean proof version 1.2\nf 1\n";
  EXPECT_EQ(check_proof(formula, begin + "o x1\n").refusal,
            "line 3: the solution leaves a variable of the objective open");
  EXPECT_TRUE(check_proof(formula, begin + "o x1 ~x2\nrup >= 1 ;\nc 3\n").accepted);
}

TEST(ProofCheck, SatNeedsASolution) {
  const PbFormula formula = parse_opb("1 x1 >= 1 ;", "f.opb");
  const std::string begin = "pseudo-Boolean proof version 3.0\nf 1 ;\n";
  const std::string end = "output NONE ;\nconclusion SAT ;\nend pseudo-Boolean proof ;\n";
  EXPECT_EQ(check_proof(formula, begin + "sol x1 ;\n" + end).claim, ProofCheck::Claim::satisfiable);
  EXPECT_EQ(check_proof(formula, begin + end).refusal, "line 4: the conclusion SAT without a solution");
}

TEST(ProofCheck, ConclusionsNeedWhatTheyNameAndASolutionOrNone) {
  const PbFormula never = parse_opb("min: 1 x1 ;\n1 x1 >= 1 ;\n-1 x1 >= 0 ;", "f.opb");
  const auto proof = [](const std::string& conclusion) {
    return "pseudo-Boolean proof version 3.0\nf 2 ;\nrup >= 1 ;\noutput NONE ;\nconclusion " + conclusion +
           " ;\nend pseudo-Boolean proof ;\n";
  };
  EXPECT_EQ(check_proof(never, proof("UNSAT : 3")).claim, ProofCheck::Claim::infeasible);
  EXPECT_EQ(check_proof(never, proof("UNSAT : 1")).refusal, "line 5: constraint 1 is not a contradiction");
  EXPECT_EQ(check_proof(never, proof("BOUNDS 0 : 3 0")).refusal,
            "line 5: the conclusion BOUNDS without a solution");
}

// The clauses over y and w that together say `clause`, which unit propagation alone does not see.
std::string hidden(const std::string& clause, const std::string& y, const std::string& w) {
  std::string text;
  for (const char* sign_y : {"", "~"}) {
    for (const char* sign_w : {"", "~"})
      text += clause + " 1 " + sign_y + y + " 1 " + sign_w + w + " >= 1 ;\n";
  }
  return text;
}

TEST(ProofCheck, DerivedClausesPropagateFromWhatIsNotFalse) {
  // x1 and x2 are false from the start; what follows from x3 or x4 is seen only by the derived clause.
  const PbFormula formula = parse_opb(
      "1 ~x1 >= 1 ;\n1 ~x2 >= 1 ;\n1 x3 1 x4 1 x5 >= 1 ;\n1 x3 1 x4 1 ~x5 >= 1 ;\n1 ~x4 1 x6 >= 1 ;\n"
      "1 ~x4 1 ~x6 >= 1 ;\n",
      "f.opb");
  const std::string begin = "pseudo-Boolean proof version 3.0\nf 6 ;\nrup 1 ~x1 >= 1 ;\n";
  const std::string clause = "rup 1 x1 1 x2 1 x3 1 x4 >= 1 ;\n", unit = "rup 1 x3 >= 1 ;\n";
  const std::string end =
      "sol ~x1 ~x2 x3 ~x4 x5 x6 ;\noutput NONE ;\nconclusion SAT ;\nend pseudo-Boolean proof ;\n";
  EXPECT_TRUE(check_proof(formula, begin + clause + unit + end).accepted);
  EXPECT_FALSE(check_proof(formula, begin + unit + end).accepted);
}

TEST(ProofCheck, DerivedClausesMakeTheirLastLiteralTrue) {
  const PbFormula formula = parse_opb("1 ~x1 >= 1 ;\n1 ~x2 >= 1 ;\n" + hidden("1 x3", "x4", "x5") +
                                          "1 ~x3 1 x6 1 x7 >= 1 ;\n1 ~x3 1 x6 1 ~x7 >= 1 ;\n",
                                      "f.opb");
  const std::string begin =
      "pseudo-Boolean proof version 3.0\nf 8 ;\nrup 1 ~x1 >= 1 ;\nrup 1 x3 1 x4 >= 1 ;\n";
  const std::string clause = "rup 1 x1 1 x2 1 x3 >= 1 ;\n", unit = "rup 1 x6 >= 1 ;\n";
  const std::string end =
      "sol ~x1 ~x2 x3 x4 x5 x6 x7 ;\noutput NONE ;\nconclusion SAT ;\nend pseudo-Boolean proof ;\n";
  EXPECT_TRUE(check_proof(formula, begin + clause + unit + end).accepted);
  EXPECT_FALSE(check_proof(formula, begin + unit + end).accepted);
}

TEST(ProofCheck, DeletedConstraintsAreGone) {
  const std::string begin = "pseudo-Boolean proof version 3.0\n", end = "output NONE ;\nconclusion NONE ;\n";
  const auto refused_at = [](const PbFormula& formula, const std::string& proof) {
    const std::string text = check_proof(formula, proof).refusal;
    return text.substr(0, text.find(':'));
  };
  {  // a clause
    const PbFormula formula = parse_opb(hidden("1 x1 1 x2", "x3", "x4"), "f.opb");
    const std::string clause = "rup 1 x1 1 x2 >= 1 ;\n",
                      proof = begin + "f 4 ;\nrup 1 x1 1 x2 1 x3 >= 1 ;\n" + clause;
    EXPECT_EQ(refused_at(formula, proof + "del id 5 ;\n" + clause + "x ;\n"), "line 7");
    EXPECT_EQ(refused_at(formula, proof + "del id 5 6 ;\n" + clause + "x ;\n"), "line 6");
  }
  {  // a row that is not a clause
    const PbFormula formula = parse_opb("1 x5 >= 1 ;\n" + hidden("1 x1 1 x2", "x3", "x4"), "f.opb");
    const std::string proof = begin + "f 5 ;\nrup 1 x1 1 x2 1 x3 >= 1 ;\nrup 2 x5 1 x1 1 x2 >= 3 ;\n";
    const std::string clause = "rup 1 x1 1 x2 >= 1 ;\n";
    EXPECT_EQ(refused_at(formula, proof + "del id 6 ;\n" + clause + "x ;\n"), "line 7");
    EXPECT_EQ(refused_at(formula, proof + "del id 6 7 ;\n" + clause + "x ;\n"), "line 6");
  }
  {  // what followed at the root
    const PbFormula formula = parse_opb(hidden("1 x1", "x3", "x4"), "f.opb");
    const std::string unit = "rup 1 x1 >= 1 ;\n";
    const std::string proof = begin + "f 4 ;\nrup 1 x1 1 x3 >= 1 ;\n" + unit + "rup 1 x1 1 x4 >= 1 ;\n";
    EXPECT_EQ(refused_at(formula, proof + "del id 5 7 ;\n" + unit + "x ;\n"), "line 8");
    EXPECT_EQ(refused_at(formula, proof + "del id 5 6 7 ;\n" + unit + "x ;\n"), "line 7");
  }
  {  // a contradiction
    const PbFormula formula = parse_opb(hidden("", "x1", "x2"), "f.opb");
    const std::string never = "rup >= 1 ;\n", proof = begin + "f 4 ;\nrup 1 x1 >= 1 ;\n" + never +
                                                      "del id 5 ;\nrup 1 x1 1 x2 >= 1 ;\n";
    EXPECT_EQ(refused_at(formula, proof + never + "x ;\n"), "line 8");
    EXPECT_EQ(refused_at(formula, proof + "del id 6 ;\n" + never + "x ;\n"), "line 8");
  }
}

TEST(ProofCheck, CommentsAreThoseOfTheVersion) {
  const std::string old_comment = "* a comment\n", new_comment = "% a comment\n";
  EXPECT_TRUE(check_small(replaced(small_proof, "o x1", old_comment + "o x1")).accepted);
  EXPECT_FALSE(check_small(replaced(small_proof, "o x1", new_comment + "o x1")).accepted);
  EXPECT_TRUE(check_small(replaced(small_proof_3, "soli", new_comment + "soli")).accepted);
  EXPECT_FALSE(check_small(replaced(small_proof_3, "soli", old_comment + "soli")).accepted);
}

TEST(ProofCheck, AStatementHasALimitOnWords) {
  std::string words;
  for (int i = 0; i < 1'000'012; ++i) words += " 7";
  EXPECT_EQ(check_small(replaced(small_proof, "del id 7", "del id" + words)).refusal,
            "line 7: a statement of more than 1000012 words");
}

TEST(Opb, ConstraintsAreNormal) {
  const Lit x1 = Lit::positive({0}), x2 = Lit::positive({1});
  const PbConstraint sum = normal_constraint({{1, x1}, {2, x2}, {1, x1}}, 2);
  ASSERT_EQ(sum.terms.size(), 2u);
  EXPECT_EQ(sum.terms[0].coefficient, 2);
  EXPECT_EQ(sum.bound, 2);
  const PbConstraint nothing = normal_constraint({{3, x1}, {-3, x1}, {1, x2}}, 1);
  ASSERT_EQ(nothing.terms.size(), 1u);
  EXPECT_EQ(nothing.terms[0].literal, x2);
  const PbConstraint turned = normal_constraint({{-2, x1}, {3, ~x2}}, 1);  // 2 ~x1 + 3 ~x2 >= 3
  ASSERT_EQ(turned.terms.size(), 2u);
  EXPECT_EQ(turned.terms[0].literal, ~x1);
  EXPECT_EQ(turned.terms[1].literal, ~x2);
  EXPECT_EQ(turned.terms[1].coefficient, 3);
  EXPECT_EQ(turned.bound, 3);
  EXPECT_EQ(parse_opb("1 x5 1 x2 >= 1 ;", "f.opb").variables, 5u);
  const PbFormula both = parse_opb("1 x1 2 x2 = 2;1 x1 2 x2 <= 2;", "f.opb");
  ASSERT_EQ(both.constraints.size(), 3u);
  EXPECT_EQ(both.constraints[1].bound, 1) << "~x1 + 2 ~x2 >= 1";
  EXPECT_EQ(both.constraints[2].bound, 1);
  EXPECT_EQ(both.constraints[2].terms[1].literal, ~x2);
}

TEST(Opb, ErrorsNameTheLine) {
  const auto error = [](const std::string& text) {
    return testing::input_error_of([&] { parse_opb(text, "f.opb"); });
  };
  EXPECT_EQ(error("+1 x1 >= 1 ;\n+1 y >= 1 ;"), "f.opb:2: 'y', expected a variable x1, x2, ...");
  EXPECT_EQ(error("+1 x0 >= 1 ;"), "f.opb:1: 'x0', expected a variable x1, x2, ...");
  EXPECT_EQ(error("+1 x1 => 1 ;"), "f.opb:1: '=>', expected a whole number");
  EXPECT_EQ(error("+1 x1 >= 1"), "f.opb:1: unterminated constraint, expected ';'");
  EXPECT_EQ(error("+1 x1 ;"), "f.opb:1: ';', expected '>=', '=' or '<='");
  EXPECT_EQ(error("+1 x1 >= 1 ;\nmin: +1 x1 ;"),
            "f.opb:2: misplaced 'min:', expected it once, before all constraints");
  EXPECT_EQ(error("min: 1 x1 ;\nmin: 1 x1 ;"),
            "f.opb:2: misplaced 'min:', expected it once, before all constraints");
  EXPECT_EQ(error("min: 1 x1 >= 1 ;"), "f.opb:1: '>=' in the objective, expected a term or ';'");
  EXPECT_EQ(error("1a x1 >= 1 ;"), "f.opb:1: '1a', expected a whole number");
  EXPECT_EQ(error("9223372036854775807 x1 9223372036854775807 x2 >= 1 ;"),
            "f.opb:1: number too large: it does not fit into 64 bits");
  EXPECT_EQ(error("1 x2000000 >= 1 ;"),
            "f.opb:1: variable 'x2000000' in a file of 17 bytes, expected at most x1000017");
  EXPECT_EQ(error("+99999999999999999999 x1 >= 1 ;"),
            "f.opb:1: number too large: it does not fit into 64 bits");
  EXPECT_EQ(error("1 x1 x2 >= 1 ;"), "f.opb:1: a product of variables, expected one variable in each term");
  EXPECT_EQ(error("max: 1 x1 ;"), "f.opb:1: 'max:', expected 'min:' with all coefficients negated");
  EXPECT_EQ(error("soft: 3 ;"), "f.opb:1: soft constraints, expected hard ones and an objective");
}

// Proofs of the engine about random problems, of every kind of result, and what remains of them when a line
// is altered: a claim is never a wrong one.
TEST(ProofCheck, AcceptsWhatTheEngineWrites) {
  const testing::TemporaryFolder folder;
  int optimal = 0, infeasible = 0, satisfiable = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed);
    engines::EngineRequest request;
    request.proof = (folder / "proof.pbp").string();
    request.proof_version = seed % 2 == 0 ? ProofVersion::v1_2 : ProofVersion::v3_0;
    request.first = seed % 10 == 0;
    const engines::Outcome outcome = engines::find_engine("neuron")->run(problem, request);
    const auto [formula, offset] = formula_of(problem);
    const std::string proof = read_text_file(request.proof);
    const ProofCheck check = check_proof(formula, proof);
    ASSERT_TRUE(check.accepted) << check.refusal;
    ProofCheck::Claim expected = ProofCheck::Claim::infeasible;
    if (outcome.plan) {
      const bool any = request.first || !formula.has_objective;
      expected = any ? ProofCheck::Claim::satisfiable : ProofCheck::Claim::optimal;
    }
    ASSERT_EQ(check.claim, expected);
    if (expected == ProofCheck::Claim::optimal) {
      ASSERT_EQ(check.value + offset, *outcome.cost);
    }
    optimal += expected == ProofCheck::Claim::optimal ? 1 : 0;
    infeasible += expected == ProofCheck::Claim::infeasible ? 1 : 0;
    satisfiable += expected == ProofCheck::Claim::satisfiable ? 1 : 0;
    // Altered literals, some hundred in a long proof: such a proof may still be right, but then so is what it
    // claims.
    const std::size_t apart = std::max<std::size_t>(40, proof.size() / 100);
    for (std::size_t at = proof.find(" x"); at != std::string::npos; at = proof.find(" x", at + apart)) {
      std::string altered = proof;
      altered.insert(at + 1, "~");
      const ProofCheck again = check_proof(formula, altered);
      if (!again.accepted) {
        ++refused;
        continue;
      }
      ASSERT_EQ(again.claim, expected);
      if (expected == ProofCheck::Claim::optimal) {
        ASSERT_EQ(again.value, check.value);
      }
    }
  }
  EXPECT_GT(optimal, 40);
  EXPECT_GT(infeasible, 40);
  EXPECT_GT(satisfiable, 10);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace bnnplan::checking
