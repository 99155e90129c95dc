// Symmetry: what is found is a symmetry by trying every step, nothing is found where there is none, and
// search that uses it agrees with brute force and with search that does not.
#include "bnnplan/engines/search/symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/best_first.hpp"
#include "bnnplan/engines/search/canonical_state.hpp"
#include "bnnplan/engines/search/layers.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/engines/search/symmetry_check.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"
#include "support/sanitized.hpp"

namespace bnnplan::engines {
namespace {

// A problem of several copies of the same thing, hidden by the order of its neurons and rows.
class SymmetricProblem {
 public:
  SymmetricProblem(std::uint64_t seed, int most_copies, bool large) : random_(seed * 7919 + 5) {
    copies_ = between(2, most_copies);
    state_ = copies_ <= 2 || large ? between(1, 2) : 1;
    action_ = between(0, 1);
    auxiliary_ = chance(25) ? 1 : 0;
    shared_ = chance(50) ? 1 : 0;
    learned_ = chance(50);
  }

  Problem make() {
    for (int c = 0; c < copies_; ++c) {
      add_variables(problem_.state, fmt::format("s{}", c), state_);
      add_variables(problem_.action, fmt::format("a{}", c), action_);
      add_variables(problem_.auxiliary, fmt::format("x{}", c), auxiliary_);
    }
    add_variables(problem_.state, "t", shared_);
    add_variables(problem_.action, "b", chance(50) || action_ == 0 ? 1 : 0);
    for (std::uint32_t i = 0; i < problem_.state.bit_count(); ++i) {
      problem_.initial.push_back(chance(80) ? static_cast<BitValue>(between(0, 1)) : unknown_bit);
    }
    problem_.horizon = between(1, 4);
    if (learned_) add_network();
    if (!learned_) add_transitions();
    add_shared_transition();
    for (int i = 0; i < auxiliary_; ++i) add_to_each(problem_.transitions, {{1, Place::auxiliary, i}}, 2, 0);
    if (chance(40)) add_to_each(problem_.constraints, {}, 2, between(0, 1));
    if (chance(60)) add_to_all(problem_.constraints, action_ > 0 ? Place::action : Place::state);
    if (chance(50)) {
      add_to_each(problem_.goal, {{1, Place::state, between(0, state_ - 1)}}, 0, 0);
    } else {
      add_to_all(problem_.goal, Place::state);
    }
    add_objective();
    std::shuffle(problem_.constraints.begin(), problem_.constraints.end(), random_);
    std::shuffle(problem_.transitions.begin(), problem_.transitions.end(), random_);
    validate(problem_);
    return std::move(problem_);
  }

 private:
  struct OwnTerm {
    std::int64_t coefficient;
    Place place;
    int index;  // in its copy
  };

  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

