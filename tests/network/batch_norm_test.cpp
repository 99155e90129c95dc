// Folding is exact. The oracle evaluates the definition x >= 0 for every number of agreeing inputs in exact
// rational arithmetic by another road than the implementation: it brackets sqrt(variance + epsilon) between
// two rationals and refines them until the sign of x is certain (or the root is found to be rational).
#include "bnnplan/network/batch_norm.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gmpxx.h>
#include <gtest/gtest.h>

#include "bnnplan/network/network.hpp"

namespace bnnplan {
namespace {

// Floor of the root of a rational, with `bits` binary digits after the point.
mpq_class root_floor(const mpq_class& value, unsigned bits) {
  mpz_class shifted = (value.get_num() << (2 * bits)) / value.get_den();
  mpq_class root(sqrt(shifted), mpz_class(1) << bits);
  root.canonicalize();
  return root;
}

bool definition(const BatchNorm& norm, long fan_in, long agreeing) {
  const mpq_class mean(norm.mean), gamma(norm.gamma), beta(norm.beta);
  const mpq_class v = mpq_class(norm.variance) + mpq_class(norm.epsilon);
  const mpq_class a = (mpq_class(2 * agreeing - fan_in) - mean) * gamma;  // x = a / sqrt(v) + beta
  if (beta == 0) return a >= 0;
  mpq_class exact;
  if (mpz_perfect_square_p(v.get_num().get_mpz_t()) != 0 &&
      mpz_perfect_square_p(v.get_den().get_mpz_t()) != 0) {
    exact = mpq_class(sqrt(v.get_num()), sqrt(v.get_den()));
    return a + beta * exact >= 0;
  }
  // sqrt(v) is irrational, so a + beta sqrt(v) is never 0 and refinement ends.
  for (unsigned bits = 64;; bits *= 2) {
    const mpq_class low = root_floor(v, bits);
    const mpq_class high = low + mpq_class(1, mpz_class(1) << bits);
    const bool with_low = a + beta * low >= 0;
    const bool with_high = a + beta * high >= 0;
    if (with_low == with_high) return with_low;
  }
}

void expect_exact(const BatchNorm& norm, std::int32_t fan_in) {
  ASSERT_EQ(batch_norm_fault(norm), nullptr);
  const FoldedThreshold folded = fold(norm, fan_in);
  EXPECT_GE(folded.threshold, 0);
  EXPECT_LE(folded.threshold, fan_in + 1);
  for (std::int32_t agreeing = 0; agreeing <= fan_in; ++agreeing) {
    const std::int32_t count = folded.negated ? fan_in - agreeing : agreeing;
    ASSERT_EQ(count >= folded.threshold, definition(norm, fan_in, agreeing))
        << "agreeing " << agreeing << " of " << fan_in << ", mean " << norm.mean << " variance "
        << norm.variance << " epsilon " << norm.epsilon << " gamma " << norm.gamma << " beta " << norm.beta;
  }
}

TEST(BatchNorm, RandomParametersFoldExactly) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 3000; ++i) {
    const std::int32_t fan_in = static_cast<std::int32_t>(random() % 40);
    BatchNorm norm;
    norm.mean = normal(random) * fan_in;
    norm.variance = std::abs(normal(random)) * fan_in + 1e-3;
    norm.epsilon = i % 2 == 0 ? 1e-5 : 0;
    norm.gamma = normal(random);
    norm.beta = normal(random) * (i % 3 == 0 ? 3 : 0.1);
    expect_exact(norm, fan_in);
  }
}

TEST(BatchNorm, TiesAreOne) {
  // variance 4: x = (D - mean) gamma / 2 + beta, exactly 0 for chosen D; both signs of gamma, and one double
  // beside.
  for (const double gamma : {1.0, -1.0, 0.5, -3.0}) {
    for (int d = -6; d <= 6; d += 2) {
      for (const double mean : {0.0, 1.0, -0.5}) {
        const double beta = -(d - mean) * gamma / 2;
        const BatchNorm tie{mean, 4, 0, gamma, beta};
        expect_exact(tie, 6);
        EXPECT_TRUE(definition(tie, 6, (6 + d) / 2));
        const double infinity = std::numeric_limits<double>::infinity();
        expect_exact({mean, 4, 0, gamma, std::nextafter(beta, infinity)}, 6);
        expect_exact({mean, 4, 0, gamma, std::nextafter(beta, -infinity)}, 6);
        expect_exact({std::nextafter(mean, infinity), 4, 0, gamma, beta}, 6);
        expect_exact({std::nextafter(mean, -infinity), 4, 0, gamma, beta}, 6);
        expect_exact({mean, std::nextafter(4.0, infinity), 0, gamma, beta}, 6);
        expect_exact({mean, std::nextafter(4.0, 0.0), 0, gamma, beta}, 6);
        expect_exact({mean, 4, 5e-324, gamma, beta}, 6);  // lost in double precision, but not here
      }
    }
  }
}

