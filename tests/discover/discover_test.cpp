#include "bnnplan/discover/discover.hpp"

#include <atomic>
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/discover/discovery_text.hpp"
#include "bnnplan/discover/frontier.hpp"
#include "bnnplan/discover/program_world.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::discovery {
namespace {

// A world given by a function over the bits as a number, bit 0 the first.
class TableWorld : public World {
 public:
  explicit TableWorld(std::function<unsigned(unsigned state, unsigned action)> next)
      : next_(std::move(next)) {}

  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string&) override {
    ++asked;
    const unsigned to = next_(number(state), number(action));
    BitValues bits(state.size());
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<BitValue>((to >> i) & 1);
    return bits;
  }

  std::size_t asked = 0;

 private:
  static unsigned number(const BitValues& bits) {
    unsigned value = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) value |= (bits[i] == 1 ? 1u : 0u) << i;
    return value;
  }

  std::function<unsigned(unsigned, unsigned)> next_;
};

Problem three_bits(const std::string& objective, const std::string& goal) {
  return parse_open_problem(fmt::format("name = \"table\"\nhorizon = 3\nminimize = \"{}\"\ngoal = [\"{}\"]\n"
                                        "constraints = [\"a + b + x <= 2\"]\n"
                                        "[action]\na = \"bool\"\nb = \"bool\"\n"
                                        "[state]\nx = \"bool\"\ny = \"bool\"\nz = \"bool\"\n"
                                        "[initial]\nx = false\ny = false\nz = false\n",
                                        objective, goal),
                            "table.toml", ".");
}

DiscoverOptions by_search() {
  DiscoverOptions options;
  options.plan = [](const Problem& problem) { return engines::find_engine("search")->run(problem, {}); };
  return options;
}

struct Best {
  std::optional<int> cost;
};

// All plans of three steps in the world itself: 2 a - 3 b + 2 z' with the goal y, and at most two of a, b, x.
Best brute_force(const std::function<unsigned(unsigned, unsigned)>& next) {
  Best best;
  for (unsigned plan = 0; plan < 64; ++plan) {
    unsigned state = 0;
    int cost = 0;
    bool legal = true;
    for (unsigned t = 0; t < 3; ++t) {
      const unsigned action = (plan >> (2 * t)) & 3, a = action & 1, b = action >> 1;
      legal = legal && a + b + (state & 1) <= 2;
      state = next(state, action);
      cost += 2 * static_cast<int>(a) - 3 * static_cast<int>(b) + 2 * static_cast<int>((state >> 2) & 1);
    }
    if (legal && ((state >> 1) & 1) != 0 && (!best.cost || cost < *best.cost)) best.cost = cost;
  }
  return best;
}

// What is called proved in the world is what trying every plan there gives, in random worlds, with costs of
// both signs.
TEST(Discover, ProvesTheOptimumOfRandomWorlds) {
  Random random(11);
  const Problem problem = three_bits("2 a - 3 b + 2 z'", "y == 1");
  int feasible = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<unsigned> table(32);
    for (unsigned& to : table) {
      to = static_cast<unsigned>(random.below(8));
      if (round % 2 == 1 && random.below(8) > 0)
        to &= 5;  // in every other world the goal is rare, or nowhere
    }
    const auto next = [&](unsigned state, unsigned action) { return table[state * 4 + action]; };
    TableWorld world(next);
    DiscoverOptions options = by_search();
    options.prove = true;
    const Discovered found = discover(problem, world, options);
    const Best best = brute_force(next);
    feasible += best.cost ? 1 : 0;
    ASSERT_EQ(found.world, best.cost ? WorldStatus::optimal : WorldStatus::infeasible) << round;
    if (best.cost) {
      ASSERT_EQ(found.cost, *best.cost) << round;
    }
    EXPECT_EQ(found.questions + (best.cost ? 3 : 0), world.asked);  // the plan is played once more
    EXPECT_LE(found.questions, 32u);
    EXPECT_EQ(found.data.sample_row.size(), found.questions);
    EXPECT_EQ(evaluate(*found.problem.network, found.data, learning::whole(found.data)).wrong_transitions,
              0u);
  }
  EXPECT_GT(feasible, 20);
  EXPECT_LT(feasible, 150);
}