  static void add_variables(VariableList& list, const std::string& prefix, int count) {
    for (int i = 0; i < count; ++i) list.add({.name = fmt::format("{}_{}", prefix, i)});
  }
  int bits_of_copy(Place place) const {
    return place == Place::action ? action_ : place == Place::auxiliary ? auxiliary_ : state_;
  }
  Bit bit_of_copy(Place place, int copy, int index) const {
    return {place, static_cast<std::uint32_t>(copy * bits_of_copy(place) + index)};
  }
  static void add_row(std::vector<LinearConstraint>& rows, std::vector<Term> terms, Comparison comparison,
                      std::int64_t bound) {
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.bit < b.bit; });
    const auto last =
        std::unique(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.bit == b.bit; });
    terms.erase(last, terms.end());
    rows.push_back({terms, comparison, bound, {}});
  }

  // The same row for each copy: over the terms given and some random ones of the copy.
  void add_to_each(std::vector<LinearConstraint>& rows, std::vector<OwnTerm> terms, int more,
                   std::int64_t bound) {
    for (int i = 0; i < more; ++i) {
      const Place place = chance(30) && action_ > 0 ? Place::action : Place::state;
      terms.push_back({chance(50) ? 1 : -1, place, between(0, bits_of_copy(place) - 1)});
    }
    const bool with_shared = shared_ > 0 && more > 0 && chance(50);
    const Comparison comparison = chance(70) ? Comparison::at_least : Comparison::at_most;
    for (int c = 0; c < copies_; ++c) {
      std::vector<Term> row;
      for (const OwnTerm& term : terms)
        row.push_back({term.coefficient, bit_of_copy(term.place, c, term.index)});
      if (with_shared) row.push_back({1, shared_bit(Place::state)});
      add_row(rows, row, comparison, bound);
    }
  }

  // One row over all copies, with the same coefficients for each.
  void add_to_all(std::vector<LinearConstraint>& rows, Place place) {
    std::vector<Term> row;
    for (int i = 0; i < bits_of_copy(place); ++i) {
      const std::int64_t coefficient = between(1, 2);
      for (int c = 0; c < copies_; ++c) row.push_back({coefficient, bit_of_copy(place, c, i)});
    }
    const bool most = place == Place::action;
    add_row(rows, row, most ? Comparison::at_most : Comparison::at_least, between(1, copies_));
  }

  Bit shared_bit(Place place) const { return {place, problem_.state.bit_count() - 1}; }

  void add_transitions() {
    for (int i = 0; i < state_; ++i) {
      const Place source = chance(40) && action_ > 0 ? Place::action : Place::state;
      const int from = between(0, bits_of_copy(source) - 1);
      const int kind = between(0, 3);  // x' == y, x' == not y, x' >= y with a choice, x' <= y + z
      for (int c = 0; c < copies_; ++c) {
        const Bit next = bit_of_copy(Place::next, c, i), other = bit_of_copy(source, c, from);
        const Bit second = action_ > 0 ? bit_of_copy(Place::action, c, 0) : bit_of_copy(Place::state, c, 0);
        if (kind == 0) add_row(problem_.transitions, {{1, next}, {-1, other}}, Comparison::equal, 0);
        if (kind == 1) add_row(problem_.transitions, {{1, next}, {1, other}}, Comparison::equal, 1);
        if (kind == 2) add_row(problem_.transitions, {{1, next}, {-1, other}}, Comparison::at_least, 0);
        if (kind == 3) {
          add_row(problem_.transitions, {{1, next}, {-1, other}, {-1, second}}, Comparison::at_most, 0);
        }
      }
    }
  }

  void add_shared_transition() {
    if (shared_ == 0) return;
    std::vector<Term> row{{2, shared_bit(Place::next)}};
    for (int c = 0; c < copies_; ++c) row.push_back({-1, bit_of_copy(Place::state, c, 0)});
    add_row(problem_.transitions, row, Comparison::at_most, 0);
  }

  void add_objective() {
    for (const Place place : {Place::action, Place::next}) {
      for (int i = 0; i < bits_of_copy(place); ++i) {
        const std::int64_t coefficient = between(-1, 3);
        if (coefficient == 0) continue;
        for (int c = 0; c < copies_; ++c) {
          problem_.objective.terms.push_back({coefficient, bit_of_copy(place, c, i)});
        }
      }
    }
    std::sort(problem_.objective.terms.begin(), problem_.objective.terms.end(),
              [](const Term& a, const Term& b) { return a.bit < b.bit; });
  }

  // Every neuron of a copy sees its own copy in one way and all others in another.
  void add_network() {
    Network network;
    std::vector<int> inputs_of_copy;
    for (int c = 0; c < copies_; ++c) {
      for (int i = 0; i < action_; ++i) network.inputs.push_back(fmt::format("a{}_{}", c, i));
      for (int i = 0; i < state_; ++i) network.inputs.push_back(fmt::format("s{}_{}", c, i));
      for (int i = 0; i < state_; ++i) network.outputs.push_back(fmt::format("s{}_{}'", c, i));
    }
    std::vector<std::size_t> order(network.inputs.size());  // where a layer's input really stands
    std::iota(order.begin(), order.end(), 0);
    int width = action_ + state_;
    for (const int own : {between(2, 3), between(1, 3), state_}) {
      Layer layer;
      for (int h = 0; h < own; ++h) {
        std::vector<std::int8_t> to_own, to_others;
        for (int i = 0; i < width; ++i) {
          to_own.push_back(static_cast<std::int8_t>(chance(50) ? 1 : -1));
          to_others.push_back(static_cast<std::int8_t>(chance(60) ? 0 : chance(50) ? 1 : -1));
        }
        const int shift = between(-1, 1);
        for (int c = 0; c < copies_; ++c) {
          Neuron& neuron = layer.neurons.emplace_back();
          neuron.weights.resize(order.size());
          for (std::size_t i = 0; i < order.size(); ++i) {
            const auto kind = i % static_cast<std::size_t>(width);
            const bool is_own = i / static_cast<std::size_t>(width) == static_cast<std::size_t>(c);
            neuron.weights[order[i]] = is_own ? to_own[kind] : to_others[kind];
          }
          neuron.threshold = (fan_in(neuron.weights) + 1) / 2 + shift;
        }
      }
      // By copies again, then in any order, but for the outputs, which have names.
      std::vector<Neuron> by_copy;
      for (int c = 0; c < copies_; ++c) {
        for (int h = 0; h < own; ++h)
          by_copy.push_back(layer.neurons[static_cast<std::size_t>(h * copies_ + c)]);
      }
      order.resize(by_copy.size());
      std::iota(order.begin(), order.end(), 0);
      const bool last = network.layers.size() == 2;
      if (!last) std::shuffle(order.begin(), order.end(), random_);
      for (std::size_t i = 0; i < order.size(); ++i) layer.neurons[order[i]] = by_copy[i];
      network.layers.push_back(std::move(layer));
      width = own;
    }
    problem_.network = std::move(network);
    problem_.network_file = "random.bnn";
    connect_network(problem_);
  }

  std::mt19937_64 random_;
  int copies_, state_, action_, auxiliary_, shared_;
  bool learned_;
  Problem problem_;
};

