// Answers to queries are those of brute force, whichever engine gives them.
#include "bnnplan/verify/verify.hpp"

#include <atomic>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/verify/enumerate.hpp"
#include "bnnplan/verify/local_search.hpp"
#include "bnnplan/verify/question_formula.hpp"
#include "every_input.hpp"
#include "random_query.hpp"
#include "support/checked_formula.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using testing::least_distance;
using testing::random_query;
using testing::RandomQuery;
using testing::rounds;
using testing::TemporaryFolder;

class VerifyByNorm : public ::testing::TestWithParam<Norm> {};
INSTANTIATE_TEST_SUITE_P(Norms, VerifyByNorm, ::testing::Values(Norm::l0, Norm::l1, Norm::l2, Norm::linf),
                         [](const auto& info) {
                           return std::string(norm_names[static_cast<std::size_t>(info.param)]);
                         });

TEST_P(VerifyByNorm, NearestIsThatOfBruteForce) {
  Random random(10 + static_cast<std::uint64_t>(GetParam()));
  int some = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, GetParam());
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    const VerifyOutcome outcome = verify(asked.network, asked.query);
    ASSERT_EQ(outcome.status, least ? Status::optimal : Status::infeasible) << round;
    if (least) {
      ASSERT_EQ(outcome.distance, *least) << round;
      ASSERT_EQ(outcome.lower_bound, *least) << round;
      ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, outcome.values));
      ASSERT_EQ(distance(GetParam(), asked.query.values, outcome.values), *least);
    }
    ++(least && *least > 0 ? some : none);
  }
  EXPECT_GT(some, rounds() / 10);
  EXPECT_GT(none, rounds() / 10);
}

TEST_P(VerifyByNorm, RobustnessIsThatOfBruteForce) {
  Random random(20 + static_cast<std::uint64_t>(GetParam()));
  int robust = 0, refuted = 0;
  for (int round = 0; round < rounds(); ++round) {
    RandomQuery asked = random_query(random, GetParam());
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    mpq_class epsilon(random.below(12), 1 + random.below(3));
    epsilon.canonicalize();
    asked.query.epsilon = epsilon;
    const mpq_class most = GetParam() == Norm::l2 ? mpq_class(epsilon * epsilon) : epsilon;
    const bool near = least && *least <= most;
    const VerifyOutcome outcome = verify(asked.network, asked.query);
    ASSERT_EQ(outcome.status, near ? Status::optimal : Status::infeasible) << round;
    if (near) {
      ASSERT_LE(distance(GetParam(), asked.query.values, outcome.values), most);
      ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, outcome.values));
    }
    ++(near ? refuted : robust);
  }
  EXPECT_GT(robust, rounds() / 10);
  EXPECT_GT(refuted, rounds() / 10);
}

// The formula alone: its optimum by the solver, its solutions as sets of flips.
TEST_P(VerifyByNorm, FormulaAndSolver) {
  Random random(30 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < rounds(); ++round) {
    RandomQuery asked = random_query(random, GetParam());
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    if (random.below(3) == 0) asked.query.epsilon = static_cast<long>(random.below(6));
    const FlipQuestion question = make_question(asked.network, asked.query);
    ASSERT_EQ(testing::formula_text(checking::formula_of(asked.network, asked.query).formula),
              testing::formula_text(testing::checked_formula(question_formula(question))))
        << "the checker has another formula, " << round;
    const engines::PbOutcome found = engines::solve_pseudo_boolean(question_formula(question));
    bool exists = least.has_value();
    if (exists && question.budget) exists = *least <= question.unit * *question.budget;
    ASSERT_EQ(found.status, exists ? Status::optimal : Status::infeasible) << round;
    if (!exists) continue;
    const FlipSet set = flips_in(question, *found.values);
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, set)));
    if (!question.budget) {
      ASSERT_EQ(question.unit * cost_of(question, set), *least) << round;
    }
    const model::PbValues values = model::evaluate(question_formula(question), formula_values(question, set));
    ASSERT_FALSE(values.violated);
    if (!question.budget) {
      ASSERT_EQ(values.objective, cost_of(question, set));
    }
  }
}

TEST_P(VerifyByNorm, EnumerationAlone) {
  Random random(40 + static_cast<std::uint64_t>(GetParam()));
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, GetParam());
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    LimitWatch watch({});
    const std::int64_t budget = static_cast<std::int64_t>(random.below(400));
    const EnumerationOutcome found = enumerate_flips(question, network, budget, watch);
    ASSERT_TRUE(found.complete);
    ASSERT_EQ(found.best.has_value(), least && *least <= question.unit * budget) << round;
    if (found.best) {
      ASSERT_EQ(question.unit * cost_of(question, *found.best), *least) << round;
    }
    // As many sets as were counted, if none of them ended it early.
    const std::vector<SetCount> counts = count_sets(question, budget, 1e9);
    if (!found.best && !counts.empty()) {
      ASSERT_LE(static_cast<double>(found.evaluations), counts.back().sets);
    }
  }
}

TEST_P(VerifyByNorm, LocalSearchFindsWhatThereIs) {
  Random random(50 + static_cast<std::uint64_t>(GetParam()));
  int exist = 0, found_count = 0, best_count = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomQuery asked = random_query(random, GetParam());
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    LimitWatch watch({});
    LocalSearchOptions options;
    options.evaluations = 5000;
    const auto found = find_flips(question, network, options, watch);
    if (least) ++exist;
    if (!found) continue;
    ASSERT_TRUE(least.has_value());
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, *found)));
    ASSERT_GE(question.unit * cost_of(question, *found), *least);
    ++found_count;
    if (question.unit * cost_of(question, *found) == *least) ++best_count;
    EXPECT_EQ(find_flips(question, network, options, watch), found);  // the same seed
  }
  EXPECT_GE(found_count, exist * 9 / 10);
  EXPECT_GE(best_count, exist * 9 / 10);
}

