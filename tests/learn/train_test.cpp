#include "bnnplan/learn/train.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bnnplan/learn/training_report.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::learning {
namespace {

// A counter of four bits that can be stepped or reset: 64 transitions, some of them several times.
DataSet counter_data() {
  std::string text = "n.0,n.1,n.2,n.3,step,reset,n.0',n.1',n.2',n.3'\n";
  for (int i = 0; i < 64; ++i) {
    const int n = i % 16, step = (i >> 4) & 1, reset = i >> 5;
    const int next = reset ? 0 : (n + step) % 16;
    std::string line;
    for (int bit = 0; bit < 4; ++bit) line += fmt::format("{},", (n >> bit) & 1);
    line += fmt::format("{},{}", step, reset);
    for (int bit = 0; bit < 4; ++bit) line += fmt::format(",{}", (next >> bit) & 1);
    for (int repeat = 0; repeat <= i % 3; ++repeat) text += line + "\n";
  }
  return parse_data_set(text, "counter.csv");
}

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {48, 48};
  options.epochs = 150;
  options.stop_at_zero = true;
  return options;
}

TEST(Train, ReachesZeroErrorAndStops) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  options.sparse = true;
  int epochs = 0;
  options.progress = [&](const EpochRecord& record) { EXPECT_EQ(record.epoch, ++epochs); };
  const TrainResult result = train(data, whole(data), {}, options);
  EXPECT_EQ(evaluate(result.network, data, whole(data)).wrong_transitions, 0u);
  EXPECT_EQ(result.best.train.wrong_transitions, 0u);
  EXPECT_LT(result.best.epoch, options.epochs);
  EXPECT_EQ(result.history.size(), static_cast<std::size_t>(epochs));
  EXPECT_EQ(result.best.epoch, epochs);
  EXPECT_EQ(shape_text(result.network), "6:48:48:4");
  EXPECT_LT(density(result.network), 0.9);
}

TEST(Train, DenseNetworksHaveNoZeros) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  options.epochs = 5;
  EXPECT_EQ(density(train(data, whole(data), {}, options).network), 1);
}

TEST(Train, SameNetworkForAnyNumberOfThreads) {
  const DataSet data = counter_data();
  // Many groups per update, so that threads have something to mix up.
  const SampleSet once = whole(data);
  SampleSet many;
  for (int i = 0; i < 8; ++i) {
    many.rows.insert(many.rows.end(), once.rows.begin(), once.rows.end());
    many.counts.insert(many.counts.end(), once.counts.begin(), once.counts.end());
    many.samples += once.samples;
  }
  TrainOptions options = small_options();
  options.epochs = 3;
  options.batch = 512;
  options.limits.seed = 4;
  const TrainResult one = train(data, many, {}, options);
  for (const unsigned threads : {2u, 3u}) {
    options.limits.threads = threads;
    const TrainResult several = train(data, many, {}, options);
    EXPECT_EQ(several.network, one.network);
    for (std::size_t i = 0; i < one.history.size(); ++i)
      EXPECT_EQ(several.history[i].loss, one.history[i].loss);
  }
  options.limits.seed = 5;
  EXPECT_NE(train(data, many, {}, options).network, one.network);
}

TEST(Train, TheTestPartDecidesNothing) {
  const DataSet data = counter_data();
  const Split parts = split(data, 0.2, 1);
  TrainOptions options = small_options();
  options.epochs = 4;
  EXPECT_EQ(train(data, parts.train, parts.test, options).network,
            train(data, parts.train, {}, options).network);
}

TEST(Train, KeepsTheBestOfAllRestarts) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  options.hidden = {8};
  options.epochs = 6;
  options.restarts = 3;
  options.stop_at_zero = false;
  const TrainResult result = train(data, whole(data), {}, options);
  ASSERT_EQ(result.history.size(), 18u);
  std::uint64_t fewest = result.history[0].train.wrong_transitions;
  for (const EpochRecord& record : result.history) fewest = std::min(fewest, record.train.wrong_transitions);
  EXPECT_EQ(result.best.train.wrong_transitions, fewest);
  EXPECT_EQ(evaluate(result.network, data, whole(data)).wrong_transitions, fewest);
  EXPECT_EQ(result.history[17].restart, 3);
}