// Changes one thing: a weight, a threshold, a coefficient, a bound, a cost.
void disturb(Problem& problem, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const auto disturb_row = [&](std::vector<LinearConstraint>& rows) {
    if (rows.empty()) return;
    LinearConstraint& row = rows[pick(rows.size())];
    if (row.terms.empty() || random() % 2 == 0) {
      ++row.bound;
    } else {
      row.terms[pick(row.terms.size())].coefficient += 3;
    }
  };
  switch (random() % 4) {
    case 0:
      if (!problem.objective.terms.empty()) {
        problem.objective.terms[pick(problem.objective.terms.size())].coefficient += 5;
      }
      break;
    case 1:
      disturb_row(problem.constraints);
      break;
    case 2:
      disturb_row(problem.goal);
      break;
    default:
      if (!problem.network) return disturb_row(problem.transitions);
      Layer& layer = problem.network->layers[pick(problem.network->layers.size())];
      Neuron& neuron = layer.neurons[pick(layer.neurons.size())];
      if (random() % 2 == 0) {
        ++neuron.threshold;
      } else {
        std::int8_t& weight = neuron.weights[pick(neuron.weights.size())];
        weight = static_cast<std::int8_t>(weight == 1 ? -1 : 1);
      }
  }
}

// Whether exchanging two blocks maps steps to steps of the same cost and goals to goals, by trying all.
bool is_semantic_symmetry(const Problem& problem, const BlockGroup::Block& a, const BlockGroup::Block& b) {
  const std::uint32_t actions = problem.action.bit_count(), states = problem.state.bit_count(),
                      auxiliaries = problem.auxiliary.bit_count();
  struct Step {
    BitValues action, state, auxiliary, next;
  };
  const auto exchange = [](BitValues values, const std::vector<std::uint32_t>& x,
                           const std::vector<std::uint32_t>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) std::swap(values[x[i]], values[y[i]]);
    return values;
  };
  const auto is_step = [&](const Step& step) {
    const StepValues values{step.action, step.state, step.auxiliary, step.next};
    for (const LinearConstraint& row : problem.constraints) {
      if (!holds(row, values)) return false;
    }
    for (const LinearConstraint& row : problem.transitions) {
      if (!holds(row, values)) return false;
    }
    if (!problem.network) return true;
    BitValues inputs;
    for (const Bit bit : problem.network_inputs) inputs.push_back(values[bit]);
    const auto outputs = evaluate_reference(*problem.network, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if ((outputs[i] != 0) != (step.next[problem.network_outputs[i]] != 0)) return false;
    }
    return true;
  };
  const auto is_goal = [&](const BitValues& state) {
    const StepValues values{{}, state, {}, {}};
    return std::all_of(problem.goal.begin(), problem.goal.end(),
                       [&](const LinearConstraint& row) { return holds(row, values); });
  };
  const auto cost_of = [&](const Step& step) {
    return evaluate(problem.objective.terms, {step.action, {}, {}, step.next});
  };
  const std::uint32_t count = actions + 2 * states + auxiliaries;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << count; ++code) {
    std::uint64_t rest = code;
    const auto take = [&](std::uint32_t size) {
      BitValues values(size);
      for (BitValue& value : values) {
        value = static_cast<BitValue>(rest & 1);
        rest >>= 1;
      }
      return values;
    };
    Step step{take(actions), take(states), take(auxiliaries), take(states)};
    const Step image{exchange(step.action, a.action, b.action), exchange(step.state, a.state, b.state),
                     exchange(step.auxiliary, a.auxiliary, b.auxiliary),
                     exchange(step.next, a.state, b.state)};
    if (is_step(step) != is_step(image) || is_goal(step.state) != is_goal(image.state)) return false;
    if (cost_of(step) != cost_of(image)) return false;
  }
  return true;
}