TEST_P(VerifyByNorm, ProofsAreAccepted) {
  const TemporaryFolder folder;
  Random random(60 + static_cast<std::uint64_t>(GetParam()));
  int written = 0;
  for (int round = 0; round < 60; ++round) {
    RandomQuery asked = random_query(random, GetParam());
    if (round % 3 == 0) asked.query.epsilon = static_cast<long>(random.below(4));
    VerifyRequest request;
    request.proof = folder.path() / (std::to_string(round) + ".pbp");
    request.proof_version = round % 2 == 0 ? ProofVersion::v3_0 : ProofVersion::v1_2;
    const VerifyOutcome outcome = verify(asked.network, asked.query, request);
    const bool found_within = asked.query.epsilon && outcome.status == Status::optimal;
    ASSERT_EQ(outcome.proof_written, !found_within);  // what was found needs no proof
    if (found_within) continue;
    const checking::QuestionFormula question = checking::formula_of(asked.network, asked.query);
    const checking::ProofCheck check = checking::check_proof(question.formula, read_text_file(request.proof));
    ASSERT_TRUE(check.accepted) << check.refusal;
    if (outcome.status == Status::optimal) {
      EXPECT_EQ(check.claim, checking::ProofCheck::Claim::optimal);
      EXPECT_EQ(question.unit * check.value, outcome.distance);
    } else {
      EXPECT_EQ(check.claim, checking::ProofCheck::Claim::infeasible);
    }
    ++written;
  }
  EXPECT_GT(written, 20);
}

// 40 inputs of which only all together change the class: nothing can be enumerated, the solver has to say it.
TEST(Verify, WhatOnlyTheSolverDecides) {
  Network network;
  Score yes{std::vector<std::int8_t>(40, 1)}, no{std::vector<std::int8_t>(40, 0)};
  for (int i = 0; i < 40; ++i) network.inputs.push_back("i" + std::to_string(i));
  no.bias = 39;
  network.outputs = {"no", "yes"};
  network.scores = {no, yes};
  VerifyQuery query{.values = std::vector<mpq_class>(40, 0), .label = 0};
  VerifyOutcome outcome = verify(network, query);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.distance, 40);
  EXPECT_EQ(outcome.decided_by, "solver");
  EXPECT_EQ(outcome.changed_class, 1u);
  query.norm = Norm::linf;
  query.epsilon = 1;
  network.scores[0].bias = 41;
  outcome = verify(network, query);
  EXPECT_EQ(outcome.status, Status::infeasible);
}

TEST(Verify, NothingToFlip) {
  Network network;
  network.inputs = {"x"};
  network.numbers = {NumericInput{100, 0, 10, 1}};
  network.outputs = {"a", "b"};
  network.scores = {{{1}}, {{-1}}};
  for (const Norm norm : {Norm::l0, Norm::linf}) {
    VerifyQuery query{.values = {5}, .label = 1};
    query.norm = norm;
    EXPECT_EQ(verify(network, query).status, Status::infeasible);
    query.label = 0;
    EXPECT_EQ(verify(network, query).status, Status::optimal);
    EXPECT_EQ(verify(network, query).distance, 0);
  }
}

TEST(Verify, TiesByEitherRule) {
  Network network;
  network.inputs = {"a", "b"};
  network.outputs = {"0", "1"};
  network.scores = {{{1, 0}}, {{0, 1}}};
  VerifyQuery query{.values = {1, 0}, .label = 0};
  EXPECT_EQ(verify(network, query).distance, 1);  // equal scores are enough
  query.ties = TieRule::network;
  EXPECT_EQ(verify(network, query).distance, 2);  // of equal scores the lowest class is the answer
  network.tie = ClassTie::highest;
  EXPECT_EQ(verify(network, query).distance, 1);
}

TEST(Verify, LimitsAnswerUnknownWithBounds) {
  Random random(7);
  Network network =
      testing::random_network(random, {.widths = {200, 60, 60, 2}, .numbers = false, .scores = true});
  network.scores[1].bias = -1000;  // never
  network.scores[0].bias = 0;
  VerifyQuery query{.values = std::vector<mpq_class>(200, 0), .label = 0};
  VerifyRequest request;
  request.limits.seconds = 0.2;
  std::vector<mpq_class> told;
  request.callbacks.bounds = [&](const mpq_class& lower, const std::optional<mpq_class>& upper) {
    EXPECT_TRUE(told.empty() || told.back() <= lower);
    EXPECT_TRUE(!upper || *upper >= lower);
    told.push_back(lower);
  };
  network.scores[1].bias = network.scores[0].bias - 40;
  const VerifyOutcome outcome = verify(network, query, request);
  if (outcome.status == Status::unknown || outcome.status == Status::feasible) {
    EXPECT_EQ(outcome.stopped, StopReason::time);
    EXPECT_FALSE(told.empty());
    EXPECT_EQ(outcome.lower_bound, told.back());
  }
  std::atomic<bool> interrupt = true;
  VerifyRequest at_once;
  at_once.limits.interrupt = &interrupt;
  const VerifyOutcome nothing = verify(network, query, at_once);
  EXPECT_EQ(nothing.status, Status::unknown);
  EXPECT_EQ(nothing.stopped, StopReason::interrupted);
  EXPECT_GE(nothing.lower_bound, 1);
}

}  // namespace
}  // namespace bnnplan::verification