// A world as a program of the shell that prints a line too many, once.
std::string out_of_step_script(const std::vector<unsigned>& table, bool numbered, std::size_t at,
                               const std::string& extra) {
  std::string script =
      "i=0; last='{}'; while read line; do i=$((i + 1)); id=${line##*: }; id=${id%?}; case \"${line%, *}\" "
      "in\n";
  for (unsigned pair = 0; pair < 32; ++pair) {
    const unsigned state = pair / 4, action = pair % 4, to = table[pair];
    script += fmt::format(
        "'{{\"state\": {{\"x\": {}, \"y\": {}, \"z\": {}}}, \"action\": {{\"a\": {}, \"b\": {}}}') "
        "next='\"x\": {}, \"y\": {}, \"z\": {}';;\n",
        state & 1, (state >> 1) & 1, state >> 2, action & 1, action >> 1, to & 1, (to >> 1) & 1, to >> 2);
  }
  return script + fmt::format(
                      "esac; answer=\"{{{}\\\"state\\\": {{$next}}}}\"\n"
                      "if [ $i = {} ]; then {}; else echo \"$answer\"; fi; last=$answer; done\n",
                      numbered ? "\\\"id\\\": $id, " : "", at, extra);
}

// Worlds that answer out of step are an error, or what is claimed of them is true nevertheless.
TEST(Discover, NothingFalseIsProvedOfWorldsThatAnswerOutOfStep) {
  Random random(23);
  const Problem problem = three_bits("2 a - 3 b + 2 z'", "y == 1");
  const std::string ways[] = {
      "echo \"$answer\"",                                           // as it should be
      "printf '%s\\n%s\\n' \"$answer\" \"$answer\"",                // twice
      "printf '%s\\n%s\\n' \"$last\" \"$answer\"",                  // the one before comes again, first
      "echo \"$answer\"; sleep 0.002; echo \"$answer\"",            // twice, somewhat later
      "echo \"$answer\"; { sleep 0.02; echo \"$answer\"; } & true"  // while it answers other questions
  };
  int refused = 0, proved = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<unsigned> table(32);
    for (unsigned& to : table) to = static_cast<unsigned>(random.below(8));
    const auto next = [&](unsigned state, unsigned action) { return table[state * 4 + action]; };
    const bool numbered = random.below(2) == 1;
    const std::size_t way = static_cast<std::size_t>(round) % std::size(ways);
    ProgramWorld world(
        problem, {"sh", "-c", out_of_step_script(table, numbered, 1 + random.below(12), ways[way])}, 10);
    DiscoverOptions options = by_search();
    options.prove = true;
    try {
      const Discovered found = discover(problem, world, options);
      const Best best = brute_force(next);
      ASSERT_EQ(found.world, best.cost ? WorldStatus::optimal : WorldStatus::infeasible) << round;
      if (best.cost) {
        ASSERT_EQ(found.cost, *best.cost) << round;
      }
      ++proved;
    } catch (const InputError& error) {
      ASSERT_NE(way, 0u) << error.what();
      ++refused;
    }
  }
  EXPECT_GE(proved, 8);
  EXPECT_GE(refused, 8);
}

// A plan that held step by step has to hold when it is played, too.
TEST(Discover, APlanIsPlayedBeforeItIsSaidToHold) {
  TableWorld* asked = nullptr;
  TableWorld world(
      [&](unsigned state, unsigned action) { return action == 1 && asked->asked < 7 ? 2u : state; });
  asked = &world;
  try {
    discover(three_bits("a + b", "y == 1"), world, by_search());
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the world is not deterministic: step "), std::string::npos)
        << error.what();
  }
}

TEST(Discover, IsNotSaidToHoldIfInterruptedBeforeItIsPlayed) {
  TableWorld world([](unsigned state, unsigned action) { return action == 1 ? 2u : state; });
  std::atomic<bool> interrupt = false;
  DiscoverOptions options = by_search();
  options.prove = true;
  options.limits.interrupt = &interrupt;
  options.round = [&](const DiscoverRound& round) { interrupt = round.holds; };
  const Discovered found = discover(three_bits("a + b", "y == 1"), world, options);
  EXPECT_TRUE(found.plan);
  EXPECT_EQ(found.world, WorldStatus::none);
  EXPECT_EQ(found.questions, world.asked);
  EXPECT_NE(discovery_answer(found).text.find("in the world: it held step by step, but was not replayed"),
            std::string::npos)
      << discovery_answer(found).text;
}