std::optional<std::int64_t> cost_by_search(const Problem& problem, bool symmetry, std::uint64_t seed) {
  EngineRequest request;
  request.limits.threads = seed % 4 == 0 ? 2 : 1;
  SearchRun run(problem, request);
  run.use_symmetry = symmetry;
  if (seed % 2 == 0) run.edges_before_last_two = 0;
  if (!run.begin()) return std::nullopt;
  const auto initial = run.initial_states();
  std::optional<Path> path;
  std::int64_t extra = 0;
  if (seed % 3 == 0) {
    LayeredSearch layers(run);
    LayeredSearch::Closing closing{1'000'000};
    EXPECT_EQ(layers.run(initial, closing), LayeredSearch::End::finished);
    if (layers.has_path()) path = layers.best_path();
    extra = layers.best_extra_cost();
  } else {
    BestFirst search(run, false);
    for (const StateId state : initial) search.add_initial(state);
    EXPECT_EQ(search.run(~std::uint64_t{0}, ~std::size_t{0}), BestFirst::End::finished);
    if (search.has_path()) path = search.best_path();
    extra = search.best_extra_cost();
  }
  if (!path) return std::nullopt;
  const checking::PlanCheck check = checking::check_plan(problem, run.make_plan(*path));
  EXPECT_TRUE(check.accepted) << check.violation;
  EXPECT_EQ(check.cost, run.total_cost(extra));
  return check.cost;
}

TEST(Symmetry, AgreesWithBruteForceOnCopies) {
  int symmetric = 0, with_network = 0, feasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::tries(std::uint64_t{800}); ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = SymmetricProblem(seed, 3, false).make();
    const std::vector<BlockGroup> groups = find_symmetry(problem);
    for (const BlockGroup& group : groups) {
      for (std::size_t i = 1; i < group.blocks.size(); ++i) {
        ASSERT_TRUE(is_semantic_symmetry(problem, group.blocks[0], group.blocks[i])) << problem_text(problem);
      }
    }
    symmetric += groups.empty() ? 0 : 1;
    with_network += !groups.empty() && problem.network ? 1 : 0;
    const auto expected = testing::brute_force_cost(problem);
    feasible += expected && !groups.empty() ? 1 : 0;
    ASSERT_EQ(cost_by_search(problem, true, seed), expected) << problem_text(problem);
    ASSERT_EQ(run_checked(*find_engine("search"), problem, {}).cost, expected) << problem_text(problem);
  }
  EXPECT_GE(symmetric, testing::tries(780));
  EXPECT_GE(with_network, testing::tries(300));
  EXPECT_GE(feasible, testing::tries(300));
}

TEST(Symmetry, NothingWrongIsFoundWhereOneThingDiffers) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= testing::tries(std::uint64_t{800}); ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = SymmetricProblem(seed, 3, false).make();
    disturb(problem, seed);
    const std::vector<BlockGroup> groups = find_symmetry(problem);
    lost += groups.empty() ? 1 : 0;
    for (const BlockGroup& group : groups) {
      for (std::size_t i = 1; i < group.blocks.size(); ++i) {
        ASSERT_TRUE(is_semantic_symmetry(problem, group.blocks[0], group.blocks[i])) << problem_text(problem);
      }
    }
    ASSERT_EQ(cost_by_search(problem, true, seed), testing::brute_force_cost(problem))
        << problem_text(problem);
  }
  EXPECT_GE(lost, testing::tries(200));
}

