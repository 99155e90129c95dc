#include "rddl/explore.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "rddl/rddl_text.hpp"
#include "rddl/transition_table.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;
using testing::shipped;
using testing::simulator_of;

constexpr std::string_view counter = R"(
  domain counter {
    pvariables {
      value : { state-fluent, int, default = 0 };
      stuck : { state-fluent, bool, default = false };
      add : { action-fluent, int, default = 0 };
    };
    cpfs { value' = min[value + add, 3]; stuck' = value == 3; };
    state-action-constraints { add >= 0; add <= 1; ~stuck; };
    state-invariants { value >= 0; value <= 3; };
  })";
constexpr std::string_view counter_instance = "instance i { domain = counter; }";

TransitionTable table_of(const Simulator& simulator, const ExploreOptions& options, bool unique) {
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  TransitionTable table(layout, {}, {}, unique);
  explore(simulator, layout, options,
          [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  return table;
}

TEST(Explore, ExhaustiveGoldenFile) {
  const Simulator simulator = simulator_of(counter, counter_instance);
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  TransitionTable table(layout, {}, {}, false);
  const ExplorationCounts counts = explore_exhaustively(
      simulator, layout, [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  EXPECT_EQ(counts.transitions, 8u);
  EXPECT_EQ(table.text(),
            "value.0,value.1,stuck,add.0,value.0',value.1',stuck'\n"
            "0,0,0,0,0,0,0\n"
            "0,0,0,1,1,0,0\n"
            "1,0,0,0,1,0,0\n"
            "1,0,0,1,0,1,0\n"
            "0,1,0,0,0,1,0\n"
            "0,1,0,1,1,1,0\n"
            "1,1,0,0,1,1,1\n"
            "1,1,0,1,1,1,1\n");
}

TEST(Explore, ChosenColumnsAndUniqueLines) {
  const Simulator simulator = simulator_of(counter, counter_instance);
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  TransitionTable table(layout, {"value"}, {"stuck"}, true);
  explore_exhaustively(simulator, layout,
                       [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  EXPECT_EQ(table.text(), "value.0,value.1,stuck'\n0,0,0\n1,0,0\n0,1,0\n1,1,1\n");
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(input_error_of([&] { TransitionTable(layout, {"valu"}, {}, false); }),
            "input 'valu' is no state or action fluent, did you mean 'value'?");
  EXPECT_EQ(input_error_of([&] { TransitionTable(layout, {}, {"add"}, false); }),
            "output 'add' is no state fluent");
}

TEST(Explore, SameSeedSameDataAndDeadEnds) {
  const Simulator simulator = simulator_of(counter, counter_instance);
  for (const ExplorationPolicy policy : {ExplorationPolicy::uniform_legal, ExplorationPolicy::random}) {
    ExploreOptions options;
    options.episodes = 20;
    options.steps = 50;
    options.seed = 5;
    options.policy = policy;
    const TransitionTable first = table_of(simulator, options, false);
    EXPECT_EQ(first.text(), table_of(simulator, options, false).text());
    options.seed = 6;
    EXPECT_NE(first.text(), table_of(simulator, options, false).text());
    EXPECT_EQ(table_of(simulator, options, true).size(), 8u) << "everything is found";
    const ExplorationCounts counts = explore(simulator, make_bit_layout(simulator.model(), {}), options,
                                             [](const auto&, const auto&, const auto&) {});
    EXPECT_EQ(counts.dead_ends, 20u) << "every episode gets stuck at last";
  }
}

TEST(Explore, EverythingIsLegal) {
  std::vector<std::string_view> names(std::begin(testing::shipped_instances),
                                      std::end(testing::shipped_instances));
  names.insert(names.end(), std::begin(testing::larger_instances), std::end(testing::larger_instances));
  for (const std::string_view name : names) {
    for (const EpisodeStart start : {EpisodeStart::initial, EpisodeStart::anywhere}) {
      const Simulator simulator = shipped(name);
      ExploreOptions options;
      options.episodes = 5;
      options.steps = 30;
      options.start = start;
      explore(simulator, make_bit_layout(simulator.model(), {}), options,
              [&](const StateValues& state, const ActionValues& action, const StateValues& next) {
                EXPECT_EQ(simulator.broken_invariant(state), "");
                EXPECT_TRUE(simulator.legal(state, action));
                EXPECT_EQ(simulator.step(state, action), next);
                EXPECT_EQ(simulator.broken_invariant(next), "");
              });
    }
  }
}

// One step from anywhere finds every legal pair, about equally often, and nothing else.
TEST(Explore, AnywhereIsUniform) {
  // By rejection: half of the counter's states are stuck. From the list of states: one cell of nine.
  for (const bool listed : {false, true}) {
    const Simulator simulator = listed ? shipped("navigation_3x3") : simulator_of(counter, counter_instance);
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    std::map<std::pair<StateValues, ActionValues>, int> seen;
    std::map<StateValues, int> states;
    ExploreOptions options;
    options.episodes = 9000;
    options.steps = 1;
    options.seed = 3;
    options.start = EpisodeStart::anywhere;
    explore(simulator, layout, options, [&](const StateValues& s, const ActionValues& a, const auto&) {
      ++seen[{s, a}];
      ++states[s];
    });
    const auto pairs =
        explore_exhaustively(simulator, layout, [&](const auto& s, const auto& a, const auto&) {
          EXPECT_EQ(seen.count({s, a}), 1u);
        });
    EXPECT_EQ(seen.size(), pairs.transitions);
    EXPECT_EQ(states.size(), listed ? 9u : 4u);
    for (const auto& [state, count] : states) {
      EXPECT_NEAR(count, 9000.0 / static_cast<double>(states.size()), 200);
    }
  }
}

TEST(Explore, NowhereToStart) {
  ExploreOptions options;
  options.start = EpisodeStart::anywhere;
  const auto flag_with = [](std::string_view conditions) {
    const std::string domain =
        "domain d { pvariables { x : { state-fluent, bool, default = false }; a : { action-fluent, bool, "
        "default "
        "= false }; }; cpfs { x' = x; }; " +
        std::string(conditions) + " }";
    return simulator_of(domain, "instance i { domain = d; }");
  };
  const auto error_of = [&](std::string_view conditions) {
    const Simulator simulator = flag_with(conditions);
    return input_error_of([&] { table_of(simulator, options, false); });
  };
  EXPECT_NE(
      error_of("state-action-constraints { a & ~a; };").find("no action is legal in any of 100000 random"),
      std::string::npos);
  EXPECT_NE(
      error_of("state-action-constraints { x & ~x; };").find("no state satisfies the state invariants and "),
      std::string::npos);
  EXPECT_EQ(table_of(flag_with("state-action-constraints { a; x; };"), options, true).size(), 1u);
}

TEST(Explore, ExhaustiveCounts) {
  const auto count = [](std::string_view name) {
    const Simulator simulator = shipped(name);
    return explore_exhaustively(simulator, make_bit_layout(simulator.model(), {}),
                                [](const auto&, const auto&, const auto&) {})
        .transitions;
  };
  EXPECT_EQ(count("navigation_5x5"), 25u * 5);   // cells x (four moves or none)
  EXPECT_EQ(count("inventory_4"), 16u * 4 * 2);  // threshold met
  EXPECT_EQ(count("sysadmin_4"), 256u * 11);     // all running, at most two reboots
  EXPECT_EQ(count("cellda_x"), 256u * 2 * 5);    // positions x key x moves, alive
}

TEST(Explore, HeaderOfTheShippedDomains) {
  const auto header = [](std::string_view name, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
    const Simulator simulator = shipped(name);
    const TransitionTable table(make_bit_layout(simulator.model(), {}), inputs, outputs, false);
    return table.text();
  };
  EXPECT_EQ(
      header("inventory_2", {}, {"threshold-met", "stock"}),
      "threshold-met,stock.0,stock.1,stock.2,stock.3,month.0,order,threshold-met',stock.0',stock.1',stock.2',"
      "stock.3'\n");
  EXPECT_EQ(
      header("cellda_x",
             {"move-up", "move-down", "move-right", "move-left", "agent-x", "agent-y", "enemy-x", "enemy-y"},
             {"enemy-x", "enemy-y"}),
      "agent-x.0,agent-x.1,agent-y.0,agent-y.1,enemy-x.0,enemy-x.1,enemy-y.0,enemy-y.1,move-up,move-down,"
      "move-right,move-left,enemy-x.0',enemy-x.1',enemy-y.0',enemy-y.1'\n");
}

TEST(Explore, Refusals) {
  const auto explored = [](std::string_view domain, const GivenBits& bits = {}) {
    return input_error_of([&] {
      const Simulator simulator = simulator_of(domain, "instance i { domain = d; }");
      const BitLayout layout = make_bit_layout(simulator.model(), bits);
      TransitionTable table(layout, {}, {}, false);
      explore(simulator, layout, {},
              [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
    });
  };
  EXPECT_EQ(
      explored(
          "domain d { pvariables { s : {state-fluent, bool}; a : {action-fluent, bool}; }; cpfs { s' = a; };"
          " state-action-constraints { s; }; }"),
      "i.rddl: no action is legal in the initial state");
  EXPECT_EQ(explored("domain d { pvariables { n : {state-fluent, int}; }; cpfs { n' = n + 1; };\n"
                     "state-invariants { n >= 0; n <= 5; }; }"),
            "d.rddl: a legal step breaks the invariant at d.rddl:2:28: it leads to n = 6");
  EXPECT_EQ(
      explored("domain d { pvariables { n : {state-fluent, int}; }; cpfs { n' = n + 1; }; }", {{"n", 2}}),
      "value 4 of 'n' does not fit into its 2 bits, expected 0 to 3");
}

TEST(Explore, TooMuchData) {
  const Simulator simulator = testing::shipped("inventory_2");
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  TransitionTable table(layout, {}, {}, false, 1000);
  ExploreOptions options;
  options.episodes = 100;
  EXPECT_EQ(
      input_error_of([&] {
        explore(simulator, layout, options,
                [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
      }),
      "the data set takes more than 0 MiB: expected fewer episodes or steps, fewer columns, or --unique");
}

TEST(Explore, TooManyCombinations) {
  std::string objects = "o0";
  for (int i = 1; i < 40; ++i) objects += ", o" + std::to_string(i);
  const std::string instance = "instance i { domain = d; objects { t : { " + objects + " }; }; }";
  const Simulator simulator = simulator_of(
      "domain d { types { t : object; }; pvariables { s(t) : {state-fluent, bool}; a(t) : {action-fluent, "
      "bool}; };"
      " cpfs { s'(?x) = a(?x); }; }",
      instance);
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  EnumerationLimits limits;
  limits.actions = 1000;
  EXPECT_EQ(input_error_of([&] { LegalActions(simulator, layout, limits); }),
            "i.rddl: too many joint actions: more than 1000");
  limits.assignments = 1000;
  EXPECT_EQ(input_error_of([&] { for_each_state(simulator, layout, limits, [](const StateValues&) {}); }),
            "i.rddl: too many combinations: more than 1000 had to be looked at");
}

}  // namespace
}  // namespace bnnplan
