// Legal joint actions drawn at random: all legal ones, equally often, whichever way they are found.
#include "bnnplan/rddl/simulate/action_sampler.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/rddl/simulate/explore.hpp"
#include "rddl/rddl_text.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;
using testing::simulator_of;

// Lamps that can be switched, at most `most` at once, and a number to choose.
Simulator lamps(int count, const std::string& most, const std::string& constraints) {
  std::string objects = "o1";
  for (int i = 2; i <= count; ++i) objects += fmt::format(", o{}", i);
  return simulator_of(
      "domain d { types { t : object; }; pvariables { s(t) : { state-fluent, bool, default = false };"
      " a(t) : { action-fluent, bool, default = false }; n : { action-fluent, int, default = 1 };"
      " i(t) : { interm-fluent, bool }; };"
      " cpfs { s'(?x) = s(?x) ~= a(?x); i(?x) = a(?x) ^ s(?x); };"
      " state-action-constraints { n >= 0; n <= 3; " +
          constraints + " }; }",
      "instance i { domain = d; objects { t : { " + objects + " }; }; " +
          (most.empty() ? "" : "max-nondef-actions = " + most + ";") + " }");
}

// Many actions of which few are possible in a state: those are enumerated alone, so that all are drawn alike.
TEST(ActionSampler, OnlyWhatIsPossibleIsEnumerated) {
  Simulator simulator = lamps(
      300, "", "forall_{?x : t} [a(?x) => s(?x)]; (sum_{?x : t} a(?x)) >= 4; n == 1; s($o1) => a($o1);");
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  StateValues state(300, 0);
  for (const int lamp : {0, 100, 150, 200, 250, 299}) state[static_cast<std::size_t>(lamp)] = 1;
  SamplingLimits limits;
  limits.rejections = 0;
  limits.enumerated = 100;
  SimulationRandom random(3);
  ActionSampler sampler(simulator, layout, random, limits);
  std::map<ActionValues, int> seen;
  ActionValues action;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(sampler.draw(state, action));
    EXPECT_TRUE(simulator.legal(state, action));
    ++seen[action];
  }
  EXPECT_EQ(sampler.searched(), 0u);
  EXPECT_EQ(seen.size(), 16u);  // one lamp and three to five of the other five
}

enum class Way { list, reject, enumerate, search };
SamplingLimits limits_of(Way way) {
  SamplingLimits limits;
  if (way != Way::list) limits.listed = 0;
  if (way > Way::reject) limits.rejections = 0;
  if (way > Way::enumerate) limits.enumerated = 0;
  return limits;
}

const std::vector<std::pair<std::string, std::string>> models = {
    {"", "true;"},
    {"2", "true;"},
    {"1", "forall_{?x : t} [a(?x) => ~s(?x)];"},
    {"3", "forall_{?x : t} [s(?x) => a(?x)];"},                         // the default is illegal
    {"0", "true;"},                                                     // only the default
    {"4", "n >= 2; (sum_{?x : t} a(?x)) == 2;"},                        // the number must differ
    {"2", "exists_{?x : t} [a(?x) ^ s(?x)];"},                          // one condition for all
    {"", "forall_{?x : t} [~i(?x)]; (sum_{?x : t} a(?x)) + n == 3;"}};  // by way of an intermediate fluent

TEST(ActionSampler, AllLegalActionsAlike) {
  constexpr int draws = 5000;
  for (const auto& [most, constraints] : models) {
    Simulator simulator = lamps(4, most, constraints);
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    const LegalActions all(simulator, layout);
    const StateValues state = {1, 0, 1, 0};
    std::vector<std::uint32_t> legal;
    all.find(state, legal);
    ASSERT_FALSE(legal.empty()) << constraints;
    for (const Way way : {Way::list, Way::reject, Way::enumerate, Way::search}) {
      SimulationRandom random(7);
      ActionSampler sampler(simulator, layout, random, limits_of(way));
      std::map<ActionValues, int> seen;
      ActionValues action;
      for (int i = 0; i < draws; ++i) {
        ASSERT_TRUE(sampler.draw(state, action));
        ++seen[action];
      }
      EXPECT_EQ(seen.size(), legal.size()) << constraints;
      const double expected = draws / static_cast<double>(legal.size());
      for (const std::uint32_t number : legal) {
        const int count = seen[all.candidates()[number]];
        EXPECT_GT(count, 0) << constraints;
        // Within five standard deviations; a search only finds all of them.
        if (way != Way::search) {
          EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << constraints;
        }
      }
      EXPECT_EQ(sampler.searched(), way == Way::search ? draws : 0u) << constraints;
    }
  }
}

TEST(ActionSampler, NoLegalAction) {
  for (const auto& [most, constraints] : std::vector<std::pair<std::string, std::string>>{
           {"1", "forall_{?x : t} [s(?x) => a(?x)];"},  // two must
           {"", "~s(o1);"},
           {"", "a(o1); ~a(o1);"},
           {"", "(sum_{?x : t} a(?x)) == 2; forall_{?x : t} [a(?x) => ?x == o1];"},
           {"", "forall_{?x : t} i(?x);"}}) {
    Simulator simulator = lamps(4, most, constraints);
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    for (const Way way : {Way::list, Way::reject, Way::enumerate, Way::search}) {
      SimulationRandom random(7);
      ActionSampler sampler(simulator, layout, random, limits_of(way));
      ActionValues action;
      EXPECT_FALSE(sampler.draw({1, 0, 1, 0}, action)) << constraints;
    }
  }
}

TEST(ActionSampler, NeitherFoundNorRuledOut) {
  Simulator simulator =
      lamps(30, "", "mod[(sum_{?x : t} a(?x)), 7] == 6; mod[(sum_{?x : t} a(?x)), 7] == 5;");
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  SimulationRandom random(7);
  SamplingLimits limits;
  limits.searched = 1000;
  ActionSampler sampler(simulator, layout, random, limits);
  ActionValues action;
  EXPECT_EQ(input_error_of([&] { sampler.draw(simulator.initial_state(), action); }),
            "i.rddl: no legal joint action was found in a state, although one may exist: 1000 combinations "
            "were tried, expected constraints on fewer actions at a time");
}

// 1.4 million joint actions, of which most states allow few, or nearly all, or too many to list.
TEST(ActionSampler, ManyJointActions) {
  for (const auto& [most, constraints] : std::vector<std::pair<std::string, std::string>>{
           {"4", "true;"},
           {"4", "forall_{?x : t} [a(?x) => s(?x) | ?x == o1 | ?x == o2];"},
           {"4", "(sum_{?x : t} a(?x)) >= 3;"},
           {"", "(sum_{?x : t} a(?x)) == 10;"},
           {"", "true;"}}) {
    Simulator simulator = lamps(76, most, constraints);
    ExploreOptions options;
    options.steps = 300;
    const ExplorationCounts counts =
        explore(simulator, make_bit_layout(simulator.model(), {}), options,
                [&](const StateValues& state, const ActionValues& action, const StateValues&) {
                  EXPECT_TRUE(simulator.legal(state, action));
                });
    EXPECT_EQ(counts.transitions, 300u);
    if (constraints.find("== 10") == std::string::npos) {
      EXPECT_EQ(counts.searched, 0u) << constraints;
    }
  }
}

}  // namespace
}  // namespace bnnplan::rddl