TEST(Symmetry, AgreesWithSearchWithoutItOnMoreCopies) {
  int with_plan = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = SymmetricProblem(seed, 6, true).make();
    set_horizon(problem, 2 + static_cast<std::int64_t>(seed % 9));
    const auto cost = cost_by_search(problem, false, seed);
    with_plan += cost ? 1 : 0;
    ASSERT_EQ(cost_by_search(problem, true, seed), cost) << problem_text(problem);
  }
  EXPECT_GE(with_plan, 50);
}

TEST(Symmetry, RandomProblemsAreSeldomSymmetricAndNeverWrongly) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed, {.most_state_bits = 4});
    for (const BlockGroup& group : find_symmetry(problem)) {
      ASSERT_TRUE(problem.refused.empty());
      for (std::size_t i = 1; i < group.blocks.size(); ++i) {
        ASSERT_TRUE(is_semantic_symmetry(problem, group.blocks[0], group.blocks[i])) << problem_text(problem);
      }
    }
  }
}

// Computers that all others depend on alike: any three of four that run keep a fourth running.
Problem office(const std::string& initial, const std::string& more = "") {
  return parse_problem(fmt::format(R"(horizon = 4
minimize = "r1 + r2 + r3 + r4"
goal = ["u1 + u2 + u3 + u4 >= 4"]
constraints = ["r1 + r2 + r3 + r4 <= 2" {1}]
transitions = ["u1' + r1 >= 1", "u2' == r2 + k2", "u3' == r3 + k3", "u4' == r4 + k4", "u1' == r1 + k1",
  "3 k1 <= u2 + u3 + u4", "3 k2 <= u1 + u3 + u4", "3 k3 <= u1 + u2 + u4", "3 k4 <= u1 + u2 + u3",
  "u2' + r2 >= 1", "u3' + r3 >= 1", "u4' + r4 >= 1"]
[action]
r1 = "bool"
r2 = "bool"
r3 = "bool"
r4 = "bool"
[state]
u1 = "bool"
u2 = "bool"
u3 = "bool"
u4 = "bool"
[auxiliary]
k1 = "bool"
k2 = "bool"
k3 = "bool"
k4 = "bool"
[initial]
{0}
)",
                                   initial, more),
                       "office.toml", ".");
}

TEST(Symmetry, FindsInterchangeableComputers) {
  const auto groups = find_symmetry(office("u1 = true"));
  ASSERT_EQ(groups.size(), 1u);
  ASSERT_EQ(groups[0].blocks.size(), 4u);
  for (const BlockGroup::Block& block : groups[0].blocks) {
    ASSERT_EQ(block.action.size(), 1u);
    ASSERT_EQ(block.state.size(), 1u);
    ASSERT_EQ(block.auxiliary.size(), 1u);
    EXPECT_EQ(block.action[0], block.state[0]);
    EXPECT_EQ(block.action[0], block.auxiliary[0]);
  }
}

TEST(Symmetry, OneRowMoreSetsAComputerApart) {
  const auto groups = find_symmetry(office("u1 = true", R"(, "r3 + u3 <= 1")"));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].blocks.size(), 3u);
  for (const BlockGroup::Block& block : groups[0].blocks) EXPECT_NE(block.state[0], 2u);
}

TEST(Symmetry, IsOffWhereThereAreRefusedPrefixes) {
  Problem problem = office("u1 = true\nu2 = false\nu3 = true\nu4 = false");
  EXPECT_FALSE(find_symmetry(problem).empty());
  problem.refused.push_back({problem.initial, {{1, 0, 0, 0}}});
  EXPECT_TRUE(find_symmetry(problem).empty());
}

