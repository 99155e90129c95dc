// The ladder: names there and back, and problems that are what their names say.
#include "bnnplan/suite/ladder.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::suite {
namespace {

using testing::input_error_of;

const std::filesystem::path ladder_domains = BNNPLAN_SOURCE_DIR "/domains";

Problem made(const std::string& name) {
  LimitWatch watch(Limits{});
  return make_ladder_problem(parse_ladder_name(name), ladder_domains, watch);
}

engines::Outcome solved(const Problem& problem) {
  engines::EngineRequest request;
  request.limits.seconds = 60;
  return engines::run_checked(engines::all_engines().front(), problem, request);
}

TEST(Ladder, NamesSayEverything) {
  std::set<std::string> names;
  for (const LadderProblem& problem : ladder_problems(7)) {
    EXPECT_EQ(parse_ladder_name(problem.name()), problem) << problem.name();
    EXPECT_EQ(problem.seed, 7u);
    names.insert(problem.name());
  }
  EXPECT_EQ(names.size(), ladder_problems(7).size());
  EXPECT_GE(names.size(), 45u);
  for (const char* name : {"navigation-known_n10_h22_s7", "sysadmin-dense_n4_w64_l2_h5_s7",
                           "random_n24_a16_g24_w64_l2_h4_s7", "perturbation_n64_w64_l2_s7"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

TEST(Ladder, WrongNamesAreRefused) {
  const auto error = [](const std::string& name) { return input_error_of([&] { parse_ladder_name(name); }); };
  const std::string start = "' is not a problem of the extended suite: ";
  EXPECT_EQ(error("chess_n8_s1"),
            "'chess_n8_s1" + start +
                "expected navigation, sysadmin, inventory or cellda with -known, -sparse or -dense, "
                "random or perturbation first");
  EXPECT_EQ(error("navigation_n8_h2_s1").find("'navigation_n8_h2_s1" + start), 0u);
  EXPECT_EQ(error("navigation-known_n1_h4_s1"),
            "'navigation-known_n1_h4_s1" + start + "'n1', expected n and a number from 2 to 100");
  EXPECT_EQ(error("navigation-known_h4_n3_s1"),
            "'navigation-known_h4_n3_s1" + start + "'h4', expected n and a number from 2 to 100");
  EXPECT_EQ(error("sysadmin-known_n4_h4"),
            "'sysadmin-known_n4_h4" + start + "'', expected s and a number from 0 to 18446744073709551615");
  EXPECT_EQ(error("sysadmin-known_n4_h4_s1_x"),
            "'sysadmin-known_n4_h4_s1_x" + start + "expected the seed at the end");
  EXPECT_EQ(error("sysadmin-known_n04_h4_s1"),
            "'sysadmin-known_n04_h4_s1" + start + "'n04', expected n and a number from 2 to 1000");
  EXPECT_EQ(error("random_n4_a2_g5_w4_l1_h2_s1"),
            "'random_n4_a2_g5_w4_l1_h2_s1" + start + "the goal has more bits than the state");
}

TEST(Ladder, TheSameNameIsTheSameProblem) {
  for (const char* name : {"navigation-known_n4_h7_s3", "sysadmin-known_n4_h3_s3", "inventory-known_n3_h5_s3",
                           "cellda-known_n4_h9_s3", "random_n6_a3_g4_w8_l2_h3_s3", "perturbation_n8_w6_l2_s3",
                           "navigation-sparse_n3_h4_s3", "navigation-dense_n2_w12_l1_h3_s3"}) {
    SCOPED_TRACE(name);
    const Problem first = made(name), second = made(name);
    EXPECT_EQ(first, second);
    EXPECT_EQ(first.name, name);
    std::string other = name;
    other.back() = '4';
    EXPECT_NE(problem_text(first) + (first.network ? network_text(*first.network) : ""),
              problem_text(made(other)) + (first.network ? network_text(*made(other).network) : ""));
  }
}

TEST(Ladder, DomainsOfEverySizeHavePlans) {
  for (const char* name :
       {"navigation-known_n2_h4_s1", "navigation-known_n6_h20_s5", "sysadmin-known_n3_h4_s2",
        "sysadmin-known_n9_h4_s1", "inventory-known_n1_h3_s1", "cellda-known_n3_h8_s1",
        "navigation-sparse_n4_h12_s2", "sysadmin-sparse_n3_h3_s1"}) {
    SCOPED_TRACE(name);
    const engines::Outcome outcome = solved(made(name));
    EXPECT_TRUE(outcome.status == Status::optimal || outcome.status == Status::infeasible);
    if (std::string(name).starts_with("navigation")) {
      EXPECT_EQ(outcome.status, Status::optimal);
    }
  }
}

TEST(Ladder, RandomNetworksHavePlansAndAreDense) {
  int paid = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    const Problem problem = made("random_n6_a4_g4_w10_l2_h2_s" + std::to_string(seed));
    ASSERT_EQ(shape_text(*problem.network), "10:10:10:6");
    for (const Layer& layer : problem.network->layers) {
      for (const Neuron& neuron : layer.neurons)
        EXPECT_EQ(std::count(neuron.weights.begin(), neuron.weights.end(), 0), 0);
    }
    const auto best = testing::brute_force_cost(problem);
    ASSERT_TRUE(best) << seed;
    EXPECT_EQ(solved(problem).cost, best);
    paid += *best > 0 ? 1 : 0;
  }
  EXPECT_GT(paid, 4) << "too many goals are reached by doing nothing";
}

// The optimum is the least number of changed inputs that changes the class, counted from the network itself.
TEST(Ladder, PerturbationsAreTheNearestOtherClass) {
  int found = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = made("perturbation_n7_w5_l2_s" + std::to_string(seed));
    const auto other_class = [&](unsigned input) {
      BitValues bits;
      for (unsigned i = 0; i < 7; ++i) bits.push_back(input >> i & 1);
      const BitValues last = evaluate_reference(*problem.network, bits);
      return holds(problem.goal.front(), {.action = {}, .state = last, .auxiliary = {}, .next = {}});
    };
    const auto distance = [&](unsigned input) {
      std::int64_t cost = problem.objective.constant;
      for (const Term& term : problem.objective.terms)
        cost += (input >> term.bit.index & 1) != 0 ? term.coefficient : 0;
      return cost;
    };
    std::optional<std::int64_t> nearest;
    for (unsigned input = 0; input < 128; ++input) {
      if (distance(input) == 0) {
        EXPECT_FALSE(other_class(input)) << "the input itself has the other class";
      }
      if (other_class(input) && (!nearest || distance(input) < *nearest)) nearest = distance(input);
    }
    const engines::Outcome outcome = solved(problem);
    EXPECT_EQ(outcome.cost, nearest);
    found += nearest ? 1 : 0;
  }
  EXPECT_GT(found, 10);
}

}  // namespace
}  // namespace bnnplan::suite