// Parameters for which double-precision arithmetic gives the wrong threshold: beta chosen as the rounded tie.
TEST(BatchNorm, NearTiesWhereDoublesAreWrong) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0.1, 10);
  int doubles_wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::int32_t fan_in = 1 + static_cast<std::int32_t>(random() % 64);
    const int agreeing = static_cast<int>(random() % (fan_in + 1));
    BatchNorm norm{uniform(random) - 5, uniform(random), 1e-5, (random() % 2 == 0 ? 1 : -1) * uniform(random),
                   0};
    norm.beta = -(2 * agreeing - fan_in - norm.mean) * norm.gamma / std::sqrt(norm.variance + norm.epsilon);
    expect_exact(norm, fan_in);
    const double x =
        (2 * agreeing - fan_in - norm.mean) * norm.gamma / std::sqrt(norm.variance + norm.epsilon) +
        norm.beta;
    if ((x >= 0) != definition(norm, fan_in, agreeing)) ++doubles_wrong;
  }
  EXPECT_GT(doubles_wrong, 100) << "these parameters are meant to be hard";
}

TEST(BatchNorm, ExtremeMagnitudes) {
  const double huge = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double mean : {0.0, 1.0, -1.0, huge, -huge, tiny}) {
    for (const double variance : {1.0, huge, tiny}) {
      for (const double gamma : {1.0, -1.0, huge, -huge, tiny, -tiny}) {
        for (const double beta : {0.0, 1.0, -1.0, huge, -huge, tiny, -tiny})
          expect_exact({mean, variance, 0, gamma, beta}, 5);
      }
    }
  }
}

TEST(BatchNorm, GammaZeroIsConstant) {
  EXPECT_EQ(fold({0, 1, 0, 0, 0.5}, 4), (FoldedThreshold{false, 0}));
  EXPECT_EQ(fold({0, 1, 0, 0, 0.0}, 4), (FoldedThreshold{false, 0}));
  EXPECT_EQ(fold({0, 1, 0, 0, -0.0}, 4), (FoldedThreshold{false, 0}));
  EXPECT_EQ(fold({0, 1, 0, -0.0, -0.5}, 4), (FoldedThreshold{false, 5}));
  EXPECT_EQ(fold({0, 1, 0, 1, -0.5}, 0), (FoldedThreshold{false, 1})) << "no inputs: constant 0";
  EXPECT_EQ(fold({0, 1, 0, 1, 0.5}, 0), (FoldedThreshold{false, 0}));
}

// The paper prints the bound for negative gamma with a ceiling, which is one too permissive.
TEST(BatchNorm, NegativeGammaUsesTheFloor) {
  // n = 3, mean = 0.5: 1 iff agreeing <= floor(1.75) = 1, that is disagreeing >= 2.
  EXPECT_EQ(fold({0.5, 1, 0, -1, 0}, 3), (FoldedThreshold{true, 2}));
  // n = 3, mean = 1: a tie at agreeing = 2, and ties are 1.
  EXPECT_EQ(fold({1, 1, 0, -1, 0}, 3), (FoldedThreshold{true, 1}));
}

TEST(BatchNorm, RefusesWhatHasNoMeaning) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_STREQ(batch_norm_fault({nan, 1, 0, 1, 0}), "batch normalisation parameter is not a number");
  EXPECT_STREQ(batch_norm_fault({0, 1, 0, 1, nan}), "batch normalisation parameter is not a number");
  EXPECT_STREQ(batch_norm_fault({0, infinity, 0, 1, 0}), "batch normalisation parameter is infinite");
  EXPECT_STREQ(batch_norm_fault({0, 1, 0, -infinity, 0}), "batch normalisation parameter is infinite");
  EXPECT_STREQ(batch_norm_fault({0, 0, 0, 1, 0}), "variance + epsilon is not positive");
  EXPECT_STREQ(batch_norm_fault({0, -1, 0.5, 1, 0}), "variance + epsilon is not positive");
  EXPECT_EQ(batch_norm_fault({0, -1, 1.5, 1, 0}), nullptr);
  EXPECT_THROW(fold(TrainedNeuron{{1, -1}, {0, 0, 0, 1, 0}}), std::invalid_argument);
}

TEST(Fold, NegativeGammaNegatesTheWeights) {
  const Neuron neuron = fold(TrainedNeuron{{1, 0, -1, 1}, {0.5, 1, 0, -1, 0}});
  EXPECT_EQ(neuron.weights, (std::vector<std::int8_t>{-1, 0, 1, -1}));
  EXPECT_EQ(neuron.threshold, 2);
  const Network network = fold(TrainedNetwork{{"a"}, {"b'"}, {{{{1}, {}}}}});
  EXPECT_EQ(network.layers.size(), 1u);
  EXPECT_EQ(network.layers[0].neurons[0], (Neuron{{1}, 1}));
  EXPECT_EQ(shape_text(network), "1:1");
}

}  // namespace
}  // namespace bnnplan
