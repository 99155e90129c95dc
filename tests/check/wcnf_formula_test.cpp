// Weighted formulas for the checker: what each kind of clause becomes, and that its reader and the solver's
// make the same of a file.
#include "bnnplan/check/wcnf_formula.hpp"

#include <gtest/gtest.h>

#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"
#include "support/input_error_of.hpp"
#include "support/proof_text.hpp"

namespace bnnplan::checking {
namespace {

using testing::below;
using testing::input_error_of;
using testing::Random;
using testing::WcnfFormat;

// "1 x1 1 ~x2 >= 1; ...", then the objective.
std::string shown(const PbFormula& formula) {
  std::string text;
  const auto add = [&](const std::vector<PbConstraint::Term>& terms) {
    for (const auto& [coefficient, literal] : terms)
      text += std::to_string(coefficient) + (literal.negated() ? " ~x" : " x") +
              std::to_string(literal.var().index + 1) + " ";
  };
  for (const PbConstraint& constraint : formula.constraints) {
    add(constraint.terms);
    text += ">= " + std::to_string(constraint.bound) + "; ";
  }
  text += "min: ";
  add(formula.objective);
  return text;
}

TEST(WcnfFormula, EachKindOfClause) {
  const WcnfFormula formula = parse_wcnf_formula(
      "c hard, then unit, long, empty, worthless and tautological soft clauses\n"
      "h 1 -3 1 0\n"
      "5 2 0\n4 -1 0\n"
      "7 1 2 -3 0\n"
      "11 0\n0 3 0\n9 2 -2 0\n"
      "2 -2 2 1 1 0\n3 3 3 0\n",
      "f.wcnf");
  EXPECT_EQ(formula.file_variables, 3u);
  EXPECT_EQ(formula.formula.variables, 4u);
  EXPECT_EQ(formula.offset, 5 + 11 + 3);
  EXPECT_TRUE(formula.formula.has_objective);
  EXPECT_EQ(shown(formula.formula),
            "1 x1 1 ~x3 >= 1; 1 x1 1 x2 1 ~x3 1 x4 >= 1; min: 4 x1 -5 x2 -3 x3 7 x4 ");
  const WcnfFormula worthless = parse_wcnf_formula("0 1 2 0\n6 3 0\n6 -3 0\n", "f.wcnf");
  EXPECT_EQ(worthless.formula.variables, 3u) << "nothing has to be paid for";
  EXPECT_EQ(worthless.offset, 6);
  EXPECT_EQ(shown(worthless.formula), "min: ") << "whatever x3 is, 6 is paid";
}

TEST(WcnfFormula, AllFormatsSayTheSame) {
  const std::string modern = shown(parse_wcnf_formula("h 1 2 0\n3 -1 0\n4 -2 3 0\n", "f").formula);
  EXPECT_EQ(
      shown(
          parse_wcnf_formula("c\np wcnf 3 3 9\n9 1\n2 0 3 -1 0 c behind a clause\n4 -2 3 0\n", "f").formula),
      modern);
  // Hard is what weighs the top or more, however many digits it has.
  EXPECT_EQ(shown(parse_wcnf_formula("p wcnf 3 3 99999999999999999999\n099999999999999999999 1 2 0\n"
                                     "3 -1 0\n4 -2 3 0\n",
                                     "f")
                      .formula),
            modern);
  EXPECT_EQ(shown(parse_wcnf_formula("p cnf 3 2\n1 2 0 -1\n3 0\n", "f").formula),
            "1 x1 1 x2 >= 1; 1 ~x1 1 x3 >= 1; min: ");
  EXPECT_EQ(shown(parse_wcnf_formula("h\t1  2 0\r\n3 -1 0\r\n4\t-2 3 0 \r\n", "f").formula), modern)
      << "blanks";
  EXPECT_EQ(shown(parse_wcnf_formula("p wcnf 3 3 9\n009 1 2 0\n03 -1 0\n0000004 -2 3 0\n", "f").formula),
            modern)
      << "zeros in front count nothing";
  EXPECT_EQ(parse_wcnf_formula("p cnf 8 1\n1 0\n", "f").file_variables, 8u);
  EXPECT_EQ(shown(parse_wcnf_formula("p wcnf 1 1\n3 1 0\n", "f").formula),
            "min: -3 x1 ");  // no top: all soft
}

TEST(WcnfFormula, WhatIsWrongIsSaid) {
  const auto error = [](const std::string& text) {
    return input_error_of([&] { parse_wcnf_formula(text, "f.wcnf"); });
  };
  EXPECT_EQ(error("h 1 2\n"), "f.wcnf:1: '', expected a literal or the 0 that ends the clause");
  EXPECT_EQ(error("h 1 0 2 0\n"), "f.wcnf:1: expected the end of the line after the 0 that ends a clause");
  EXPECT_EQ(error("h 1 0\np wcnf 1 1 2\n"), "f.wcnf:2: expected one p line, before all clauses");
  EXPECT_EQ(error("p cnf 1 1\np cnf 1 1\n1 0\n"), "f.wcnf:2: expected one p line, before all clauses");
  EXPECT_EQ(error("pcnf cnf 1 1\n1 0\n"), "f.wcnf:1: expected one p line, before all clauses");
  EXPECT_EQ(error("p wcnf 1 1 5\nh 1 0\n"), "f.wcnf:2: 'h', expected a weight");
  EXPECT_EQ(error("p dnf 1 1\n"), "f.wcnf:1: expected 'p wcnf' or 'p cnf'");
  EXPECT_EQ(error("p cnf x 1\n"), "f.wcnf:1: 'x', expected the number of variables");
  EXPECT_EQ(error("p cnf 1\n"), "f.wcnf:1: '', expected the number of clauses");
  EXPECT_EQ(error("p cnf 1 1 1\n"), "f.wcnf:1: expected the end of the p line");
  EXPECT_EQ(error("p wcnf 1 1 0\n"), "f.wcnf:1: expected the weight of hard clauses, 1 or more");
  EXPECT_EQ(error("p wcnf 1 1 x\n"), "f.wcnf:1: expected the weight of hard clauses, 1 or more");
  EXPECT_EQ(error("p wcnf 1 2 5\n5 1 0\n"), "f.wcnf:3: 1 clauses, the p line announces 2");
  EXPECT_EQ(error("p cnf 1 1\n2 0\n"), "f.wcnf:2: variable 2, the p line announces 1");
  EXPECT_EQ(error("-3 1 0\n"), "f.wcnf:1: '-3', expected a weight");
  EXPECT_EQ(error("h -0\n"), "f.wcnf:1: '-0', expected a literal or the 0 that ends the clause");
  EXPECT_EQ(error("h +1 0\n"), "f.wcnf:1: '+1', expected a literal or the 0 that ends the clause");
  EXPECT_EQ(error("h 9999999999 0\n"), "f.wcnf:1: too many variables");
  EXPECT_EQ(error("p cnf 9999999999 0\n"), "f.wcnf:1: too many variables");
  EXPECT_EQ(error("5000000000000000000 1 0\n"), "f.wcnf:1: weights of more than 2^62");
  EXPECT_EQ(error("4000000000000000000 1 0\n4000000000000000000 2 0\n"),
            "f.wcnf:3: weights that sum up to more than 2^62");
}

TEST(WcnfFormula, TheReadersAgree) {
  Random random(12);
  for (int i = 0; i < 400; ++i) {
    const formats::Wcnf made =
        testing::wild_formula(random, static_cast<std::uint32_t>(1 + below(random, 6)), 9);
    const std::string text = testing::wcnf_text(made, i % 2 == 0 ? WcnfFormat::modern : WcnfFormat::classic);
    SCOPED_TRACE(text);
    const WcnfFormula formula = parse_wcnf_formula(text, "f");
    const formats::Wcnf read = formats::parse_wcnf(text, "f");
    EXPECT_EQ(formula.file_variables, read.variables);
    if (formula.formula.variables > 16) continue;
    const auto value = testing::brute_force_value(formula.formula);
    const auto cost = testing::brute_force_cost(read);
    ASSERT_EQ(value.has_value(), cost.has_value());
    if (value) {
      EXPECT_EQ(static_cast<formats::Weight>(*value + formula.offset), *cost);
    }
  }
}

// A correct proof about one formula is not a proof about another that differs in a weight, a clause or a
// sign.
TEST(WcnfFormula, AProofIsAboutItsFormula) {
  const std::string text = "h 1 2 0\n3 -1 0\n5 -2 0\n";
  const std::string proof = testing::proof_of("3.0", 1,
                                              {"improve x1 ~x2", "rup 1 ~x2 >= 1", "rup 1 ~x1 >= 1",
                                               "rup >= 1", testing::conclusion("BOUNDS 3 : 5 3")});
  const auto check = [&](const std::string& formula) {
    return check_proof(parse_wcnf_formula(formula, "f").formula, proof);
  };
  const ProofCheck right = check(text);
  ASSERT_TRUE(right.accepted) << right.refusal;
  EXPECT_EQ(right.value, 3);
  EXPECT_FALSE(check("h 1 2 0\n3 -1 0\n2 -2 0\n").accepted) << "x2 is cheaper";
  EXPECT_FALSE(check("h 1 -2 0\n3 -1 0\n5 -2 0\n").accepted) << "nothing has to be paid";
  EXPECT_FALSE(check("h 1 2 3 0\n3 -1 0\n5 -2 0\n").accepted) << "x3 is free";
  EXPECT_FALSE(check("3 1 2 0\n3 -1 0\n5 -2 0\n").accepted) << "the clause may be left";
  EXPECT_FALSE(check("h 1 2 0\n4 -1 0\n5 -2 0\n").accepted) << "x1 costs 4";
  EXPECT_FALSE(check("h 1 2 0\nh 1 0\n3 -1 0\n5 -2 0\n").accepted) << "another number of constraints";
}

}  // namespace
}  // namespace bnnplan::checking
