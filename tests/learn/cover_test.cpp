#include "bnnplan/learn/cover.hpp"

#include <atomic>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/learn/choose.hpp"
#include "bnnplan/learn/diagnose.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/learn/fact_table.hpp"
#include "bnnplan/learn/relevant_inputs.hpp"
#include "bnnplan/learn/shrink.hpp"
#include "bnnplan/learn/training_report.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::learning {
namespace {

// Lines of `inputs` bits and what `next` makes of them, for all inputs or those that are drawn.
template <class Next>
DataSet table_data(int inputs, int outputs, Next next, int draws = 0) {
  std::string text;
  for (int i = 0; i < inputs; ++i) text += fmt::format("x{},", i);
  for (int i = 0; i < outputs; ++i) text += fmt::format("{}y{}'", i == 0 ? "" : ",", i);
  text += "\n";
  Random random(7);
  const int lines = draws > 0 ? draws : 1 << inputs;
  for (int line = 0; line < lines; ++line) {
    const unsigned x =
        draws > 0 ? static_cast<unsigned>(random.next()) & ((1u << inputs) - 1) : static_cast<unsigned>(line);
    for (int i = 0; i < inputs; ++i) text += fmt::format("{},", (x >> i) & 1);
    const unsigned y = next(x);
    for (int i = 0; i < outputs; ++i) text += fmt::format("{}{}", i == 0 ? "" : ",", (y >> i) & 1);
    text += "\n";
  }
  return parse_data_set(text, "table.csv");
}

// Every function of three bits, with all facts and with every other one: never wrong on what it was given.
TEST(Cover, IsRightOnEveryFunctionOfThreeBits) {
  for (unsigned table = 0; table < 256; ++table) {
    const DataSet data = table_data(3, 1, [&](unsigned x) { return (table >> x) & 1; });
    const SampleSet all = whole(data);
    SampleSet half;
    for (std::size_t i = 0; i < all.rows.size(); i += 2) {
      half.rows.push_back(all.rows[i]);
      half.counts.push_back(1);
      ++half.samples;
    }
    for (const SampleSet& part : {all, half}) {
      for (const int way : {0, 1, 2, 3, 4}) {
        CoverOptions options;
        options.few_inputs = way % 2 == 1;
        options.only_ones = way >= 2;
        if (way >= 3) options.first_exception = static_cast<std::size_t>(way - 2);
        const auto network = cover(data, part, options);
        ASSERT_TRUE(network);
        EXPECT_EQ(evaluate(*network, data, part).wrong_transitions, 0u) << table;
        EXPECT_EQ(parse_network(network_text(*network), "n"), *network);
      }
    }
  }
}

// Three doors, all of which open but the third: what opens is said in general, the exception of the door
// alone.
TEST(Cover, ExceptionsAreSaidOfSingleThings) {
  const DataSet data = parse_data_set(
      "push,first,second,third,fourth,open'\n1,1,0,0,0,1\n1,0,1,0,0,1\n1,0,0,1,0,0\n0,1,0,0,0,0\n0,0,1,0,0,"
      "0\n",
      "doors.csv");
  CoverOptions options;
  options.few_inputs = options.only_ones = true;
  options.first_exception = 1;
  const auto network = cover(data, whole(data), options);
  ASSERT_TRUE(network);
  ASSERT_EQ(network->layers[0].neurons.size(), 1u);
  EXPECT_EQ(network->layers[0].neurons[0].weights, (std::vector<std::int8_t>{1, 0, 0, -1, 0}));
}

TEST(Cover, RandomDataOfManyOutputs) {
  Random random(3);
  std::vector<unsigned> values(1 << 10);
  for (unsigned& value : values) value = static_cast<unsigned>(random.next()) & 7;
  const DataSet data = table_data(
      10, 3, [&](unsigned x) { return values[x]; }, 300);
  for (const bool few : {false, true}) {
    CoverOptions options;
    options.few_inputs = few;
    const auto network = cover(data, whole(data), options);
    ASSERT_TRUE(network);
    EXPECT_EQ(evaluate(*network, data, whole(data)).wrong_transitions, 0u);
    options.threads = 3;
    EXPECT_EQ(cover(data, whole(data), options), network);
    options.most_conditions = 5;
    EXPECT_FALSE(cover(data, whole(data), options));
  }
}

TEST(Cover, StopsWhenAsked) {
  const DataSet data = table_data(3, 1, [](unsigned x) { return x & 1; });
  const std::atomic<bool> stop = true;
  CoverOptions options;
  options.interrupt = &stop;
  EXPECT_FALSE(cover(data, whole(data), options));
}

// A state bit that was never seen to change stays, also where it was never seen with that value.
TEST(Cover, WhatNeverChangesStays) {
  const DataSet data = parse_data_set("a,x,x'\n0,0,0\n1,0,0\n", "d.csv");
  const auto network = cover(data, whole(data));
  ASSERT_TRUE(network);
  const DataSet other = parse_data_set("a,x,x'\n0,1,1\n1,1,1\n", "e.csv");
  EXPECT_EQ(evaluate(*network, other, whole(other)).wrong_transitions, 0u);
}

TEST(FactTable, TheMoreFrequentValueCounts) {
  const DataSet data = parse_data_set("a,y',z'\n1,1,0\n1,0,0\n1,1,1\n0,0,0\n0,1,0\n", "d.csv");
  const FactTable table = make_fact_table(data, whole(data));
  ASSERT_EQ(table.facts, 2u);
  EXPECT_EQ(table.outputs[0][0], 1u);  // of a = 1: y is 1 twice and 0 once; of a = 0: as often, so 0
  EXPECT_EQ(table.outputs[1][0], 0u);
  const auto network = cover(data, whole(data));
  ASSERT_TRUE(network);
  EXPECT_EQ(evaluate(*network, data, whole(data)).wrong_bits, 3u);
}

// The parity of two of six inputs: no single input tells anything, but pairs that differ in one input do.
TEST(RelevantInputs, FindsBothInputsOfAParity) {
  const DataSet data = table_data(
      6, 1, [](unsigned x) { return ((x >> 1) ^ (x >> 4)) & 1; }, 60);
  const FactTable table = make_fact_table(data, whole(data));
  const auto certain = certain_inputs(data, table);
  EXPECT_EQ(certain[0], (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(telling_inputs(table, 0, certain[0]), (std::vector<std::uint32_t>{1, 4}));
}

// ---- choosing

TEST(Choose, TakesTheCoverThatIsRightOnWhatItNeverSaw) {
  const DataSet data = table_data(
      10, 2, [](unsigned x) { return (x & 1) | ((x & 6) == 6 ? 2u : 0u); }, 200);
  LearnOptions options;
  options.limits.threads = 1;
  std::size_t told = 0;
  options.tried = [&](const Tried&) { ++told; };
  const Chosen chosen = choose_network(data, whole(data), options);
  EXPECT_EQ(chosen.tried.size(), 1u);
  EXPECT_EQ(told, 1u);
  EXPECT_EQ(chosen.how, "cover, few inputs");
  EXPECT_GT(chosen.tried[0].validation.samples, 0u);
  EXPECT_EQ(chosen.tried[0].validation.wrong_transitions, 0u);
  EXPECT_EQ(evaluate(chosen.training.network, data, whole(data)).wrong_transitions, 0u);
  EXPECT_EQ(tried_text(chosen.tried[0]).rfind("cover, few inputs: 10:", 0), 0u);
}

TEST(Choose, GradientsAreTriedSmallNetworksFirstAndTheSameForAnyNumberOfThreads) {
  const DataSet data = table_data(4, 1, [](unsigned x) { return x & 1; });
  LearnOptions options;
  options.limits.threads = 1;
  options.technique = LearnTechnique::gradient;
  const Chosen one = choose_network(data, whole(data), options);
  options.limits.threads = 2;
  const Chosen two = choose_network(data, whole(data), options);
  EXPECT_EQ(one.training.network, two.training.network);
  EXPECT_EQ(one.how.rfind("gradient 32, density ", 0), 0u) << one.how;
  EXPECT_EQ(evaluate(one.training.network, data, whole(data)).wrong_transitions, 0u);
}

TEST(Choose, WhatIsGivenIsNotChosen) {
  const DataSet data = table_data(4, 1, [](unsigned x) { return x & 1; });
  LearnOptions options;
  options.limits.threads = 1;
  options.hidden = {7};
  options.sparse = false;
  options.epochs = 3;
  options.restarts = 2;
  const Chosen chosen = choose_network(data, whole(data), options);
  ASSERT_EQ(chosen.tried.size(), 1u);
  EXPECT_EQ(chosen.how, "gradient 7, dense, 3 epochs, 2 runs");
  EXPECT_EQ(shape_text(chosen.training.network), "4:7:1");
}

TEST(Choose, EndsWithANetworkEvenWithoutTime) {
  const DataSet data = table_data(4, 1, [](unsigned x) { return x & 1; });
  LearnOptions options;
  options.limits.threads = 1;
  options.limits.seconds = 1e-9;
  const Chosen chosen = choose_network(data, whole(data), options);
  EXPECT_TRUE(chosen.training.interrupted);
  EXPECT_EQ(chosen.training.network.outputs.size(), 1u);
}

// Nothing can be right on both of two lines that contradict each other: that is no reason to continue for
// minutes.
TEST(Choose, EndsWhereOnlyContradictionsAreLeft) {
  std::string text = "a,b,y',z'\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{},{},{},{}\n", i % 2, i / 2 % 2, i % 2, i % 7 == 0 ? 1 : 0);
  const DataSet data = parse_data_set(text, "lots.csv");
  const Chosen chosen = choose_network(data, whole(data), {});
  EXPECT_LE(chosen.tried.size(), 2u) << chosen.tried.back().how;
  EXPECT_EQ(wrong_by_output(chosen.training.network, data, whole(data))[0], 0u);
}

TEST(Choose, OneTransition) {
  const DataSet data = parse_data_set("x,x'\n1,0\n", "d.csv");
  const Chosen chosen = choose_network(data, whole(data), {});
  EXPECT_EQ(chosen.validation_rows, 0u);
  EXPECT_EQ(evaluate(chosen.training.network, data, whole(data)).wrong_transitions, 0u);
}

// ---- making smaller

std::size_t neurons_of(const Network& network) {
  std::size_t neurons = 0;
  for (const Layer& layer : network.layers) neurons += layer.neurons.size();
  return neurons;
}

// Random networks: whatever is taken out, the outputs on the data stay.
TEST(Shrink, KeepsTheOutputsOnTheData) {
  Random random(4);
  const DataSet data = table_data(
      6, 2, [](unsigned x) { return x & 3; }, 40);
  for (int round = 0; round < 40; ++round) {
    Network network{data.input_names, data.output_names, {}};
    std::size_t below = 6;
    for (const std::size_t width : {std::size_t{5}, std::size_t{4}, std::size_t{2}}) {
      Layer& layer = network.layers.emplace_back();
      for (std::size_t i = 0; i < width; ++i) {
        Neuron neuron;
        for (std::size_t j = 0; j < below; ++j)
          neuron.weights.push_back(static_cast<std::int8_t>(random.below(3)) - 1);
        neuron.threshold = static_cast<std::int32_t>(random.below(5));
        layer.neurons.push_back(neuron);
      }
      below = width;
    }
    const Network small = shrink(network, data, whole(data));
    EXPECT_LE(weight_count(small), weight_count(network));
    EXPECT_LE(neurons_of(small), neurons_of(network));
    std::vector<std::uint64_t> before, after;
    for_each_answer(network, data, whole(data),
                    [&](std::size_t, const std::uint64_t* out) { before.push_back(*out); });
    for_each_answer(small, data, whole(data),
                    [&](std::size_t, const std::uint64_t* out) { after.push_back(*out); });
    EXPECT_EQ(before, after) << round;
  }
}

// Two layers that only copy, beside neurons that nothing needs: one layer is enough.
TEST(Shrink, TakesOutCopiesDuplicatesAndLayers) {
  const DataSet data = table_data(3, 1, [](unsigned x) { return x & 1; });
  Network network{data.input_names, data.output_names, {}};
  network.layers = {{{{{1, 0, 0}, 1}, {{-1, 0, 0}, 1}, {{0, 1, 0}, 1}, {{1, 1, 1}, 4}}},
                    {{{{1, -1, 0, 1}, 2}, {{0, 0, 1, 0}, 1}}},
                    {{{{1, 0}, 1}}}};
  const Network small = shrink(network, data, whole(data));
  EXPECT_EQ(shape_text(small), "3:1");
  EXPECT_EQ(weight_count(small), 1u);
}

TEST(Choose, SmallestIsRightAndNoLargerThanTheUsualOne) {
  const DataSet data = table_data(5, 2, [](unsigned x) { return (x & 1) | ((x & 6) == 6 ? 2u : 0u); });
  LearnOptions options;
  options.limits.threads = 1;
  options.epochs = 1;  // gradients are not what is tested
  options.technique = LearnTechnique::cover;
  const Chosen usual = choose_network(data, whole(data), options);
  options.smallest = true;
  const Chosen chosen = choose_network(data, whole(data), options);
  EXPECT_EQ(evaluate(chosen.training.network, data, whole(data)).wrong_transitions, 0u);
  EXPECT_LE(weight_count(chosen.training.network), weight_count(usual.training.network));
  EXPECT_NE(chosen.how.find("made smaller"), std::string::npos);
}

// ---- diagnosis

TEST(Diagnose, SaysWhichOutputsOnWhichInputsAndWhetherTheDataContradictsItself) {
  const DataSet data = table_data(4, 2, [](unsigned x) { return (x & 1) | ((x & 6) == 6 ? 2u : 0u); });
  const DataSet simple = table_data(4, 2, [](unsigned x) { return x & 1; });
  const auto network = cover(simple, whole(simple));
  ASSERT_TRUE(network);
  const Diagnosis found = diagnose(*network, data, whole(data));
  EXPECT_EQ(found.samples, 16u);
  EXPECT_EQ(found.wrong, 4u);
  EXPECT_EQ(found.contradictory, 0u);
  ASSERT_EQ(found.outputs.size(), 1u);
  EXPECT_EQ(found.outputs[0].output, "y1'");
  EXPECT_EQ(found.outputs[0].where, (std::vector<std::string>{"x1 = 1", "x2 = 1"}));
  EXPECT_EQ(diagnosis_text(found, "unseen"),
            "wrong on 4 of 16 unseen transitions, by output:\n"
            "  y1': 4; 4 of them where x1 = 1 and x2 = 1 (wrong there: 4 of 4)\n");
  EXPECT_EQ(diagnosis_text(diagnose(*network, simple, whole(simple)), "unseen"), "");

  const DataSet coin = parse_data_set("x,x'\n0,0\n0,1\n1,1\n1,1\n", "d.csv");
  const auto learned = cover(coin, whole(coin));
  const Diagnosis lots = diagnose(*learned, coin, whole(coin));
  EXPECT_EQ(lots.wrong, 1u);
  EXPECT_EQ(lots.contradictory, 1u);
  EXPECT_NE(diagnosis_text(lots, "training").find("1 of the 1 wrong ones contradict other lines"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan::learning
