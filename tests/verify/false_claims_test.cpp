// Attacks on check-proof for questions: proofs of our engines, altered, or offered for another question than
// the one they were written for. Whatever the checker then still accepts has to be true, by trying all
// inputs.
#include <functional>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/check/question_formula.hpp"
#include "bnnplan/verify/answer_linear.hpp"
#include "bnnplan/verify/two_networks.hpp"
#include "every_input.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using namespace testing;
using checking::ProofCheck;

// A question of one of four kinds; a part of it can be changed.
struct AnyQuestion {
  std::size_t kind = 0;
  Network network, other;
  VerifyQuery query;
  Region region;
  Equality by = Equality::classes;
  MonotoneQuery monotone;
  LinearQuery linear;

  checking::QuestionFormula formula() const {
    if (kind == 0) return checking::formula_of(network, query);
    if (kind == 1) return checking::formula_of(network, other, region, by);
    if (kind == 2) return checking::formula_of(network, monotone);
    return checking::formula_of(network, linear);
  }

  bool write_proof(const VerifyRequest& request) const {
    if (kind == 0) return verify(network, query, request).proof_written;
    if (kind == 1) return compare_networks(network, other, region, by, request).proof_written;
    if (kind == 2) return check_monotone(network, monotone, request).proof_written;
    return answer_linear(network, linear, request).proof_written;
  }

  // The least distance or value of an input as asked for; nothing if there is none. By all inputs.
  std::optional<mpq_class> truth() const {
    std::optional<mpq_class> least;
    const auto found = [&](const mpq_class& value) {
      if (!least || value < *least) least = value;
    };
    const auto choices = all_choices(network);
    any_of_inputs(choices, [&](const std::vector<mpq_class>& values) {
      if (kind == 0) {
        if (is_within({query.values, query.norm, query.epsilon}, values) &&
            is_classified_otherwise(network, query, values))
          found(distance(query.norm, query.values, values));
      } else if (kind == 1) {
        if (is_within(region, values) && are_different(network, other, by, values))
          found(region.values ? distance(region.norm, *region.values, values) : mpq_class(0));
      } else if (kind == 2) {
        std::vector<mpq_class> near = values, upper = values;
        if (monotone.region.values) near[monotone.input] = (*monotone.region.values)[monotone.input];
        if (!is_within(monotone.region, near)) return false;
        for (const mpq_class& value : choices[monotone.input]) {
          upper[monotone.input] = value;
          if (value > values[monotone.input] && goes_the_other_way(network, monotone, values, upper))
            found(0);
        }
      } else {
        const std::vector<mpq_class> outputs = output_values(network, values);
        if ((!linear.region || is_within(*linear.region, values)) &&
            holds(linear.property, linear.property.root(), values, outputs))
          found(linear.minimize ? linear.minimize->value(values, outputs) : mpq_class(0));
      }
      return false;
    });
    return least;
  }
};

mpq_class small_number(Random& random) { return static_cast<long>(random.below(7)) - 3; }

AnyQuestion random_question(Random& random) {
  AnyQuestion asked;
  asked.kind = random.below(4);
  asked.network = tiny_network(random, 5, asked.kind == 0 || random.below(4) != 0, random.below(2) == 0);
  asked.other = asked.network;
  const std::size_t outputs = asked.network.outputs.size();
  Region region = random_region(random, asked.network);
  if (asked.kind > 1 && region.values && !region.epsilon) region.epsilon = 1;
  asked.region = asked.monotone.region = region;
  asked.query.values = random_input(random, asked.network);
  asked.query.label = is_classifier(asked.network)
                          ? reference_class(asked.network, binarize(asked.network, asked.query.values))
                          : 0;
  asked.query.norm = static_cast<Norm>(random.below(4));
  if (random.below(2) == 0) asked.query.epsilon = static_cast<long>(random.below(4));
  asked.by = random.below(2) == 0 ? Equality::classes : Equality::scores;
  asked.monotone.input = random.below(asked.network.inputs.size());
  asked.monotone.output = random.below(outputs);
  asked.monotone.by_class = is_classifier(asked.network) && random.below(2) == 0;
  if (random.below(2) == 0 && region.norm == Norm::linf) asked.linear.region = region;
  std::vector<std::uint32_t> parts;
  for (std::size_t n = 1 + random.below(3); n > 0; --n) {
    LinearSum sum;
    sum.constant = small_number(random);
    if (random.below(3) != 0) sum.outputs[static_cast<std::uint32_t>(random.below(outputs))] = 1;
    if (random.below(2) == 0) sum.outputs[static_cast<std::uint32_t>(random.below(outputs))] = -1;
    if (random.below(3) == 0)
      sum.inputs[static_cast<std::uint32_t>(random.below(asked.network.inputs.size()))] = 2;
    parts.push_back(add_relation(asked.linear.property, sum, static_cast<Relation>(random.below(6)), {}));
  }
  asked.linear.property.add(random.below(2) == 0 ? LinearProperty::Kind::all : LinearProperty::Kind::any,
                            parts);
  if (random.below(2) == 0) {
    asked.linear.minimize.emplace();
    for (std::uint32_t i = 0; i < asked.network.inputs.size(); ++i)
      asked.linear.minimize->inputs[i] = 1 + static_cast<long>(random.below(3));
  }
  return asked;
}

