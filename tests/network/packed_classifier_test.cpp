// Classes by packed inference against the reference, with every instruction set, and numbers as packed bits
// against rational comparison.
#include "bnnplan/network/packed_classifier.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/network/input_bits.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/random_network.hpp"

namespace bnnplan {

#if defined(__x86_64__)
extern const Kernels kEmulatedAvx512Kernels;
#endif

namespace {

std::vector<const Kernels*> kernels_to_compare() {
  std::vector<const Kernels*> list;
  for (const InstructionSet set : instruction_sets()) list.push_back(&packed_kernels(set));
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.1")) list.push_back(&kEmulatedAvx512Kernels);
#endif
  return list;
}

void pack_bits(const BitValues& bits, std::uint64_t* words) {
  for (std::size_t i = 0; i < bits.size(); ++i) words[i / 64] |= std::uint64_t{bits[i] != 0} << i % 64;
}

void compare_with_reference(Random& random, const Network& network, std::size_t samples) {
  const std::size_t words = words_of(network.inputs.size());
  std::vector<std::uint64_t> packed(samples * words);
  std::vector<std::uint32_t> expected;
  std::vector<mpq_class> scores;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const BitValues bits = testing::random_bits(random, network.inputs.size());
    pack_bits(bits, packed.data() + sample * words);
    if (network.inputs.size() % 64 != 0)  // bits beyond the inputs are ignored
      packed[(sample + 1) * words - 1] |= random.next() << network.inputs.size() % 64;
    const auto values = reference_scores(network, bits);
    scores.insert(scores.end(), values.begin(), values.end());
    expected.push_back(static_cast<std::uint32_t>(reference_class(network, bits)));
  }
  for (const Kernels* kernels : kernels_to_compare()) {
    const PackedClassifier classifier(network, *kernels);
    ClassifierWorkspace workspace;
    std::vector<std::uint32_t> classes(samples, 77);
    classifier.classify(packed.data(), samples, classes.data(), workspace);
    EXPECT_EQ(classes, expected) << kernels->name << " " << shape_text(network);
    std::vector<std::int32_t> agreeing(samples * network.scores.size());
    classifier.count_agreeing(packed.data(), samples, agreeing.data(), workspace);
    for (std::size_t i = 0; i < agreeing.size(); ++i) {
      const Score& score = network.scores[i % network.scores.size()];
      ASSERT_EQ(score.scale * (2 * agreeing[i] - fan_in(score.weights)) + score.bias, scores[i])
          << kernels->name;
    }
  }
}

TEST(PackedClassifier, GivesTheClassesOfTheReference) {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    testing::RandomNetworkShape shape = testing::random_shape(random, i % 10 == 0 ? 300 : 40);
    shape.scores = true;
    compare_with_reference(random, testing::random_network(random, shape), i % 3 == 0 ? 300 : 5);
  }
}

TEST(PackedClassifier, OneClassManyClassesAndNoLayer) {
  Random random(2);
  for (const auto& widths :
       std::vector<std::vector<std::size_t>>{{5, 1}, {64, 10}, {70, 3}, {128, 65}, {9, 7, 1}})
    compare_with_reference(random, testing::random_network(random, {widths, false, true}), 20);
}

// Two classes of one neuron each, whose scores are too long for 64 bits, in an order that doubles do not see.
TEST(PackedClassifier, ComparesScoresThatNoIntegerHolds) {
  Network network{{"a", "b"}, {"first", "second"}, {}};
  const mpq_class tiny(mpz_class(1), mpz_class(1) << 200);
  network.scores = {{{1, 0}, mpq_class(1), tiny}, {{0, 1}, mpq_class(1), mpq_class(0)}};
  Random random(3);
  compare_with_reference(random, network, 10);
  EXPECT_EQ(reference_class(network, BitValues{1, 1}), 0u);
  network.scores[0].bias = -tiny;
  compare_with_reference(random, network, 10);
  EXPECT_EQ(reference_class(network, BitValues{1, 1}), 1u);
}

