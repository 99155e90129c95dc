#include "bnnplan/rddl/simulate/explore.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "bnnplan/rddl/simulate/transition_table.hpp"
#include "rddl/rddl_text.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
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

constexpr auto nowhere = [](std::string_view) {};

std::string text_of(Simulator& simulator, const ExploreOptions& options, bool unique) {
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  std::string text;
  TransitionLines table(layout, {}, {}, unique, [&](std::string_view line) { text += line; });
  explore(simulator, layout, options,
          [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), table.size() + 1);
  return text;
}

std::size_t lines_of(Simulator simulator, const ExploreOptions& options, bool unique) {
  const std::string text = text_of(simulator, options, unique);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
}

TEST(Explore, ExhaustiveGoldenFile) {
  Simulator simulator = simulator_of(counter, counter_instance);
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  std::string text;
  TransitionLines table(layout, {}, {}, false, [&](std::string_view line) { text += line; });
  const ExplorationCounts counts = explore_exhaustively(
      simulator, layout, [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  EXPECT_EQ(counts.transitions, 8u);
  EXPECT_EQ(counts.dead_ends, 4u) << "stuck at 0, 1, 2, 3";
  EXPECT_EQ(text,
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
  Simulator simulator = simulator_of(counter, counter_instance);
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  std::string text;
  TransitionLines table(layout, {"value"}, {"stuck"}, true, [&](std::string_view line) { text += line; });
  explore_exhaustively(simulator, layout,
                       [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
  EXPECT_EQ(text, "value.0,value.1,stuck'\n0,0,0\n1,0,0\n0,1,0\n1,1,1\n");
  EXPECT_EQ(table.size(), 4u);
  EXPECT_EQ(input_error_of([&] { TransitionLines(layout, {"valu"}, {}, false, nowhere); }),
            "input 'valu' is not a state or action fluent, did you mean 'value'?");
  EXPECT_EQ(input_error_of([&] { TransitionLines(layout, {}, {"add"}, false, nowhere); }),
            "output 'add' is not a state fluent");
}

TEST(Explore, SameSeedSameDataAndDeadEnds) {
  Simulator simulator = simulator_of(counter, counter_instance);
  for (const ExplorationPolicy policy : {ExplorationPolicy::uniform_legal, ExplorationPolicy::random}) {
    ExploreOptions options;
    options.episodes = 20;
    options.steps = 50;
    options.seed = 5;
    options.policy = policy;
    const std::string first = text_of(simulator, options, false);
    EXPECT_EQ(first, text_of(simulator, options, false));
    options.seed = 6;
    EXPECT_NE(first, text_of(simulator, options, false));
    EXPECT_EQ(lines_of(simulator, options, true), 8u) << "everything is found";
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
      Simulator simulator = shipped(name);
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
    Simulator simulator = listed ? shipped("navigation_3x3") : simulator_of(counter, counter_instance);
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
    Simulator simulator = flag_with(conditions);
    return input_error_of([&] { text_of(simulator, options, false); });
  };
  EXPECT_NE(
      error_of("state-action-constraints { a & ~a; };").find("no action is legal in any of 100000 random"),
      std::string::npos);
  EXPECT_NE(
      error_of("state-action-constraints { x & ~x; };").find("no state satisfies the state invariants and "),
      std::string::npos);
  EXPECT_EQ(lines_of(flag_with("state-action-constraints { a; x; };"), options, true), 1u);
}

TEST(Explore, ExhaustiveCounts) {
  const auto count = [](std::string_view name) {
    Simulator simulator = shipped(name);
    return explore_exhaustively(simulator, make_bit_layout(simulator.model(), {}),
                                [](const auto&, const auto&, const auto&) {})
        .transitions;
  };
  EXPECT_EQ(count("navigation_5x5"), 25u * 5);   // cells x (four moves or none)
  EXPECT_EQ(count("inventory_4"), 16u * 4 * 2);  // threshold met
  EXPECT_EQ(count("sysadmin_4"), 256u * 11);     // all running, at most two reboots
  EXPECT_EQ(count("cellda_x"), 256u * 2 * 5);    // positions x key x moves, alive
}

// By looking at every state there is.
TEST(Explore, ExhaustiveCountsAllDeadEnds) {
  const auto all_dead_ends = [](Simulator& simulator, const BitLayout& layout) {
    const LegalActions actions(simulator, layout);
    const std::size_t size = simulator.model().state.size();
    StateValues state;
    for (std::size_t i = 0; i < size; ++i) state.push_back(layout.ranges[i].low.numerator);
    std::uint64_t count = 0;
    std::vector<std::uint32_t> legal;
    for (;;) {
      actions.find(state, legal);
      count += legal.empty() && simulator.broken_invariant(state).empty();
      std::size_t i = 0;
      for (; i < size && state[i] == layout.ranges[i].high.numerator; ++i)
        state[i] = layout.ranges[i].low.numerator;
      if (i == size) return count;
      ++state[i];
    }
  };
  const std::string lamps = "instance i { domain = d; objects { t : { o1, o2, o3, o4 }; }; }";
  const auto lamps_with = [&](const std::string& conditions) {
    return simulator_of(
        "domain d { types { t : object; }; pvariables { s(t) : { state-fluent, bool, default = false };"
        " n : { state-fluent, int, default = 0 }; a(t) : { action-fluent, bool, default = false }; };"
        " cpfs { s'(?x) = s(?x); n' = n; }; " +
            conditions + " }",
        lamps);
  };
  const std::string bounds = "n >= 0; n <= 2;";
  std::vector<Simulator> simulators;
  for (const char* name : {"navigation_3x3", "inventory_2", "sysadmin_4", "cellda_x"})
    simulators.push_back(shipped(name));
  for (const char* constraints : {"s(o1) => a(o1); s(o1) => ~a(o1);", "~s(o1);",
                                  "n ~= 1; s(o2) | a(o2); ~a(o2);", "(sum_{?x : t} s(?x)) <= n;",
                                  "s(o4); forall_{?x : t} [s(?x) => a(?x)]; (sum_{?x : t} a(?x)) <= 2;"}) {
    for (const char* invariants : {"", "(sum_{?x : t} s(?x)) <= 2;", "s(o2) => s(o3); n == 2 => ~s(o4);"}) {
      simulators.push_back(lamps_with("state-invariants { " + bounds + invariants +
                                      " }; state-action-constraints { " + constraints + " };"));
    }
  }
  std::uint64_t sum = 0;
  for (Simulator& simulator : simulators) {
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    const ExplorationCounts counts =
        explore_exhaustively(simulator, layout, [](const auto&, const auto&, const auto&) {});
    EXPECT_EQ(counts.dead_ends, all_dead_ends(simulator, layout));
    EXPECT_TRUE(counts.dead_ends_exact);
    sum += counts.dead_ends;
  }
  EXPECT_GT(sum, 4000u);
}

TEST(Explore, DeadEndsThatAreTooManyToCount) {
  std::string objects = "o0";
  for (int i = 1; i < 100; ++i) objects += ", o" + std::to_string(i);
  const auto counts_of = [&](const std::string& invariants) {
    Simulator simulator = simulator_of(
        "domain d { types { t : object; }; pvariables { s(t) : { state-fluent, bool, default = false };"
        " a : { action-fluent, bool, default = false }; }; cpfs { s'(?x) = s(?x); };"
        " state-action-constraints { (sum_{?x : t} s(?x)) <= 1; }; state-invariants { " +
            invariants + " }; }",
        "instance i { domain = d; objects { t : { " + objects + " }; }; }");
    return explore_exhaustively(simulator, make_bit_layout(simulator.model(), {}),
                                [](const auto&, const auto&, const auto&) {});
  };
  for (const char* invariants : {"true;", "(sum_{?x : t} [s(?x) * s(?x)]) <= 60;"}) {
    const ExplorationCounts counts = counts_of(invariants);
    EXPECT_EQ(counts.transitions, 202u);
    EXPECT_GT(counts.dead_ends, 1000u);
    EXPECT_FALSE(counts.dead_ends_exact);
  }
  const ExplorationCounts few = counts_of("forall_{?x : t} [~s(?x) | ?x == o1 | ?x == o2]; true;");
  EXPECT_EQ(few.dead_ends, 1u) << "both";
  EXPECT_TRUE(few.dead_ends_exact);
}

TEST(Explore, HeaderOfTheShippedDomains) {
  const auto header = [](std::string_view name, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
    Simulator simulator = shipped(name);
    std::string text;
    const TransitionLines table(make_bit_layout(simulator.model(), {}), inputs, outputs, false,
                                [&](std::string_view line) { text += line; });
    return text;
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
      Simulator simulator = simulator_of(domain, "instance i { domain = d; }");
      const BitLayout layout = make_bit_layout(simulator.model(), bits);
      TransitionLines table(layout, {}, {}, false, nowhere);
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
      explored("domain d { pvariables { n : {state-fluent, int, default = 1}; }; cpfs { n' = n - 1; };\n"
               "state-invariants { n > 0; n <= 5; }; }"),
      "d.rddl: a legal step breaks the invariant at d.rddl:2:20: it leads to the state with all variables 0");
  EXPECT_EQ(
      explored("domain d { pvariables { n : {state-fluent, int}; }; cpfs { n' = n + 1; }; }", {{"n", 2}}),
      "value 4 of 'n' does not fit into its 2 bits, expected 0 to 3");
}

TEST(Explore, TooMuchData) {
  Simulator simulator = testing::shipped("inventory_2");
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  ExploreOptions options;
  options.episodes = 100;
  const auto explored = [&](bool unique) {
    TransitionLines table(layout, {}, {}, unique, nowhere, 1000);
    explore(simulator, layout, options,
            [&](const auto& s, const auto& a, const auto& n) { table.add(s, a, n); });
    return table.size();
  };
  EXPECT_EQ(input_error_of([&] { explored(true); }),
            "the distinct lines take more than 0 MiB of memory: expected fewer episodes or steps, fewer "
            "columns, or duplicates allowed");
  EXPECT_GT(explored(false), 100u) << "nothing is remembered";
}

TEST(Explore, TooManyCombinations) {
  std::string objects = "o0";
  for (int i = 1; i < 40; ++i) objects += ", o" + std::to_string(i);
  const std::string instance = "instance i { domain = d; objects { t : { " + objects + " }; }; }";
  Simulator simulator = simulator_of(
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
            "i.rddl: too many combinations: more than 1000 were examined");
}

}  // namespace
}  // namespace bnnplan::rddl
