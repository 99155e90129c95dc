// Equality and monotonicity are those of trying all inputs.
#include "bnnplan/verify/two_networks.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/verify/joint_network.hpp"
#include "bnnplan/verify/question_formula.hpp"
#include "every_input.hpp"
#include "support/checked_formula.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using namespace testing;

// The same network with some weights and thresholds changed, or none.
Network changed_network(Random& random, Network network) {
  for (std::size_t changes = random.below(3); changes > 0; --changes) {
    if (!network.layers.empty() && random.below(2) == 0) {
      Layer& layer = network.layers[random.below(network.layers.size())];
      Neuron& neuron = layer.neurons[random.below(layer.neurons.size())];
      if (random.below(2) == 0) {
        neuron.threshold += random.below(2) == 0 ? 1 : -1;
      } else {
        neuron.weights[random.below(neuron.weights.size())] = 0;
      }
    } else if (is_classifier(network)) {
      network.scores[random.below(network.scores.size())].bias += mpq_class(1, 8);
    }
    if (random.below(3) == 0) {
      for (auto& number : network.numbers) {
        if (number && random.below(2) == 0)
          number->threshold += mpq_class(static_cast<long>(random.below(5)) - 2, 2);
      }
    }
  }
  return network;
}

TEST(Equal, IsThatOfAllInputs) {
  Random random(1);
  const TemporaryFolder folder;
  int equal = 0, different = 0, refused = 0, linked = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network first = tiny_network(random, 5, random.below(4) != 0, random.below(2) == 0);
    const Network second = changed_network(random, first);
    const Region region = random_region(random, first);
    const Equality by = random.below(2) == 0 ? Equality::classes : Equality::scores;
    std::optional<mpq_class> nearest;
    any_of_inputs(all_choices(first), [&](const std::vector<mpq_class>& values) {
      if (!is_within(region, values) || !are_different(first, second, by, values)) return false;
      const mpq_class far = region.values ? distance(region.norm, *region.values, values) : mpq_class(0);
      if (!nearest || far < *nearest) nearest = far;
      return false;
    });
    VerifyRequest request;
    if (round % 4 == 0) request.proof = folder.path() / "a.pbp";
    JointOutcome outcome;
    try {
      outcome = compare_networks(first, second, region, by, request);
    } catch (const InputError&) {  // thresholds that differ, with another norm
      ASSERT_TRUE(region.values && (region.norm != Norm::linf || !region.epsilon));
      ++refused;
      continue;
    }
    const JointQuestion joint = make_equal_question(first, second, region, by);
    if (!joint.question.implications.empty()) ++linked;
    const checking::PbFormula ours = checking::formula_of(first, second, region, by).formula;
    ASSERT_EQ(formula_text(ours), formula_text(checked_formula(question_formula(joint.question))))
        << "the checker has another formula, " << round;
    ASSERT_EQ(outcome.status, nearest ? Status::optimal : Status::infeasible) << round;
    if (nearest) {
      ASSERT_TRUE(are_different(first, second, by, outcome.values));
      ASSERT_TRUE(is_within(region, outcome.values));
      if (region.values && !region.epsilon) {
        ASSERT_EQ(outcome.distance, *nearest) << round;
      }
      if (!is_classifier(first)) {
        ASSERT_NE(outcome.scores, outcome.other_scores);
      }
    } else if (!request.proof.empty()) {
      ASSERT_TRUE(outcome.proof_written);
      const checking::ProofCheck check = checking::check_proof(ours, read_text_file(request.proof));
      ASSERT_TRUE(check.accepted) << check.refusal;
      ASSERT_EQ(check.claim, checking::ProofCheck::Claim::infeasible);
    }
    ++(nearest ? different : equal);
  }
  EXPECT_GT(equal, 20);
  EXPECT_GT(different, 20);
  EXPECT_GT(refused, 0);
  EXPECT_GT(linked, 5);
}

// Both reach their thresholds at the same number of the grid, but the given number is between them.
TEST(Equal, AnInputBetweenTheStepsOfItsGrid) {
  Network first{{"x"}, {"y"}, {{{{{1}, 1}}}}, {NumericInput{mpq_class(1, 4), 0, 2, 1}}, {}};
  Network second = first;
  second.numbers[0]->threshold = mpq_class(3, 4);
  const Region region{{{mpq_class(1, 2)}}, Norm::linf, mpq_class(1)};
  const JointQuestion joint = make_equal_question(first, second, region, Equality::scores);
  EXPECT_EQ(joint.question.implications.size(), 1u);
  EXPECT_EQ(formula_text(checking::formula_of(first, second, region, Equality::scores).formula),
            formula_text(checked_formula(question_formula(joint.question))));
}