TEST(Symmetry, IsOffWhereAProofIsWritten) {
  const Problem problem = office("u1 = true");
  for (const bool proof : {false, true}) {
    EngineRequest request;
    if (proof) request.proof = "never-written.pbp";
    SearchRun run(problem, request);
    ASSERT_TRUE(run.begin());
    EXPECT_EQ(run.symmetry.empty(), proof);
  }
}

TEST(Symmetry, NothingToFindIsNoError) {
  const Problem problem = parse_problem(R"(horizon = 1
transitions = ["x' == x"]
[state]
x = "bool")",
                                        "one.toml", ".");
  EXPECT_TRUE(find_symmetry(problem).empty());
}

// Two bits that change places at every step: waiting for any number of steps is free, but not in one state.
TEST(Symmetry, WaitsInStatesThatAreEachOthersImage) {
  for (int horizon = 1; horizon <= 30; ++horizon) {
    const Problem problem = parse_problem(fmt::format(R"(horizon = {}
minimize = "set_x + set_y"
goal = ["x + y >= 2"]
transitions = ["x' >= y", "y' >= x", "x' <= y + set_x", "y' <= x + set_y", "x' >= set_x", "y' >= set_y"]
[action]
set_x = "bool"
set_y = "bool"
[state]
x = "bool"
y = "bool"
[initial]
x = false
y = true
)",
                                                      horizon),
                                          "places.toml", ".");
    EXPECT_EQ(find_symmetry(problem).size(), 1u);
    const Outcome outcome = run_checked(*find_engine("search"), problem, {});
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, 1);
    EXPECT_EQ(cost_by_search(problem, true, 3), 1);
  }
}

TEST(Symmetry, AReflectionOfMoreBitsThanAWordHas) {
  const int cells = 75;
  Problem problem;
  problem.horizon = 4;
  problem.action.add({.name = "left"});
  problem.action.add({.name = "right"});
  for (int i = 0; i < 2 * cells; ++i) {
    problem.state.add({.name = fmt::format("s{}", i)});
    problem.initial.push_back(i == cells + 2 ? 1 : 0);
  }
  const auto row = [](std::vector<Term> terms, Comparison comparison, std::int64_t bound) {
    return LinearConstraint{std::move(terms), comparison, bound, {}};
  };
  // Two strips; `left` shifts the one and `right` the other, away from the middle; what leaves is gone.
  for (std::uint32_t i = 0; i < 2 * cells; ++i) {
    const bool first = i < cells;
    const std::uint32_t action = first ? 0 : 1;
    const Bit next{Place::next, i}, own{Place::state, i}, shift{Place::action, action};
    const std::uint32_t before = first ? i + 1 : i - 1;
    const bool edge = first ? i + 1 == cells : i == cells;
    problem.transitions.push_back(row({{1, next}, {-1, own}, {1, shift}}, Comparison::at_least, 0));
    problem.transitions.push_back(row({{1, next}, {-1, own}, {-1, shift}}, Comparison::at_most, 0));
    std::vector<Term> shifted{{1, next}, {-1, shift}}, not_more{{1, next}, {1, shift}};
    if (!edge) {
      shifted.push_back({-1, {Place::state, before}});
      not_more.push_back({-1, {Place::state, before}});
    }
    if (!edge) problem.transitions.push_back(row(shifted, Comparison::at_least, -1));
    problem.transitions.push_back(row(not_more, Comparison::at_most, 1));
  }
  std::vector<Term> goal{{1, {Place::state, cells - 1 - 5}}, {1, {Place::state, cells + 5}}};
  problem.goal.push_back(row(goal, Comparison::at_least, 1));
  problem.objective.terms = {{1, {Place::action, 0}}, {1, {Place::action, 1}}};
  for (LinearConstraint& each : problem.transitions) {
    std::sort(each.terms.begin(), each.terms.end(),
              [](const Term& a, const Term& b) { return a.bit < b.bit; });
  }
  validate(problem);
  const auto groups = find_symmetry(problem);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].blocks.size(), 2u);
  EXPECT_EQ(groups[0].blocks[0].state.size(), 75u);
  const Outcome outcome = run_checked(*find_engine("search"), problem, {});
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 3);
}