void change(Random& random, AnyQuestion& asked) {
  Network& network = asked.kind == 1 && random.below(2) == 0 ? asked.other : asked.network;
  switch (random.below(5)) {
    case 0:
      if (!network.layers.empty()) {
        Layer& layer = network.layers[random.below(network.layers.size())];
        Neuron& neuron = layer.neurons[random.below(layer.neurons.size())];
        neuron.threshold += random.below(2) == 0 ? 1 : -1;
        break;
      }
      [[fallthrough]];
    case 1:
      if (is_classifier(network)) {
        network.scores[random.below(network.scores.size())].bias += small_number(random);
        break;
      }
      [[fallthrough]];
    case 2:
      if (!network.layers.empty()) {
        Layer& layer = network.layers[random.below(network.layers.size())];
        Neuron& neuron = layer.neurons[random.below(layer.neurons.size())];
        std::int8_t& weight = neuron.weights[random.below(neuron.weights.size())];
        weight = static_cast<std::int8_t>(-weight);
        break;
      }
      [[fallthrough]];
    case 3:
      for (Region* region : {&asked.region, &asked.monotone.region}) {
        if (region->epsilon) *region->epsilon += 1;
      }
      if (asked.query.epsilon) *asked.query.epsilon += 1;
      if (asked.linear.region && asked.linear.region->epsilon) *asked.linear.region->epsilon += 1;
      break;
    default:
      asked.query.ties = TieRule::network;
      asked.monotone.increasing = !asked.monotone.increasing;
      asked.linear.property.conditions.back().sum.constant += small_number(random);
      asked.by = asked.by == Equality::scores ? Equality::classes : Equality::scores;
      break;
  }
}

// One word of the proof is another one, or a line is gone.
std::string altered(Random& random, std::string proof) {
  const std::size_t at = random.below(proof.size());
  switch (random.below(4)) {
    case 0: {
      const std::size_t literal = proof.find(" x", at);
      return literal == proof.npos ? proof : proof.insert(literal + 1, "~");
    }
    case 1: {
      const std::size_t digit = proof.find_first_of("123456789", at);
      if (digit != proof.npos) proof[digit] = static_cast<char>('1' + random.below(9));
      return proof;
    }
    case 2: {
      const std::size_t literal = proof.find('~', at);
      return literal == proof.npos ? proof : proof.erase(literal, 1);
    }
    default: {
      const std::size_t line = proof.find('\n', at);
      return line == proof.npos ? proof : proof.erase(line, proof.find('\n', line + 1) - line);
    }
  }
}

TEST(FalseClaims, AreNotAccepted) {
  Random random(38);
  const TemporaryFolder folder;
  std::size_t proofs = 0, refused = 0, elsewhere = 0, untrue_elsewhere = 0;
  for (int round = 0; round < rounds(); ++round) {
    SCOPED_TRACE(round);
    AnyQuestion asked = random_question(random);
    if (asked.kind == 1) change(random, asked);
    VerifyRequest request;
    request.proof = folder.path() / "a.pbp";
    request.proof_version = round % 2 == 0 ? ProofVersion::v3_0 : ProofVersion::v1_2;
    std::string proof;
    try {
      if (!asked.write_proof(request)) continue;
      proof = read_text_file(request.proof);
    } catch (const InputError&) {
      continue;
    }
    ++proofs;
    // What the proof claims of a question is true of it.
    const auto is_false = [&](const AnyQuestion& of, const std::string& text) {
      const checking::QuestionFormula formula = of.formula();
      const ProofCheck check = checking::check_proof(formula.formula, text);
      if (!check.accepted) {
        ++refused;
        return false;
      }
      const std::optional<mpq_class> truth = of.truth();
      if (check.claim == ProofCheck::Claim::infeasible) return truth.has_value();
      if (check.claim == ProofCheck::Claim::optimal)
        return truth != mpq_class(formula.unit * mpq_class(mpz_class(check.value)) + formula.offset);
      return !truth;
    };
    const ProofCheck own = checking::check_proof(asked.formula().formula, proof);
    ASSERT_TRUE(own.accepted) << own.refusal;
    ASSERT_FALSE(is_false(asked, proof));
    for (int i = 0; i < 10; ++i) ASSERT_FALSE(is_false(asked, altered(random, proof)));
    for (int i = 0; i < 5; ++i) {
      AnyQuestion another = asked;
      change(random, another);
      try {
        ASSERT_FALSE(is_false(another, proof));
        if (another.truth() != asked.truth()) ++untrue_elsewhere;
        ++elsewhere;
      } catch (const InputError&) {  // a question that cannot be asked
      }
    }
  }
  EXPECT_GT(proofs, static_cast<std::size_t>(rounds()) / 4);
  EXPECT_GT(refused, 2 * proofs);
  EXPECT_GT(elsewhere, proofs);
  EXPECT_GT(untrue_elsewhere, proofs / 4);
}

}  // namespace
}  // namespace bnnplan::verification
