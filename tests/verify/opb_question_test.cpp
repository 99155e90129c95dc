// Questions about networks in pseudo-Boolean formulas: recognised, and answered as the solver alone would.
#include "verify/opb_question.hpp"

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "check/proof_check.hpp"
#include "every_input.hpp"
#include "support/shared.hpp"
#include "support/temporary_folder.hpp"
#include "verify/question_formula.hpp"

namespace bnnplan {
namespace {

using namespace testing;

TEST(OpbQuestion, AnswersAreThoseOfTheSolver) {
  Random random(1);
  const TemporaryFolder folder;
  int recognised = 0, proofs = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, static_cast<Norm>(round % 4));
    PbFormula formula = question_formula(make_question(asked.network, asked.query));
    // As others write it: some inputs cost less when they are 1, and there is a constant.
    if (round % 8 < 3 && !formula.objective.empty()) {
      formula.objective.push_back({7, Lit::positive({formula.variables++})});
      add_constraint(formula, {{{1, Lit::positive({formula.variables - 1})}}, round % 2});
    }
    const PbOutcome expected = solve_pseudo_boolean(formula);
    PbRequest request;
    if (round % 3 == 0) request.proof = folder.path() / "a.pbp";
    std::optional<std::int64_t> last;
    request.callbacks.improvement = [&](const BitValues& values, std::int64_t value) {
      ASSERT_FALSE(check_values(formula, values).violated);
      ASSERT_TRUE(!last || value < *last);
      last = value;
    };
    const PbOutcome outcome = solve_opb(formula, request);
    ASSERT_EQ(outcome.status, expected.status) << round;
    ASSERT_EQ(outcome.value, expected.value) << round;
    ASSERT_EQ(outcome.lower_bound, expected.lower_bound) << round;
    if (outcome.values) {
      ASSERT_EQ(check_values(formula, *outcome.values).objective, *outcome.value);
      ASSERT_EQ(last, outcome.value);
    } else {
      ++none;
    }
    if (recognise_question(formula)) ++recognised;
    if (!request.proof.empty()) {
      ASSERT_TRUE(outcome.proof_written);
      const ProofCheck check = check_proof(formula, read_text_file(request.proof));
      ASSERT_TRUE(check.accepted) << check.refusal;
      ++proofs;
    }
  }
  EXPECT_GT(recognised, 20);
  EXPECT_GT(proofs, 20);
  EXPECT_GT(none, 10);
}

TEST(OpbQuestion, WhatIsNone) {
  const auto is_one = [](const char* text) { return recognise_question(parse_opb(text, "x")).has_value(); };
  EXPECT_FALSE(is_one("+1 x1 >= 1 ;"));
  EXPECT_FALSE(is_one("min: +1 x1 ; +1 x1 +1 x2 >= 1 ;"));
  // x4 <-> two of x1..x3; x4 has to hold
  const std::string neuron = "+2 ~x4 +1 x1 +1 x2 +1 x3 >= 2 ; +2 x4 +1 ~x1 +1 ~x2 +1 ~x3 >= 2 ;";
  EXPECT_FALSE(
      is_one(("min: +1 x1 +1 x2 ; " + neuron + " +1 x4 +1 x5 >= 1 ;").c_str()));  // x3 is free of cost
  EXPECT_FALSE(is_one(("min: +1 x1 +1 x2 +1 x3 +1 x4 ; " + neuron).c_str()));
  EXPECT_TRUE(
      is_one(("min: +1 x1 -2 x2 +1 x3 ; " + neuron + " +1 x4 +1 ~x5 >= 1 ; +1 x5 +1 x6 >= 1 ;").c_str()));
  const PbFormula formula =
      parse_opb("min: +1 x1 -2 x2 +1 x3 ; " + neuron + " +1 x4 +1 ~x5 >= 1 ; +1 x5 >= 1 ;", "x");
  const PbOutcome outcome = solve_opb(formula);
  EXPECT_EQ(outcome.value, -1);
}

// The published instances as they are.
class PublishedOpb : public ::testing::TestWithParam<std::pair<std::string, std::vector<int>>> {};
INSTANTIATE_TEST_SUITE_P(
    Pictures, PublishedOpb,
    ::testing::Values(std::pair{std::string("mnist_rot_16_label5"), std::vector{2, 2, 2, 1}},
                      std::pair{std::string("mnist_rot_8_label1"), std::vector{3, 3, 3, 1}},
                      std::pair{std::string("mnist_back_image_32_label3"), std::vector{2, 4, 7, 2}}),
    [](const auto& info) { return info.param.first; });

TEST_P(PublishedOpb, Optima) {
  const auto folder = shared_folder() / "bnn-verification/instances";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the published instances are not at " << folder;
  const char* norms[] = {"0", "1", "2", "inf"};
  for (std::size_t n = 0; n < 4; ++n) {
    const auto file = folder / (GetParam().first + "_norm_" + norms[n] + ".opb.gz");
    const PbFormula formula = parse_opb(read_text_file(file), file.string());
    ASSERT_TRUE(recognise_question(formula).has_value()) << file;
    const PbOutcome outcome = solve_opb(formula);
    EXPECT_EQ(outcome.status, PbStatus::optimal);
    EXPECT_EQ(outcome.value, GetParam().second[n]) << file;
  }
}

}  // namespace
}  // namespace bnnplan
