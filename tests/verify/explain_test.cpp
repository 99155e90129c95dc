// Explanations are those of trying all sets of inputs; counts are those of trying all inputs.
#include "bnnplan/verify/explain.hpp"

#include <bit>
#include <map>

#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/verify/count.hpp"
#include "every_input.hpp"

namespace bnnplan::verification {
namespace {

using namespace testing;

VerifyQuery class_query(const ExplainQuery& query) {
  VerifyQuery result;
  result.values = query.values;
  result.label = query.label;
  result.ties = query.ties;
  return result;
}

// Whether these inputs, one bit each, fix the class.
bool explains(const Network& network, const ExplainQuery& query, std::uint32_t kept) {
  std::vector<std::vector<mpq_class>> choices;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    std::vector<mpq_class> numbers{query.values[i]};
    if ((kept >> i & 1) == 0) {
      for (const mpq_class& value : allowed_values(network, i)) {
        if (!query.epsilon || abs(value - query.values[i]) <= *query.epsilon) numbers.push_back(value);
      }
    }
    choices.push_back(std::move(numbers));
  }
  return !any_of_inputs(choices, [&](const std::vector<mpq_class>& values) {
    return is_classified_otherwise(network, class_query(query), values);
  });
}

TEST(Explain, AreThoseOfAllSets) {
  Random random(1);
  int empty = 0, some = 0, smaller = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network network = tiny_network(random, 5, true, random.below(2) == 0);
    ExplainQuery query;
    query.values = random_input(random, network);
    query.label = reference_class(network, binarize(network, query.values));
    query.ties = random.below(3) == 0 ? TieRule::label_loses : TieRule::network;
    if (random.below(3) == 0) query.epsilon = mpq_class(static_cast<long>(random.below(3)));
    if (is_classified_otherwise(network, class_query(query), query.values)) {
      EXPECT_THROW(explain(network, query, {}), InputError);
      continue;
    }
    const auto inputs = static_cast<std::uint32_t>(network.inputs.size());
    int least = 100;
    for (std::uint32_t kept = 0; kept < 1u << inputs; ++kept) {
      if (std::popcount(kept) < least && explains(network, query, kept)) least = std::popcount(kept);
    }
    const auto pattern = [](const Explanation& answer) {
      std::uint32_t kept = 0;
      for (const std::uint32_t input : answer.inputs) kept |= 1u << input;
      return kept;
    };
    const Explanation minimal = explain(network, query, {});
    ASSERT_TRUE(minimal.found && minimal.is_minimal) << round;
    ASSERT_TRUE(explains(network, query, pattern(minimal))) << round;
    for (const std::uint32_t input : minimal.inputs)
      ASSERT_FALSE(explains(network, query, pattern(minimal) & ~(1u << input))) << round;
    query.kind = ExplanationKind::smallest;
    const Explanation smallest = explain(network, query, {});
    ASSERT_TRUE(smallest.is_smallest && smallest.is_minimal) << round;
    ASSERT_TRUE(explains(network, query, pattern(smallest))) << round;
    ASSERT_EQ(static_cast<int>(smallest.inputs.size()), least) << round;
    ++(least == 0 ? empty : some);
    if (smallest.inputs.size() < minimal.inputs.size()) ++smaller;
  }
  EXPECT_GT(empty, 5);
  EXPECT_GT(some, 50);
}

// A score that is a majority: of 30 inputs that are all 1, any 16 explain.
TEST(Explain, Majority) {
  Network network;
  for (int i = 0; i < 30; ++i) network.inputs.push_back("i" + std::to_string(i));
  network.outputs = {"no", "yes"};
  network.layers = {{{{std::vector<std::int8_t>(30, 1), 16}}}};
  network.scores = {{{-1}}, {{1}}};
  ExplainQuery query{.values = std::vector<mpq_class>(30, 1), .label = 1};
  EXPECT_EQ(explain(network, query, {}).inputs.size(), 16u);
  std::atomic<bool> interrupt = true;
  Limits limits;
  limits.interrupt = &interrupt;
  const Explanation stopped = explain(network, query, limits);
  EXPECT_FALSE(stopped.found);
  EXPECT_EQ(stopped.stopped, StopReason::interrupted);
}

TEST(Count, IsThatOfAllInputs) {
  Random random(2);
  int some = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network network = tiny_network(random, 5, true, random.below(2) == 0);
    VerifyQuery query;
    query.values = random_input(random, network);
    query.label = random.below(network.scores.size());
    query.norm = static_cast<Norm>(round % 4);
    query.epsilon = mpq_class(static_cast<long>(random.below(7)), 2);
    query.epsilon->canonicalize();
    query.ties = random.below(2) == 0 ? TieRule::label_loses : TieRule::network;
    std::map<BitValues, bool> patterns;
    long values = 0, misclassified = 0;
    any_of_inputs(all_choices(network), [&](const std::vector<mpq_class>& input) {
      if (!is_within({query.values, query.norm, query.epsilon}, input)) return false;
      const bool otherwise = is_classified_otherwise(network, query, input);
      patterns[binarize(network, input)] = otherwise;
      ++values;
      if (otherwise) ++misclassified;
      return false;
    });
    long misclassified_patterns = 0;
    for (const auto& [pattern, otherwise] : patterns) misclassified_patterns += otherwise ? 1 : 0;
    CountOutcome outcome = count_misclassified(network, query, CountOf::patterns, {});
    ASSERT_TRUE(outcome.exact);
    ASSERT_EQ(outcome.lower, misclassified_patterns) << round;
    ASSERT_EQ(outcome.upper, misclassified_patterns);
    ASSERT_EQ(outcome.total, static_cast<unsigned long>(patterns.size())) << round;
    outcome = count_misclassified(network, query, CountOf::values, {});
    ASSERT_TRUE(outcome.exact);
    ASSERT_EQ(outcome.lower, misclassified) << round << " " << static_cast<int>(query.norm);
    ASSERT_EQ(outcome.total, values) << round;
    // With fewer evaluations than there are sets: bounds around the truth.
    for (const CountOf what : {CountOf::patterns, CountOf::values}) {
      outcome = count_misclassified(network, query, what, {}, 2);
      const long truth = what == CountOf::patterns ? misclassified_patterns : misclassified;
      ASSERT_LE(outcome.lower, truth) << round;
      ASSERT_GE(outcome.upper, truth) << round;
    }
    ++(misclassified > 0 ? some : none);
  }
  EXPECT_GT(some, 50);
  EXPECT_GT(none, 20);
}

TEST(Count, NeedsARegion) {
  Random random(3);
  const Network network = tiny_network(random, 3, true, false);
  VerifyQuery query;
  query.values = random_input(random, network);
  EXPECT_THROW(count_misclassified(network, query, CountOf::patterns, {}), InputError);
}

}  // namespace
}  // namespace bnnplan::verification