// Without --prove it ends with the first plan that holds, and claims no more than that.
TEST(Discover, WithoutProofItSaysWhatWasNeverSeen) {
  Random random(5);
  const Problem problem = three_bits("2 a - 3 b + 2 z'", "y == 1");
  int open = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<unsigned> table(32);
    for (unsigned& to : table) to = static_cast<unsigned>(random.below(8));
    const auto next = [&](unsigned state, unsigned action) { return table[state * 4 + action]; };
    TableWorld world(next);
    const Discovered found = discover(problem, world, by_search());
    if (!found.plan) continue;
    ASSERT_TRUE(found.rounds.back().holds);
    const int best = *brute_force(next).cost;
    if (found.world == WorldStatus::optimal) {
      EXPECT_EQ(found.cost, best);
    }
    EXPECT_GE(found.cost, best);
    if (found.unseen > 0) {
      ++open;
      EXPECT_EQ(found.world, WorldStatus::valid);
      EXPECT_NE(discovery_answer(found).text.find("not proved optimal there"), std::string::npos);
    }
  }
  EXPECT_GT(open, 5);
}

TEST(Discover, EndsWhenNoMoreQuestionsAreAllowed) {
  TableWorld world([](unsigned state, unsigned) { return state; });
  DiscoverOptions options = by_search();
  options.most_questions = 2;
  const Discovered found = discover(three_bits("a", "y == 1"), world, options);
  EXPECT_TRUE(found.out_of_questions);
  EXPECT_EQ(found.world, WorldStatus::none);
  EXPECT_EQ(world.asked, 2u);
  EXPECT_NE(discovery_answer(found).text.find("2 questions asked in"), std::string::npos);
  EXPECT_NE(discovery_answer(found).text.find("no more are allowed"), std::string::npos);
}

TEST(Discover, RandomWalksFindItTooAndCountEveryQuestion) {
  TableWorld world([](unsigned state, unsigned action) { return action == 1 ? 2u : state; });
  DiscoverOptions options = by_search();
  options.asking = Asking::random;
  options.until_cost = 1;
  const Discovered found = discover(three_bits("a + b", "y == 1"), world, options);
  ASSERT_TRUE(found.plan);
  EXPECT_EQ(found.cost, 1);
  EXPECT_EQ(found.world, WorldStatus::valid);
  EXPECT_GE(found.questions, found.data.sample_row.size());
}

TEST(Discover, TextsOfRoundsAndPage) {
  TableWorld world([](unsigned state, unsigned action) { return action == 1 ? 2u : state; });
  DiscoverOptions options = by_search();
  options.prove = true;
  std::string text;
  const Problem problem = three_bits("a + b", "y == 1");
  options.round = [&](const DiscoverRound& round) { text += round_text(problem, 1, round) + "\n"; };
  const Discovered found = discover(problem, world, options);
  EXPECT_EQ(found.world, WorldStatus::optimal);
  EXPECT_EQ(
      text.rfind(
          "round 1, learned from 0 transitions: the model has no plan; asked 1 more (1 question so far)\n",
          0),
      0u)
      << text;
  EXPECT_NE(text.find("the plan promises cost 1; it holds in the world"), std::string::npos) << text;
  EXPECT_NE(discovery_answer(found).text.find(
                "in the world: it holds, cost 1, and is proved optimal if the world is deterministic"),
            std::string::npos);
  const std::string page = discovery_page(found, "Discovering <x>", "");
  EXPECT_NE(page.find("<h1>Discovering &lt;x&gt;</h1>"), std::string::npos);
  EXPECT_NE(page.find("does what the plan says"), std::string::npos);
}

// Known transitions: what was never seen cannot be listed, so nothing is proved of the world.
TEST(Discover, KnownTransitionsAreAnObstacleToProof) {
  const Problem problem = parse_open_problem(
      "horizon = 2\nminimize = \"a\"\ngoal = [\"y == 1\"]\ntransitions = [\"x' == a\"]\n"
      "[action]\na = \"bool\"\n[state]\nx = \"bool\"\ny = \"bool\"\n[initial]\nx = false\ny = false\n",
      "p.toml", ".");
  EXPECT_EQ(frontier_obstacle(problem), "'x' is given by known transitions");
  Problem discounted = three_bits("a", "y == 1");
  EXPECT_EQ(frontier_obstacle(discounted), "");
  discounted.objective.discount = Decimal{9, -1};
  EXPECT_EQ(frontier_obstacle(discounted), "its costs are discounted");
  TableWorld world(
      [](unsigned state, unsigned action) { return (action & 1) | ((state & 1) << 1) | (state & 2); });
  DiscoverOptions options = by_search();
  options.prove = true;
  const Discovered found = discover(problem, world, options);
  ASSERT_TRUE(found.plan);
  EXPECT_EQ(found.cost, 1);
  EXPECT_EQ(found.world, WorldStatus::valid);
}

TEST(OpenProblem, WhatIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_open_problem(text, "p.toml", ".");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n"),
            "p.toml: all transitions are known: there is nothing to discover");
}

}  // namespace
}  // namespace bnnplan::discovery