// Neurons that are there twice, constant or in another order do not hide a symmetry; a weight less destroys
// it.
TEST(SymmetryCheck, SeesThroughTheOrderOfNeurons) {
  Problem problem;
  problem.horizon = 1;
  for (const char* name : {"x", "y"}) {
    problem.state.add({.name = name});
    problem.initial.push_back(unknown_bit);
  }
  Network network{{"x", "y"}, {"x'", "y'"}, {}};
  network.layers.push_back({{{{1, 1}, 2}, {{-1, 1}, 2}, {{1, -1}, 2}, {{1, 1}, 2}, {{1, 1}, 0}}});
  // x' is (x and y) or (x and not y), with a neuron that is always 1; y' is the same with the other (x and
  // y).
  network.layers.push_back({{{{1, 0, 1, 0, 1}, 2}, {{0, 1, 0, 1, 0}, 1}}});
  problem.network = network;
  connect_network(problem);
  const SymmetryCheck check(problem);
  EXPECT_TRUE(check.is_symmetry({1, 0}));
  EXPECT_TRUE(check.is_symmetry({0, 1}));
  EXPECT_FALSE(check.is_symmetry({0, 0}));
  EXPECT_FALSE(check.is_symmetry({0, 1, 2}));
  problem.network->layers[1].neurons[1].threshold = 2;
  EXPECT_FALSE(SymmetryCheck(problem).is_symmetry({1, 0}));
}

// Bits: r1 to r4, u1 to u4, k1 to k4.
TEST(SymmetryCheck, LooksAtRowsGoalsAndCosts) {
  const BitPermutation first_two{1, 0, 2, 3, 5, 4, 6, 7, 9, 8, 10, 11};
  const Problem problem = office("u1 = true");
  EXPECT_TRUE(SymmetryCheck(problem).is_symmetry(first_two));
  EXPECT_FALSE(SymmetryCheck(problem).is_symmetry({0, 1, 2, 3, 5, 4, 6, 7, 9, 8, 10, 11}));  // and not r
  Problem other = problem;
  other.objective.terms[0].coefficient = 2;
  EXPECT_FALSE(SymmetryCheck(other).is_symmetry(first_two));
  other = problem;
  other.goal.push_back({{{1, {Place::state, 0}}}, Comparison::at_least, 1, {}});
  EXPECT_FALSE(SymmetryCheck(other).is_symmetry(first_two));
  other.goal.push_back({{{-1, {Place::state, 1}}}, Comparison::at_most, -1, {}});  // the same of u2
  EXPECT_TRUE(SymmetryCheck(other).is_symmetry(first_two));
  other.goal.back().comparison = Comparison::at_least;
  EXPECT_FALSE(SymmetryCheck(other).is_symmetry(first_two));
}

TEST(CanonicalStates, AreTheSameForEveryOrderOfBlocks) {
  const Problem problem = office("u1 = true");
  const PackedProblem packed(problem);
  const CanonicalStates canonical(packed, find_symmetry(problem));
  Words scratch;
  for (std::uint64_t state = 0; state < 16; ++state) {
    std::uint64_t made = state;
    CanonicalStates::Order order;
    canonical.make_canonical(&made, scratch, &order);
    EXPECT_EQ(__builtin_popcountll(made), __builtin_popcountll(state));
    EXPECT_TRUE(made == 0 || made == 8 || made == 12 || made == 14 || made == 15) << made;
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(made >> i & 1, state >> order[0][i] & 1);
    std::uint64_t again = made;
    canonical.make_canonical(&again, scratch);
    EXPECT_EQ(again, made);
  }
  const std::uint64_t two = 12, action = 6;
  EXPECT_EQ(canonical.equal_blocks(&two, scratch), 0b101u);
  EXPECT_EQ(canonical.descending_blocks(&action, scratch), 0b100u);
}

TEST(Symmetry, LeavesFewStatesOfComputersOfTheFrontier) {
  BNNPLAN_NEEDS_FRONTIER();
  const Problem problem = read_problem(testing::frontier_folder() / "sys_12.toml");
  const auto groups = find_symmetry(problem);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].blocks.size(), 12u);
  const Outcome outcome = run_checked(*find_engine("search"), problem, {});
  EXPECT_EQ(outcome.cost, 12);
  EXPECT_LT(std::get<std::int64_t>(outcome.statistics[0].second), 100);
}

}  // namespace
}  // namespace bnnplan::engines
