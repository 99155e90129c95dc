// The published questions of ../shared/bnn-verification: twelve optima from network and picture, and two
// pictures without published optima.
#include <gtest/gtest.h>

#include "bnnplan/exchange/npz_network.hpp"
#include "bnnplan/exchange/onnx_network.hpp"
#include "bnnplan/query/input_values.hpp"
#include "bnnplan/verify/verify.hpp"
#include "support/shared.hpp"

namespace bnnplan::verification {
namespace {

namespace fs = std::filesystem;

fs::path questions_folder() { return testing::shared_folder() / "bnn-verification"; }

Network published_classifier(const std::string& name) {
  exchange::ImportOptions options;
  options.range = {0, 255};
  options.step = 1;
  options.scale = mpq_class("1/255");
  options.epsilon = mpq_class("1/50000");
  options.tie = ZeroGives::one;
  options.scores = true;
  return fold(exchange::read_npz_network(questions_folder() / "models" / (name + ".npz"), options));
}

struct PublishedQuestion {
  std::string network, picture;
  std::size_t label;
  bool transpose;
  std::vector<int> optima;  // l0, l1, squared l2, linf; -1: takes too long for a test
};

void PrintTo(const PublishedQuestion& question, std::ostream* stream) { *stream << question.picture; }

class PublishedQuestions : public ::testing::TestWithParam<PublishedQuestion> {};
INSTANTIATE_TEST_SUITE_P(
    Pictures, PublishedQuestions,
    ::testing::Values(
        PublishedQuestion{"mnist_rot", "mnist_rot_16_label5", 5, true, {2, 2, 2, 1}},
        PublishedQuestion{"mnist_rot", "mnist_rot_8_label1", 1, true, {3, 3, 3, 1}},
        PublishedQuestion{"mnist_back_image", "mnist_back_image_32_label3", 3, true, {2, 4, 7, 2}},
        PublishedQuestion{"mnist_back_image", "mnist_back_image_73_label5", 5, true, {2, 9, 27, 4}},
        PublishedQuestion{"mnist", "mnist_7_label9", 9, false, {-1, -1, -1, 1}}),
    [](const auto& info) { return info.param.picture; });

TEST_P(PublishedQuestions, Optima) {
  if (!fs::exists(questions_folder()))
    GTEST_SKIP() << "the published questions are not at " << questions_folder() << " (set BNNPLAN_SHARED)";
  const Network network = published_classifier(GetParam().network);
  VerifyQuery query;
  query.values = read_input_values(questions_folder() / "images" / (GetParam().picture + ".png"), network,
                                   GetParam().transpose);
  query.label = GetParam().label;
  for (const Norm norm : {Norm::l0, Norm::l1, Norm::l2, Norm::linf}) {
    const int optimum = GetParam().optima[static_cast<std::size_t>(norm)];
    if (optimum < 0) continue;
    query.norm = norm;
    query.epsilon.reset();
    EXPECT_EQ(verify(network, query).distance, optimum);
    if (norm == Norm::l2) continue;
    query.epsilon = optimum - 1;
    EXPECT_EQ(verify(network, query).status, Status::infeasible);
    query.epsilon = optimum;
    EXPECT_EQ(verify(network, query).status, Status::optimal);
  }
}

// FINN's network and its first picture, a 7: nothing is proved within seconds, but both bounds are known.
TEST(FinnQuestions, BoundsWhereNothingIsProved) {
  const fs::path folder = testing::shared_folder() / "public-networks/finn";
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there (set BNNPLAN_SHARED)";
  exchange::ImportOptions options;
  options.range = {0, 255};
  options.step = 1;
  const Network network = fold(exchange::read_onnx_network(folder / "model.onnx", options));
  VerifyQuery query;
  query.values = read_input_values(folder / "input.npy", network);
  query.values.resize(784);
  query.label = 7;
  VerifyRequest request;
  request.limits.seconds = 2;
  EXPECT_FALSE(verify(network, query, request).values.empty());
  query.epsilon = 15;
  const VerifyOutcome unknown = verify(network, query, request);
  if (unknown.status == Status::unknown) {
    EXPECT_GT(unknown.lower_bound, 6);
  }
}

}  // namespace
}  // namespace bnnplan::verification
