// What a query becomes: costs of flips, inputs that cannot flip, comparisons of scores, and what is refused.
#include "bnnplan/verify/question.hpp"

#include <gtest/gtest.h>

#include "bnnplan/verify/score_comparison.hpp"
#include "support/input_error_of.hpp"
#include "support/random_network.hpp"

namespace bnnplan::verification {
namespace {

using testing::input_error_of;

// One number 0, 1, ..., 10 that enters as x >= threshold, one bit; two scores that look at both.
Network number_and_bit(const mpq_class& threshold) {
  Network network;
  network.inputs = {"x", "b"};
  network.outputs = {"no", "yes"};
  network.numbers = {NumericInput{threshold, 0, 10, 1}, std::nullopt};
  network.scores = {{{-1, -1}}, {{1, 1}}};
  return network;
}

std::vector<std::int64_t> costs_of(const FlipQuestion& question) {
  std::vector<std::int64_t> costs;
  for (const Flip& flip : question.flips) costs.push_back(flip.cost);
  return costs;
}

TEST(Question, LeastChangeThatFlips) {
  const Network network = number_and_bit(mpq_class("7/2"));
  VerifyQuery query{.values = {1, 1}, .label = 0};
  query.norm = Norm::l1;
  FlipQuestion question = make_question(network, query);
  ASSERT_EQ(question.flips.size(), 2u);
  EXPECT_EQ(costs_of(question), (std::vector<std::int64_t>{1, 3}));  // the bit first, it is cheaper
  EXPECT_EQ(question.flips[1].input, 0u);
  EXPECT_EQ(question.flips[1].value, 4);
  query.values[0] = 10;  // down to 3
  question = make_question(network, query);
  EXPECT_EQ(question.flips[1].value, 3);
  EXPECT_EQ(question.flips[1].cost, 7);
  query.norm = Norm::l2;
  EXPECT_EQ(costs_of(make_question(network, query)), (std::vector<std::int64_t>{1, 49}));
  query.norm = Norm::l0;
  EXPECT_EQ(costs_of(make_question(network, query)), (std::vector<std::int64_t>{1, 1}));
  query.norm = Norm::linf;
  EXPECT_TRUE(make_question(network, query).largest);
  query.epsilon = mpq_class("13/2");
  EXPECT_EQ(costs_of(make_question(network, query)), (std::vector<std::int64_t>{1}));
}

TEST(Question, ThresholdsOnANumberAndOutsideOfTheRange) {
  VerifyQuery query{.values = {3, 1}, .label = 0};
  query.norm = Norm::l1;
  EXPECT_EQ(make_question(number_and_bit(4), query).flips.size(), 2u);
  EXPECT_EQ(make_question(number_and_bit(3), query).flips[0].value, 2);  // 3 >= 3
  EXPECT_EQ(make_question(number_and_bit(0), query).flips.size(), 1u);   // always 1
  EXPECT_EQ(make_question(number_and_bit(-5), query).flips.size(), 1u);
  EXPECT_EQ(make_question(number_and_bit(11), query).flips.size(), 1u);  // always 0
  EXPECT_EQ(make_question(number_and_bit(10), query).flips.size(), 2u);
}

TEST(Question, UnitsOfFractions) {
  Network network = number_and_bit(mpq_class("1/2"));
  network.numbers[0] = NumericInput{mpq_class("1/2"), 0, 1, mpq_class("1/255")};
  VerifyQuery query{.values = {0, 1}, .label = 0};
  query.norm = Norm::l1;
  const FlipQuestion question = make_question(network, query);
  EXPECT_EQ(question.unit, mpq_class("1/255"));
  EXPECT_EQ(costs_of(question), (std::vector<std::int64_t>{128, 255}));  // to 128/255; the bit by 1
}

TEST(Question, EpsilonIsADistance) {
  VerifyQuery query{.values = {1, 1}, .label = 0};
  query.norm = Norm::l2;
  query.epsilon = 3;
  EXPECT_EQ(make_question(number_and_bit(4), query).budget, 9);
  query.epsilon = mpq_class("29/10");
  EXPECT_EQ(make_question(number_and_bit(4), query).budget, 8);  // of 8.41
  EXPECT_EQ(make_question(number_and_bit(4), query).flips.size(), 1u);
}

TEST(Question, Refusals) {
  const Network network = number_and_bit(4);
  const auto refusal = [&](VerifyQuery query) {
    return input_error_of([&] { make_question(network, query); });
  };
  EXPECT_EQ(refusal({.values = {1}}), "the input has 1 numbers, but the network takes 2");
  EXPECT_EQ(refusal({.values = {11, 0}}), "input 1 ('x') is 11, but it has to be from 0 to 10");
  EXPECT_EQ(refusal({.values = {1, 2}}), "input 2 ('b') is 2, but it has to be 0 or 1");
  EXPECT_EQ(refusal({.values = {1, 1}, .label = 2}), "there is no such class: the network has 2");
  EXPECT_EQ(refusal({.values = {1, 1}, .label = 0, .target = 2}),
            "there is no such class: the network has 2");
  EXPECT_EQ(refusal({.values = {1, 1}, .label = 1, .target = 1}), "the target is the label");
  EXPECT_EQ(refusal({.values = {1, 1}, .epsilon = -1}), "epsilon is negative");
  Network plain = network;
  plain.scores.clear();
  EXPECT_EQ(input_error_of([&] {
              make_question(plain, {.values = {1, 1}});
            }),
            "the network is not a classifier: it has no scores");
  Network fine = network;
  fine.numbers[0]->step = mpq_class("1/1000000007");
  fine.numbers[0]->threshold = mpq_class("1234567/1000003");
  VerifyQuery query{.values = {0, 1}};
  query.norm = Norm::l2;
  EXPECT_EQ(input_error_of([&] { make_question(fine, query); }),
            "distances are too fine: in their common unit they do not fit into 46 bits");
}

TEST(ScoreComparison, EqualScalesAreCountedOneByOne) {
  Network network = number_and_bit(4);
  network.scores[0].bias = mpq_class("1/3");
  const ScoreCondition comparison = compare_scores(network, 1, 0, false);
  EXPECT_EQ(comparison.terms, (std::vector<ScoreCondition::Term>{{1, 1}, {0, -1}}));
  EXPECT_EQ(comparison.bound, 1);  // 2a - 2 >= 2c - 2 + 1/3
}

// The same truth value as exact scores for all counts, with factors that are no larger than they need to be.
TEST(ScoreComparison, AgreesWithExactScores) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    testing::RandomNetworkShape shape;
    shape.scores = true;
    shape.widths = {1 + random.below(12), 2};
    Network network = testing::random_network(random, shape);
    if (round % 3 == 0) network.scores[0].scale = mpq_class(1 + 0.37 * static_cast<double>(random.below(99)));
    const bool strict = random.below(2) == 0;
    const ScoreCondition comparison = compare_scores(network, 0, 1, strict);
    const auto n = fan_in(network.scores[0].weights), m = fan_in(network.scores[1].weights);
    for (int a = 0; a <= n; ++a) {
      for (int c = 0; c <= m; ++c) {
        const mpq_class winner = network.scores[0].scale * (2 * a - n) + network.scores[0].bias;
        const mpq_class loser = network.scores[1].scale * (2 * c - m) + network.scores[1].bias;
        const bool holds = strict ? winner > loser : winner >= loser;
        ASSERT_EQ(comparison.terms[0].factor * a + comparison.terms[1].factor * c >= comparison.bound, holds)
            << round << ' ' << a << ' ' << c;
      }
    }
    EXPECT_LE(comparison.terms[0].factor, 4000);
    EXPECT_GE(comparison.terms[1].factor, -4000);
  }
}

}  // namespace
}  // namespace bnnplan::verification
