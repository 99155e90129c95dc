// Problems of random networks: neurons over the whole layer below, weights -1 and +1 by a fair coin, and
// thresholds at about half of the inputs, where a neuron is as often true as false and every input matters.
// There is no structure to find, so these are the hardest of their size for solvers that reason; solvers that
// enumerate pay for each bit.
//
// random: the network gives the next state from actions and state. The goal is what some actions, few of them
// true, make of a random first state, in `goals` of the bits: so there is a plan. Cost: the number of true
// actions.
//
// perturbation: one step, whose actions are the inputs of a network, and whose next state is its last hidden
// layer. The goal is that the sign of a sum over that layer differs from that of a random input; a changed
// input costs 1. With two classes this asks how near to an input a classifier errs. If the signs of the sum
// were random as well, its sign would often depend on one input. So three of four are what the input makes of
// their neuron: the network is sure of its class, as a trained one is.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/suite/ladder.hpp"

namespace bnnplan::suite {

namespace {

Layer random_layer(std::size_t inputs, std::size_t neurons, Random& random) {
  Layer layer;
  for (std::size_t i = 0; i < neurons; ++i) {
    Neuron neuron;
    for (std::size_t k = 0; k < inputs; ++k) neuron.weights.push_back(random.below(2) == 0 ? -1 : 1);
    // One of the four thresholds around the middle; with one or two inputs, never a constant.
    const auto middle = static_cast<std::int32_t>(inputs / 2);
    neuron.threshold = std::min(std::max(middle - 1 + static_cast<std::int32_t>(random.below(4)), 1),
                                static_cast<std::int32_t>(inputs));
    layer.neurons.push_back(std::move(neuron));
  }
  return layer;
}

// After the hidden layers, one layer with this many outputs, if any.
std::vector<Layer> random_layers(const LadderProblem& wanted, std::size_t inputs, std::size_t outputs,
                                 Random& random) {
  std::vector<Layer> layers;
  for (int l = 0; l < wanted.layers; ++l) {
    layers.push_back(random_layer(inputs, static_cast<std::size_t>(wanted.width), random));
    inputs = static_cast<std::size_t>(wanted.width);
  }
  if (outputs > 0) layers.push_back(random_layer(inputs, outputs, random));
  return layers;
}

VariableList booleans(char letter, std::size_t count) {
  VariableList list;
  for (std::size_t i = 0; i < count; ++i) list.add({.name = fmt::format("{}{}", letter, i)});
  return list;
}

BitValues random_bits(std::size_t count, Random& random) {
  BitValues bits;
  for (std::size_t i = 0; i < count; ++i) bits.push_back(static_cast<BitValue>(random.below(2)));
  return bits;
}

}  // namespace

Problem make_random_problem(const LadderProblem& wanted) {
  Random random(wanted.seed);
  const auto states = static_cast<std::size_t>(wanted.size),
             actions = static_cast<std::size_t>(wanted.actions);
  Problem problem;
  problem.horizon = wanted.horizon;
  problem.state = booleans('s', states);
  problem.action = booleans('a', actions);
  problem.initial = random_bits(states, random);
  Network network;
  for (std::size_t i = 0; i < actions; ++i) network.inputs.push_back(fmt::format("a{}", i));
  for (std::size_t i = 0; i < states; ++i) network.inputs.push_back(fmt::format("s{}", i));
  for (std::size_t i = 0; i < states; ++i) network.outputs.push_back(fmt::format("s{}'", i));
  network.layers = random_layers(wanted, actions + states, states, random);

  BitValues state = problem.initial;
  for (int t = 0; t < wanted.horizon; ++t) {
    BitValues inputs;
    for (std::size_t i = 0; i < actions; ++i) inputs.push_back(random.below(4) == 0 ? 1 : 0);
    inputs.insert(inputs.end(), state.begin(), state.end());
    state = evaluate_reference(network, inputs);
  }
  problem.network = std::move(network);
  connect_network(problem);
  const NameTable names(problem);
  std::vector<std::size_t> order(states);
  for (std::size_t i = 0; i < states; ++i) order[i] = i;
  shuffle(order, random);
  order.resize(static_cast<std::size_t>(wanted.goals));
  for (const std::size_t bit : order)
    problem.goal.push_back(parse_constraint(fmt::format("s{} == {}", bit, static_cast<int>(state[bit])),
                                            problem, names, Scope::goal));
  std::string cost = "a0";
  for (std::size_t i = 1; i < actions; ++i) cost += fmt::format(" + a{}", i);
  problem.objective = parse_objective(cost, false, problem, names);
  return problem;
}

Problem make_perturbation(const LadderProblem& wanted) {
  Random random(wanted.seed);
  const auto inputs = static_cast<std::size_t>(wanted.size), last = static_cast<std::size_t>(wanted.width);
  Problem problem;
  problem.horizon = 1;
  problem.state = booleans('y', last);
  problem.action = booleans('x', inputs);
  problem.initial.assign(last, 0);
  Network network;
  for (std::size_t i = 0; i < inputs; ++i) network.inputs.push_back(fmt::format("x{}", i));
  for (std::size_t i = 0; i < last; ++i) network.outputs.push_back(fmt::format("y{}'", i));
  network.layers = random_layers(wanted, inputs, 0, random);
  const BitValues input = random_bits(inputs, random);
  BitValues positive = evaluate_reference(network, input);
  // score = sum of v_i (2 y_i - 1); its class is whether it is at least 0.
  std::int64_t score = 0;
  for (BitValue& sign : positive) {
    const bool against = random.below(4) == 0;
    if (against) sign = static_cast<BitValue>(1 - sign);
    score += against ? -1 : 1;
  }
  problem.network = std::move(network);
  connect_network(problem);
  const NameTable names(problem);
  std::string sum;
  for (std::size_t i = 0; i < last; ++i)
    sum += fmt::format("{}y{}", positive[i] == 0 ? (i == 0 ? "-" : " - ") : (i == 0 ? "" : " + "), i);
  // sum of v_i y_i = (score + sum of v_i) / 2, where the sum of v_i is twice the positive ones minus all.
  const std::int64_t all =
      2 * std::count(positive.begin(), positive.end(), 1) - static_cast<std::int64_t>(last);
  const auto half_up = [](std::int64_t number) { return (number >= 0 ? number + 1 : number) / 2; };
  const std::int64_t least = half_up(all);  // of the sum, for a score of at least 0
  const std::string other_class =
      score >= 0 ? fmt::format("{} <= {}", sum, least - 1) : fmt::format("{} >= {}", sum, least);
  problem.goal.push_back(parse_constraint(other_class, problem, names, Scope::goal));
  std::string cost;
  for (std::size_t i = 0; i < inputs; ++i)
    cost += fmt::format("{}{}x{}", i == 0 ? "" : " + ", input[i] != 0 ? "~" : "", i);
  problem.objective = parse_objective(cost, false, problem, names);
  return problem;
}

}  // namespace bnnplan::suite
