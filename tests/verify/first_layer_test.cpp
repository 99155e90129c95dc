// The search over neurons of the first layer, and what it is made of: each part does what it says on every
// candidate, and answers are those of trying all sets of flips.
#include <map>

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/verify/annealing.hpp"
#include "bnnplan/verify/crossing_flips.hpp"
#include "bnnplan/verify/crossing_patterns.hpp"
#include "bnnplan/verify/first_layer_search.hpp"
#include "bnnplan/verify/lane_network.hpp"
#include "every_input.hpp"
#include "random_query.hpp"

namespace bnnplan::verification {
namespace {

using testing::least_distance;
using testing::random_query;
using testing::RandomQuery;
using testing::rounds;

// All instruction sets in turn.
InstructionSet set_of(int round) {
  return instruction_sets()[static_cast<std::size_t>(round) % instruction_sets().size()];
}

RandomQuery wide_query(Random& random, Norm norm, std::size_t first = 0) {
  RandomQuery result;
  result.network = testing::random_network(
      random, {.widths = {20 + random.below(10), first != 0 ? first : 6 + random.below(14),
                          3 + random.below(6), 2 + random.below(3)},
               .numbers = random.below(2) == 0,
               .scores = true});
  result.query.values = testing::random_input(random, result.network);
  result.query.label = reference_class(result.network, binarize(result.network, result.query.values));
  result.query.norm = norm;
  result.query.ties = random.below(2) == 0 ? TieRule::label_loses : TieRule::network;
  return result;
}

struct LaneCounts {
  int some = 0, none = 0;
};

// Neurons of the first layer change in random lanes, each with probability share / 4.
void expect_lanes_like_candidates(Random& random, const RandomQuery& query, std::size_t share,
                                  InstructionSet set, LaneCounts& counts) {
  const FlipQuestion question = make_question(query.network, query.query);
  const FlipNetwork network(question, set);
  LaneNetwork candidates(network, set);
  const std::size_t neurons = query.network.layers.front().neurons.size();
  std::vector<LaneNetwork::Change> changes;
  for (std::uint32_t n = 0; n < neurons; ++n) {
    if (random.below(4) >= share) continue;
    changes.push_back({2 * n + (network.start()[n] < 0 ? 1 : 0), {}});
    for (std::uint64_t& word : changes.back().in.words) word = random.next() & random.next();
  }
  FlipState start(network.start().begin() + static_cast<std::ptrdiff_t>(network.first_width()),
                  network.start().end());
  LaneBits holds;
  const bool any = candidates.evaluate(start.data(), changes, holds);
  FlipNetwork::Scratch scratch = network.scratch();
  bool expected_any = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    FlipState state = start;
    Margin margin = network.start_margin();
    for (const LaneNetwork::Change& change : changes) {
      if ((change.in.words[lane / 64] >> lane % 64 & 1) != 0)
        margin = network.flip_neuron(change.code / 2, change.code % 2 != 0, state.data(), margin,
                                     state.data(), scratch);
    }
    ASSERT_EQ((holds.words[lane / 64] >> lane % 64 & 1) != 0, margin >= 0) << lane;
    expected_any = expected_any || margin >= 0;
    ++(margin >= 0 ? counts.some : counts.none);
  }
  ASSERT_EQ(any, expected_any);
}

TEST(LaneNetwork, EveryLaneIsThatOfOneCandidate) {
  Random random(2);
  LaneCounts counts;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery query = round % 2 == 0 ? random_query(random, Norm::l0) : wide_query(random, Norm::l0);
    if (query.network.layers.empty()) continue;
    SCOPED_TRACE(round);
    ASSERT_NO_FATAL_FAILURE(expect_lanes_like_candidates(random, query, 3, set_of(round / 2), counts));
  }
  EXPECT_GT(counts.some, 1000);
  EXPECT_GT(counts.none, 1000);
}

TEST(LaneNetwork, AnyNumberOfChanges) {
  Random random(5);
  LaneCounts counts;
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 63u, 64u, 65u, 255u, 256u, 257u, 511u, 512u, 513u}) {
      RandomQuery query = wide_query(random, Norm::l0, width);
      SCOPED_TRACE(width);
      for (const std::size_t share : {4u, 0u})
        ASSERT_NO_FATAL_FAILURE(expect_lanes_like_candidates(random, query, share, set, counts));
    }
  }
  EXPECT_GT(counts.some, 1000);
  EXPECT_GT(counts.none, 1000);
}

