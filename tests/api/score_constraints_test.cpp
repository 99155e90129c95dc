// Planning with the scores of a classifier in constraints, by every engine, against trying all plans.
#include <optional>

#include <bnnplan/bnnplan.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_network.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

constexpr int horizon = 3;

// Actions a and b, states s and t, which remember them; the classifier sees all four.
constexpr std::string_view world =
    "horizon = 3\nnetwork = \"c.bnn\"\nminimize = \"3 a + 2 b\"\nconstraints = [\"{}\"]\n"
    "transitions = [\"s' == a\", \"t' + b == 1\"]\n[action]\na = \"bool\"\nb = \"bool\"\n[state]\ns = "
    "\"bool\"\nt = \"bool\"\n"
    "[initial]\ns = false\nt = true\n";

bool allowed(const Network& network, const BitValues& inputs, const mpq_class& least) {
  const std::vector<mpq_class> scores = reference_scores(network, inputs);
  return scores[0] - 2 * scores[1] >= least;
}

std::optional<std::int64_t> best_by_trying(const Network& network, const mpq_class& least) {
  std::optional<std::int64_t> best;
  for (unsigned plan = 0; plan < 1U << (2 * horizon); ++plan) {
    BitValue s = 0, t = 1;
    std::int64_t cost = 0;
    bool valid = true;
    for (int step = 0; step < horizon; ++step) {
      const auto a = static_cast<BitValue>(plan >> (2 * step) & 1),
                 b = static_cast<BitValue>(plan >> (2 * step + 1) & 1);
      valid &= allowed(network, {a, b, s, t}, least);
      cost += 3 * a + 2 * b;
      s = a;
      t = static_cast<BitValue>(1 - b);
    }
    if (valid && (!best || cost < *best)) best = cost;
  }
  return best;
}

TEST(ScoreConstraints, EveryEngineFindsTheBestPlan) {
  const testing::TemporaryFolder folder;
  Random random(1);
  int with_plan = 0, without_plan = 0;
  for (int i = 0; i < 30; ++i) {
    Network network = testing::random_network(random, {{4, 1 + random.below(5), 2}, false, true});
    network.inputs = {"a", "b", "s", "t"};
    network.outputs = {"good", "bad"};
    write_network(folder / "c.bnn", network);
    const int least = static_cast<int>(random.below(9)) - 6;
    const auto file = folder.write(
        "p.toml", fmt::format(fmt::runtime(world), fmt::format("score[good] - 2 score[bad] >= {}", least)));
    const Problem problem = read_problem(file);
    const auto expected = best_by_trying(network, least);
    ++(expected ? with_plan : without_plan);
    for (const char* engine : {"search", "neuron", "maxsat"}) {
      PlanOptions options;
      options.engine = engine;
      const Outcome outcome = plan(problem, options);
      EXPECT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible) << engine;
      if (expected) {
        EXPECT_EQ(outcome.cost, *expected) << engine;
      }
    }
  }
  EXPECT_GT(with_plan, 5);
  EXPECT_GT(without_plan, 5);
}

}  // namespace
}  // namespace bnnplan