TEST(Train, SparseGoesOnPruningAtZero) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  options.sparse = true;
  const double at_zero = density(train(data, whole(data), {}, options).network);
  options.stop_at_zero = false;
  const TrainResult pruned = train(data, whole(data), {}, options);
  EXPECT_EQ(pruned.best.train.wrong_transitions, 0u);
  EXPECT_LT(density(pruned.network), at_zero);
}

TEST(Train, InterruptKeepsTheBestSoFar) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  std::atomic<bool> interrupt = false;
  options.limits.interrupt = &interrupt;
  options.progress = [&](const EpochRecord& record) { interrupt = record.epoch == 2; };
  options.stop_at_zero = false;
  const TrainResult result = train(data, whole(data), {}, options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.history.size(), 2u);
  EXPECT_EQ(result.network.layers.size(), 3u);
}

TEST(Train, OneSampleAndNoHiddenLayer) {
  const DataSet data = parse_data_set("a,y'\n1,0\n", "d.csv");
  TrainOptions options;
  options.epochs = 20;
  options.stop_at_zero = true;
  const TrainResult result = train(data, whole(data), {}, options);
  EXPECT_EQ(result.best.train.wrong_transitions, 0u);
}

TEST(TrainingReport, JsonAndCurve) {
  const DataSet data = counter_data();
  TrainOptions options = small_options();
  options.epochs = 3;
  const Split parts = split(data, 0.1, 0);
  const TrainResult result = train(data, parts.train, parts.test, options);
  TrainingReport report{"a<b>.csv",
                        shape_text(result.network),
                        9,
                        data.sample_row.size(),
                        data.distinct_rows(),
                        0,
                        parts.train.rows.size(),
                        {{"train", result.best.train}, {"test", result.best.test}}};
  const auto json = nlohmann::json::parse(training_answer(report, result).json());
  EXPECT_EQ(json["shape"], "6:48:48:4");
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(json["history"].size(), 3u);
  EXPECT_EQ(json["errors"]["train"]["wrong_transitions"], result.best.train.wrong_transitions);
  const std::string svg = training_curve_svg(report, result);
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("6:48:48:4 on a&lt;b&gt;.csv"), std::string::npos);
  EXPECT_NE(svg.find("test error"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(svg.find("fill=\"white\""), std::string::npos) << "nothing that stays light";
  // The lowest label is the longest, at worst "0 to 1e-07" of some 7 pixels a character.
  const std::size_t lowest = svg.find("text-anchor=\"end\">0 to ");
  ASSERT_NE(lowest, std::string::npos);
  const std::size_t element = svg.rfind("x=\"", lowest);
  EXPECT_GE(std::stod(svg.substr(element + 3)), 10 * 7.5);
}

TEST(TrainingReport, Texts) {
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.00018), "0.018 %");
  EpochRecord record;
  record.epoch = 10;
  record.loss = 0.25;
  record.train = {8, 2, 80, 3};
  record.seconds = 30;
  TrainOptions options;
  options.epochs = 110;
  EXPECT_EQ(epoch_text(record, options), "epoch 10/110  loss 0.25  train error 25 %");
  EXPECT_EQ(live_text(record, options), "epoch 10/110  loss 0.25  train error 25 %  at most 5:00 min left");
  options.restarts = 2;
  options.sparse = true;
  record.best = true;
  record.test = {4, 0, 40, 0};
  EXPECT_EQ(epoch_text(record, options),
            "run 1/2  epoch 10/110  loss 0.25  train error 25 %  test error 0 %  density 1.000  (best)");
}

}  // namespace
}  // namespace bnnplan::learning