// What each set of flips changes, by the reference: for all sets within a budget.
std::map<std::uint64_t, FlipSet> all_patterns(const FlipQuestion& question, const CrossingFlips& crossing,
                                              std::int64_t budget) {
  const Layer& layer = question.network->layers.front();
  const BitValues before = evaluate_layer(layer, question.bits);
  std::map<std::uint64_t, FlipSet> patterns;
  for (std::uint32_t subset = 1; subset < 1u << question.flips.size(); ++subset) {
    FlipSet set;
    BitValues bits = question.bits;
    for (std::uint32_t flip = 0; flip < question.flips.size(); ++flip) {
      if ((subset >> flip & 1) == 0) continue;
      set.push_back(flip);
      bits[question.flips[flip].input] = bits[question.flips[flip].input] != 0 ? 0 : 1;
    }
    if (cost_of(question, set) > budget) continue;
    const BitValues after = evaluate_layer(layer, bits);
    std::uint64_t pattern = 0;
    std::size_t changed = 0, known = 0;
    for (std::size_t n = 0; n < after.size(); ++n) changed += after[n] != before[n] ? 1 : 0;
    for (std::size_t n = 0; n < crossing.neurons().size(); ++n) {
      const std::uint32_t code = crossing.neurons()[n].code;
      if (after[code / 2] != before[code / 2]) {
        pattern |= std::uint64_t{1} << n;
        ++known;
      }
    }
    EXPECT_EQ(changed, known) << "a neuron changed that cannot";
    patterns.emplace(pattern, set);
  }
  return patterns;
}

TEST(CrossingFlips, PatternsAreThoseOfAllSets) {
  Random random(3);
  std::size_t found_sets = 0, refused_sets = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery query = random_query(random, round % 2 == 0 ? Norm::l0 : Norm::l1);
    if (query.network.layers.empty()) continue;
    const FlipQuestion question = make_question(query.network, query.query);
    const FlipNetwork network(question);
    const auto budget = static_cast<std::int64_t>(
        1 +
        random.below(question.flips.empty() ? 4 : 3 * static_cast<std::size_t>(question.flips.front().cost)));
    const CrossingFlips crossing(question, network, budget);
    const std::map<std::uint64_t, FlipSet> expected = all_patterns(question, crossing, budget);
    std::map<std::uint64_t, FlipSet> patterns;
    CrossingPatterns sets(question, crossing, set_of(round / 2));
    CrossingPatterns::Visit visit;
    visit.found = [&](std::uint64_t pattern, const FlipSet& set) {
      EXPECT_LE(cost_of(question, set), budget);
      patterns.emplace(pattern, set);
      return true;
    };
    visit.went_on = [](std::uint64_t) { return true; };
    ASSERT_TRUE(sets.each_set(crossing.all_flips(), visit));
    patterns.erase(0);
    for (const auto& [pattern, set] : expected) {
      if (pattern != 0) {
        ASSERT_TRUE(patterns.contains(pattern)) << round;
      }
    }
    ASSERT_EQ(patterns.size(), expected.size() - expected.count(0));
    // Of any pattern, flips are found exactly if there are some.
    for (int i = 0; i < 20; ++i) {
      const std::size_t count = crossing.neurons().size();
      std::uint64_t pattern =
          count == 0 ? 0 : random.next() & random.next() & ((std::uint64_t{1} << count) - 1);
      if (i % 2 == 0 && !expected.empty())
        pattern =
            std::next(expected.begin(), static_cast<std::ptrdiff_t>(random.below(expected.size())))->first;
      if (pattern == 0) continue;
      std::vector<std::uint32_t> changed;
      for (std::uint32_t n = 0; n < count; ++n) {
        if ((pattern >> n & 1) != 0) changed.push_back(n);
      }
      FlipBits flips = crossing.all_flips();
      std::uint64_t steps = 1'000'000;
      std::optional<FlipSet> set;
      LimitWatch watch({});
      if (crossing.restrict(flips, changed)) set = crossing.find(flips, changed, steps, watch);
      ASSERT_EQ(set.has_value(), expected.contains(pattern)) << round;
      ++(set ? found_sets : refused_sets);
      if (!set) continue;
      ASSERT_LE(cost_of(question, *set), budget);
      ASSERT_TRUE(std::is_sorted(set->begin(), set->end()));
    }
  }
  EXPECT_GT(found_sets, 50u);
  EXPECT_GT(refused_sets, 50u);
}

class FirstLayerByNorm : public ::testing::TestWithParam<Norm> {};
INSTANTIATE_TEST_SUITE_P(Norms, FirstLayerByNorm, ::testing::Values(Norm::l0, Norm::l1, Norm::l2),
                         [](const auto& info) {
                           return std::string(norm_names[static_cast<std::size_t>(info.param)]);
                         });

TEST_P(FirstLayerByNorm, TheSameAsBruteForce) {
  Random random(4 + static_cast<std::uint64_t>(GetParam()));
  int some = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, GetParam());
    const FlipQuestion question = make_question(asked.network, asked.query);
    if (!has_first_layer(question)) continue;
    const FlipNetwork network(question);
    if (network.start_margin() >= 0) continue;
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    LimitWatch watch({});
    const auto budget = static_cast<std::int64_t>(random.below(300));
    std::uint64_t work = 1'000'000;
    const EnumerationOutcome found = search_first_layer(question, network, budget, work, watch);
    ASSERT_TRUE(found.best || found.complete);
    ASSERT_EQ(found.best.has_value(), least && *least <= question.unit * budget) << round;
    ++(found.best ? some : none);
    if (!found.best) continue;
    ASSERT_LE(cost_of(question, *found.best), budget);
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, *found.best)));
  }
  EXPECT_GT(some, 5);
  EXPECT_GT(none, 5);
}

