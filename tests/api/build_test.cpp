// Problems built in memory, worlds acted in, planning from state to state.
#include <bnnplan/bnnplan.hpp>
#include <gtest/gtest.h>

#include "support/input_error_of.hpp"
#include "support/shipped.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

Variable integer(const std::string& name, int bits) {
  Variable variable;
  variable.name = name;
  variable.boolean = false;
  variable.bits = bits;
  return variable;
}

ProblemBuilder light() {
  ProblemBuilder builder("light");
  builder.add_variable(Place::state, {"lit"});
  builder.add_variable(Place::action, {"press"});
  builder.set_initial("lit", {0, 0});
  builder.add_constraint("lit' == lit + press");
  builder.add_goal("lit == 1");
  builder.set_objective("press", false);
  builder.set_horizon(3);
  return builder;
}

TEST(ProblemBuilder, BuildsWhatTheFileSays) {
  const Problem read = parse_problem(R"(
name = "light"
horizon = 3
minimize = "press"
goal = ["lit == 1"]
transitions = ["lit' == lit + press"]
[action]
press = "bool"
[state]
lit = "bool"
[initial]
lit = false
)",
                                     "light.toml", "");
  EXPECT_EQ(light().finished(), read);
  EXPECT_EQ(plan(light().finished()).cost, 1);
}

TEST(ProblemBuilder, GoesOnWithAProblem) {
  const Problem corridor = read_problem(testing::corridor);
  ProblemBuilder builder(corridor);
  EXPECT_EQ(builder.finished(), corridor);
  builder.add_variable(Place::state, integer("steps", 3));  // behind all bits that are there
  builder.set_initial("steps", {0, 0});
  builder.add_constraint("steps' == steps + left + right");
  builder.add_goal("steps <= 4");
  EXPECT_EQ(plan(builder.finished()).status, Status::infeasible);
  builder.clear_goals();
  EXPECT_EQ(plan(builder.finished()).cost, 0);
}

TEST(ProblemBuilder, RefusesAndChangesNothing) {
  ProblemBuilder builder = light();
  const Problem before = builder.problem();
  const auto error = [&](const auto& change) {
    const std::string message = input_error_of([&] { change(); });
    EXPECT_EQ(builder.problem(), before);
    return message;
  };
  EXPECT_EQ(error([&] { builder.add_constraint("lit + pres <= 1"); }),
            "unknown variable 'pres', did you mean 'press'? (in \"lit + pres <= 1\", column 7)");
  EXPECT_EQ(error([&] { builder.add_variable(Place::action, {"lit"}); }), "duplicate variable 'lit'");
  EXPECT_EQ(error([&] { builder.add_variable(Place::state, integer("n", 61)); }),
            "bad bits of 'n', expected an integer from 1 to 60");
  builder.add_variable(Place::auxiliary, {"n.1"});
  EXPECT_EQ(input_error_of([&] { builder.add_variable(Place::action, integer("n", 3)); }),
            "duplicate variable 'n.1'");
  builder.add_variable(Place::action, {"n"});  // the name was not taken by the integer that was refused
  EXPECT_EQ(input_error_of([&] {
              builder.set_initial("lit", {2, 0});
            }),
            "bad initial value for 'lit', expected true or false");
  EXPECT_EQ(input_error_of([&] {
              builder.set_initial("press", {1, 0});
            }),
            "initial value for 'press', which is not a state variable");
  EXPECT_EQ(input_error_of([&] { builder.set_horizon(0); }),
            "horizon 0 is out of range, expected 1 to 1000000");
  builder.add_variable(Place::state, {"open"});
  EXPECT_EQ(input_error_of([&] { builder.finished(); }).substr(0, 41),
            "nothing defines how state 'open' changes:");
  EXPECT_EQ(input_error_of([] { ProblemBuilder().finished(); }), "the problem has no state variables");
}

TEST(ProblemBuilder, TakesANetworkThatFits) {
  Network network;
  network.inputs = {"lit", "press"};
  network.outputs = {"lit'"};
  network.layers = {{{{{1, 1}, 1}}}};
  ProblemBuilder builder("light");
  builder.add_variable(Place::state, {"lit"});
  EXPECT_EQ(input_error_of([&] { builder.set_network(network, "n.bnn"); }),
            "network input 'press' is not a variable of the problem");
  EXPECT_FALSE(builder.problem().network);
  builder.add_variable(Place::action, {"press"});
  builder.set_network(network, "n.bnn");
  builder.add_goal("lit == 1");
  builder.set_horizon(2);
  EXPECT_EQ(plan(builder.finished()).status, Status::optimal);
  network.layers[0].neurons[0].weights = {1};
  EXPECT_EQ(input_error_of([&] { builder.set_network(network, "n.bnn"); }),
            "neuron 1 of layer 1 has 1 weights, expected 2");
  network.layers[0].neurons[0].weights = {1, 2};
  EXPECT_EQ(input_error_of([&] { require_well_formed(network); }),
            "neuron 1 of layer 1 has a weight other than -1, 0 and 1");
}

const std::string rddl_folder = BNNPLAN_SOURCE_DIR "/domains/";

TEST(Episode, IsTheSameForTheSameSeed) {
  Episode world(Simulator(rddl_folder + "navigation.rddl", rddl_folder + "navigation_3x3.rddl"), 5);
  const auto episode = [&] {
    std::vector<StateValues> states = {world.state()};
    ActionValues action;
    for (int step = 0; step < 10 && !world.ended() && world.draw_legal(action); ++step) {
      EXPECT_TRUE(world.domain().legal(world.state(), action));
      world.act(action);
      states.push_back(world.state());
    }
    return states;
  };
  const auto first = episode();
  world.restart(5);
  EXPECT_EQ(episode(), first);
  EXPECT_GT(first.size(), 3u);
  Episode moved = std::move(world);
  moved.restart(5);
  EXPECT_EQ(moved.state(), first.front());
  EXPECT_EQ(moved.broken_invariant(), "");
}

TEST(Replanner, PlansFromWhereverOneIs) {
  const Problem corridor = read_problem(testing::corridor);
  Replanner replanner(corridor, {});
  EXPECT_EQ(replanner.plan(corridor.initial, 7).cost, 5);
  const Outcome outcome = replanner.plan(corridor.initial, 5);
  EXPECT_EQ(outcome.cost, 5);
  // A step on, and one less to go.
  EXPECT_EQ(replanner.plan(outcome.plan->steps[0].state, 4).cost, 4);
  EXPECT_EQ(replanner.plan(outcome.plan->steps[0].state, 3).status, Status::infeasible);
  EXPECT_EQ(input_error_of([&] {
              replanner.plan({0, 1}, 3);
            }),
            "a state has one value per state bit of the problem");
}

}  // namespace
}  // namespace bnnplan