TEST(PackedClassifier, TiesGoWhereTheNetworkSays) {
  Network network{{"a"}, {"x", "y", "z"}, {}};
  network.scores = {{{0}, 1, 0}, {{0}, 1, 2}, {{0}, 1, 2}};
  EXPECT_EQ(reference_class(network, BitValues{1}), 1u);
  network.tie = ClassTie::highest;
  EXPECT_EQ(reference_class(network, BitValues{1}), 2u);
  Random random(4);
  compare_with_reference(random, network, 2);
}

TEST(InputBits, AreExactComparisons) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const Network network = testing::random_network(random, {{1 + random.below(100), 2}, true, false});
    const std::size_t count = network.inputs.size();
    std::vector<double> values;
    std::vector<mpq_class> exact;
    for (std::size_t input = 0; input < count; ++input) {
      const auto& number = network.numbers[input];
      double value = number ? mpq_class(number->low + random.below(20) * number->step).get_d()
                            : static_cast<double>(random.below(2));
      if (number && random.below(3) == 0) value = number->threshold.get_d();
      if (number && random.below(3) == 0) value = std::nextafter(value, 1e9);
      values.push_back(value);
      exact.push_back(shortest_decimal(value));
    }
    std::vector<std::uint64_t> expected(words_of(count)), bits(words_of(count));
    pack_bits(binarize(network, exact), expected.data());
    InputBits(network).pack(std::span<const double>(values), bits.data());
    EXPECT_EQ(bits, expected);
  }
}

TEST(InputBits, OfBytesAreThoseOfDoubles) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    Network network = testing::random_network(random, {{1 + random.below(100), 2}, true, false});
    for (auto& number : network.numbers) {
      if (number) *number = {mpq_class(static_cast<long>(random.below(600)) - 20, 2), 0, 255, 1};
      if (number) number->threshold.canonicalize();
    }
    std::vector<std::uint8_t> bytes(network.inputs.size());
    for (std::size_t b = 0; b < bytes.size(); ++b)
      bytes[b] = static_cast<std::uint8_t>(random.below(network.numbers[b] ? 256 : 2));
    const std::vector<double> values(bytes.begin(), bytes.end());
    const InputBits input_bits(network);
    std::vector<std::uint64_t> expected(words_of(bytes.size())), bits(words_of(bytes.size()));
    input_bits.pack(std::span<const double>(values), expected.data());
    input_bits.pack(std::span<const std::uint8_t>(bytes), bits.data());
    EXPECT_EQ(bits, expected);
    EXPECT_EQ(input_bits.first_not_allowed(std::span<const std::uint8_t>(bytes)), bytes.size());
  }
}

TEST(InputBits, SayWhatIsNotAllowed) {
  Network network{{"a", "b"}, {"y'"}, {{{{{1, 1}, 1}}}}};
  network.numbers = {NumericInput{2, 1, mpq_class(10, 3), mpq_class(1, 3)}, std::nullopt};
  const InputBits bits(network);
  const auto first = [&](double a, double b) {
    return bits.first_not_allowed(std::span<const double>(std::vector<double>{a, b}));
  };
  EXPECT_EQ(first(1, 0), 2u);
  EXPECT_EQ(first(10.0 / 3, 1), 2u);
  EXPECT_EQ(first(3.49, 1), 2u) << "nearer to 10/3 than to what would be next";
  EXPECT_EQ(first(3.51, 1), 0u);
  EXPECT_EQ(first(0.5, 1), 0u);
  EXPECT_EQ(first(std::numeric_limits<double>::quiet_NaN(), 1), 0u);
  EXPECT_EQ(first(1, 0.5), 1u);
  EXPECT_EQ(first(1, -1), 1u);
  EXPECT_EQ(bits.first_not_allowed(std::span<const std::uint8_t>(std::vector<std::uint8_t>{4, 1})), 0u);
  EXPECT_EQ(bits.first_not_allowed(std::span<const std::uint8_t>(std::vector<std::uint8_t>{3, 2})), 1u);
  EXPECT_EQ(range_text(network, 0), "from 1 to 10/3");
  EXPECT_EQ(range_text(network, 1), "0 or 1");
}

}  // namespace
}  // namespace bnnplan