// Wide enough that sets of neurons are tried in place of sets of flips.
TEST_P(FirstLayerByNorm, TheSameAsAllSetsOfFlips) {
  Random random(10 + static_cast<std::uint64_t>(GetParam()));
  int some = 0, none = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = wide_query(random, GetParam());
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    if (network.start_margin() >= 0) continue;
    LimitWatch watch({});
    const std::vector<SetCount> counts = count_sets(question, 1'000'000, 30'000);
    if (counts.size() < 2) continue;
    const std::int64_t budget = counts[random.below(counts.size() - 1)].budget;
    const EnumerationOutcome expected = enumerate_flips(question, network, budget, watch);
    std::uint64_t work = 10'000'000;
    const EnumerationOutcome found = search_first_layer(question, network, budget, work, watch);
    ASSERT_TRUE(found.best || found.complete) << round;
    Limits limits;
    limits.threads = 3;
    LimitWatch by_three(limits);
    work = 10'000'000;
    ASSERT_EQ(search_first_layer(question, network, budget, work, by_three).best, found.best) << round;
    ASSERT_EQ(found.best.has_value(), expected.best.has_value()) << round;
    ++(found.best ? some : none);
    if (!found.best) continue;
    ASSERT_LE(cost_of(question, *found.best), budget);
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, *found.best)));
  }
  EXPECT_GT(some, 3);
  EXPECT_GT(none, 3);
}

TEST(FirstLayer, WorkEndsIt) {
  Random random(20);
  for (int round = 0; round < 20; ++round) {
    const RandomQuery asked = wide_query(random, Norm::l0);
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    if (network.start_margin() >= 0) continue;
    LimitWatch watch({});
    std::uint64_t work = 1;
    const EnumerationOutcome found = search_first_layer(question, network, 12, work, watch);
    EXPECT_EQ(work, 0u);
    if (!found.best) {
      EXPECT_FALSE(found.complete);
    }
  }
}

TEST(Annealing, FindsWhatThereIs) {
  Random random(30);
  int exist = 0, found_count = 0, best_count = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, Norm::linf);
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    LimitWatch watch({});
    LocalSearchOptions options;
    options.evaluations = 20'000;
    const auto found = anneal_flips(question, network, options, watch);
    if (least && *least > 0) ++exist;
    if (!found || !least || *least == 0) continue;
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, *found)));
    ASSERT_GE(question.unit * cost_of(question, *found), *least);
    ++found_count;
    if (question.unit * cost_of(question, *found) == *least) ++best_count;
    EXPECT_EQ(anneal_flips(question, network, options, watch), found);  // the same seed
  }
  EXPECT_GE(found_count, exist * 9 / 10);
  EXPECT_GE(best_count, exist * 9 / 10);
}

// Where costs are added up: a set of which no flip can be left out.
TEST(Annealing, FindsSomethingByOtherNorms) {
  Random random(31);
  int exist = 0, found_count = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomQuery asked = random_query(random, round % 3 == 0   ? Norm::l0
                                                   : round % 3 == 1 ? Norm::l1
                                                                    : Norm::l2);
    const std::optional<mpq_class> least = least_distance(asked.network, asked.query);
    if (!least || *least == 0) continue;
    ++exist;
    const FlipQuestion question = make_question(asked.network, asked.query);
    const FlipNetwork network(question);
    LimitWatch watch({});
    LocalSearchOptions options;
    options.evaluations = 20'000;
    const auto found = anneal_flips(question, network, options, watch);
    if (!found) continue;
    ++found_count;
    ASSERT_TRUE(is_classified_otherwise(asked.network, asked.query, changed_values(question, *found)));
    ASSERT_GE(question.unit * cost_of(question, *found), *least);
    options.below = cost_of(question, *found);
    const auto cheaper = anneal_flips(question, network, options, watch);
    if (cheaper) {
      ASSERT_LT(cost_of(question, *cheaper), *options.below);
    }
  }
  EXPECT_GE(found_count, exist * 9 / 10);
}

// One neuron that 18 of 30 inputs turn on: no single flip says that it leads there.
TEST(Annealing, FindsWhatNoSingleFlipLeadsTo) {
  Network network;
  for (int i = 0; i < 30; ++i) network.inputs.push_back(fmt::format("x{}", i));
  network.outputs = {"off", "on"};
  network.layers = {{{{std::vector<std::int8_t>(30, 1), 18}}}};
  network.scores = {{{-1}, 1, 0}, {{1}, 1, 0}};
  const VerifyQuery query{.values = std::vector<mpq_class>(30, 0), .label = 0};
  const FlipQuestion question = make_question(network, query);
  const FlipNetwork flips(question);
  LimitWatch watch({});
  const auto found = anneal_flips(question, flips, {}, watch);
  EXPECT_FALSE(find_flips(question, flips, {}, watch));
  ASSERT_TRUE(found);
  EXPECT_EQ(cost_of(question, *found), 18);
}

}  // namespace
}  // namespace bnnplan::verification