TEST(Equal, AnExtraLayerThatHandsOnIsEqual) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const Network network = tiny_network(random, 6, true, true);
    Network longer = network;
    const std::size_t bits = last_bits(network);
    Layer layer;
    for (std::size_t i = 0; i < bits; ++i) {
      layer.neurons.push_back({std::vector<std::int8_t>(bits), 1});
      layer.neurons.back().weights[i] = 1;
    }
    longer.layers.push_back(layer);
    EXPECT_EQ(compare_networks(network, longer, {}, Equality::scores).status, Status::infeasible);
    EXPECT_EQ(compare_networks(longer, network, {}, Equality::classes).status, Status::infeasible);
  }
}

// One model by two tools: its scores differ in their last digits, which no numbers of agreeing inputs can
// tell apart.
TEST(Equal, DigitsThatDecideNothing) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    Network network = random_network(random, {.widths = {60, 50, 50, 10}, .numbers = true, .scores = true});
    Network other = network;
    for (std::size_t c = 0; c < network.scores.size(); ++c) {
      network.scores[c].scale = mpq_class(1 + 1.0 / (3.0 + static_cast<double>(random.below(1000))));
      network.scores[c].bias = mpq_class(1 / (7.0 + static_cast<double>(random.below(1000))));
      other.scores[c].scale = network.scores[c].scale * (3 + mpq_class(c, mpz_class(1) << 50));
      other.scores[c].bias = network.scores[c].bias * (3 + mpq_class(c + 1, mpz_class(1) << 50));
    }
    VerifyRequest request;
    request.limits.seconds = 5;
    const JointOutcome outcome = compare_networks(network, other, {}, Equality::classes, request);
    ASSERT_EQ(outcome.status, Status::infeasible) << round;
    EXPECT_EQ(outcome.decided_by, "structure");
    other.scores[3].bias += mpq_class(1, 2);
    EXPECT_NE(make_equal_question(network, other, {}, Equality::classes)
                  .question.property.nodes.back()
                  .children.size(),
              0u);
  }
}

TEST(Equal, Refusals) {
  Random random(3);
  const Network network = random_network(random, {.widths = {3, 4, 2}, .numbers = false, .scores = true});
  const auto message = [&](const Network& other) -> std::string {
    try {
      make_equal_question(network, other, {}, Equality::classes);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(random_network(random, {.widths = {4, 4, 2}, .numbers = false, .scores = true})),
            "the networks take 3 and 4 inputs");
  EXPECT_EQ(message(random_network(random, {.widths = {3, 4, 5}, .numbers = false, .scores = true})),
            "the networks have 2 and 5 outputs");
  EXPECT_EQ(message(random_network(random, {.widths = {3, 4, 2}, .numbers = false, .scores = false})),
            "one of the networks is a classifier, the other outputs bits");
}

TEST(Monotone, IsThatOfAllInputs) {
  Random random(4);
  const TemporaryFolder folder;
  int monotone = 0, not_monotone = 0, proved = 0;
  for (int round = 0; round < rounds(); ++round) {
    const Network network = tiny_network(random, 5, random.below(4) != 0, random.below(2) == 0);
    MonotoneQuery query;
    query.input = random.below(network.inputs.size());
    query.output = random.below(network.outputs.size());
    query.increasing = random.below(2) == 0;
    query.by_class = is_classifier(network) && random.below(2) == 0;
    query.region = random_region(random, network);
    if (query.region.values && !query.region.epsilon) query.region.epsilon = 1;
    const auto choices = all_choices(network);
    const bool expected = any_of_inputs(choices, [&](const std::vector<mpq_class>& lower) {
      std::vector<mpq_class> near = lower;
      if (query.region.values) near[query.input] = (*query.region.values)[query.input];
      if (!is_within(query.region, near)) return false;
      std::vector<mpq_class> upper = lower;
      for (const mpq_class& value : choices[query.input]) {
        upper[query.input] = value;
        if (value > lower[query.input] && goes_the_other_way(network, query, lower, upper)) return true;
      }
      return false;
    });
    VerifyRequest request;
    if (round % 4 == 0) request.proof = folder.path() / "a.pbp";
    const JointOutcome outcome = check_monotone(network, query, request);
    const checking::PbFormula ours = checking::formula_of(network, query).formula;
    ASSERT_EQ(
        formula_text(ours),
        formula_text(checked_formula(question_formula(make_monotone_question(network, query).question))))
        << "the checker has another formula, " << round;
    if (outcome.proof_written) {
      const checking::ProofCheck check = checking::check_proof(ours, read_text_file(request.proof));
      ASSERT_TRUE(check.accepted) << check.refusal;
      ASSERT_EQ(check.claim, checking::ProofCheck::Claim::infeasible);
      ++proved;
    }
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible) << round;
    if (expected) {
      ASSERT_TRUE(goes_the_other_way(network, query, outcome.values, outcome.other_values));
      ASSERT_LT(outcome.values[query.input], outcome.other_values[query.input]);
    }
    ++(expected ? not_monotone : monotone);
  }
  EXPECT_GT(monotone, 30);
  EXPECT_GT(not_monotone, 30);
  EXPECT_GT(proved, 5);
}

}  // namespace
}  // namespace bnnplan::verification
