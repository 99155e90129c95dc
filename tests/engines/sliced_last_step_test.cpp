// Last steps by bit-sliced inference: every pair that it finds or leaves out against the scalar reference,
// and whole searches with all of their last two steps sliced against dynamic programming.
#include "bnnplan/engines/search/sliced_last_step.hpp"

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/search/best_first.hpp"
#include "bnnplan/engines/search/layers.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/expression.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {

namespace {

using testing::random_network_problem;

// Which pairs have all bits of the goal, one by one.
std::set<std::pair<std::size_t, ActionId>> pairs_to_goal(const Problem& problem, const ActionTable& actions,
                                                         const std::vector<std::uint64_t>& states,
                                                         const ActionTable::ActionClass& of) {
  std::set<std::pair<std::size_t, ActionId>> pairs;
  const PackedProblem packed(problem);
  for (std::size_t state = 0; state < states.size(); ++state) {
    for (ActionId action = of.begin; action < of.end; ++action) {
      BitValues inputs;
      for (const Bit bit : problem.network_inputs) {
        const std::uint64_t word = bit.place == Place::action ? *actions.bits(action) : states[state];
        inputs.push_back(static_cast<BitValue>(word >> bit.index & 1));
      }
      const BitValues outputs = evaluate_reference(*problem.network, inputs);
      std::uint64_t next = 0;
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i] != 0) next |= std::uint64_t{1} << problem.network_outputs[i];
      }
      if (packed.goal.hold(&next)) pairs.insert({state, action});
    }
  }
  return pairs;
}

TEST(SlicedLastStep, FindsExactlyThePairsThatLeadToTheGoal) {
  std::size_t found_in_all = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<int> hidden = seed % 3 == 0 ? std::vector<int>{20} : std::vector<int>{20, 33};
    const Problem problem = random_network_problem(
        seed,
        {.state_bits = 14, .action_bits = 6, .goal_bits = static_cast<int>(seed % 5) + 1, .hidden = hidden});
    const PackedProblem packed(problem);
    LimitWatch watch({});
    ActionTable actions(packed, watch, seed);
    std::size_t classes = 0;
    while (actions.make_class(classes)) ++classes;
    ASSERT_GE(classes, 3u);
    const SlicedLastStep last_step(packed);
    ASSERT_TRUE(last_step.useful());
    std::mt19937_64 random(seed);
    const std::size_t counts[] = {1, 40, 65, 130};
    std::vector<std::uint64_t> states(counts[seed % 4]);
    for (std::uint64_t& state : states) state = random() & 0x3fff;
    std::vector<const std::uint64_t*> pointers;
    for (const std::uint64_t& state : states) pointers.push_back(&state);
    SlicedLastStep::Workspace workspace;
    for (std::size_t index = 0; index < classes; ++index) {
      const ActionTable::ActionClass& of = actions[index];
      std::set<std::pair<std::size_t, ActionId>> found;
      last_step.find(pointers, last_step.prepare(actions, of.begin, of.end), watch, workspace,
                     [&](std::size_t state, ActionId action) {
                       found.insert({state, action});
                     });
      ASSERT_EQ(found, pairs_to_goal(problem, actions, states, of));
      found_in_all += found.size();
    }
  }
  EXPECT_GE(found_in_all, 500u);
}

TEST(SlicedLastStep, GivesTheOutputsOfTheNetwork) {
  const Problem problem = random_network_problem(5, {.state_bits = 70, .action_bits = 5, .hidden = {40, 30}});
  const PackedProblem packed(problem);
  const SlicedLastStep last_step(packed);
  ASSERT_TRUE(last_step.useful());
  std::mt19937_64 random(1);
  const std::size_t words = packed.network->input_words(), output_words = packed.network->output_words();
  ASSERT_EQ(output_words, 2u);
  for (const std::size_t count : {1u, 64u, 200u, 512u}) {
    Words inputs(count * words), outputs(count * output_words), expected(count * output_words);
    for (std::uint64_t& word : inputs) word = random();
    SlicedLastStep::Workspace workspace;
    last_step.evaluate(inputs.data(), count, outputs.data(), workspace);
    Workspace packed_workspace;
    packed.network->evaluate(inputs.data(), count, expected.data(), packed_workspace);
    EXPECT_EQ(outputs, expected);
  }
}

TEST(SlicedLastStep, IsForStepsThatTheNetworkSaysAllOf) {
  const Problem base = random_network_problem(1, {.state_bits = 10, .action_bits = 4, .goal_bits = 2});
  EXPECT_TRUE(SlicedLastStep(PackedProblem(base)).useful());
  const NameTable names(base);
  Problem joint = base;
  joint.constraints.push_back(parse_constraint("a0 + s0 <= 1", joint, names, Scope::step));
  EXPECT_FALSE(SlicedLastStep(PackedProblem(joint)).useful());
  Problem no_goal = base;
  no_goal.goal.clear();
  EXPECT_FALSE(SlicedLastStep(PackedProblem(no_goal)).useful());
  Problem sums = base;  // two bits and a sum: too many pairs would have to be looked at again
  sums.goal.push_back(parse_constraint("s3 + s4 + s5 >= 2", sums, names, Scope::goal));
  EXPECT_FALSE(SlicedLastStep(PackedProblem(sums)).useful());
  Problem refused = base;
  testing::refuse_prefixes(refused, 1);
  EXPECT_FALSE(SlicedLastStep(PackedProblem(refused)).useful());
  const Problem one_layer = testing::shift_register_problem(5, 5);
  EXPECT_FALSE(SlicedLastStep(PackedProblem(one_layer)).useful());
}

TEST(SlicedLastStep, StopsAtALimit) {
  const Problem problem = random_network_problem(2, {.state_bits = 10, .action_bits = 4, .goal_bits = 2});
  const PackedProblem packed(problem);
  LimitWatch watch({});
  ActionTable actions(packed, watch, 0);
  ASSERT_TRUE(actions.make_class(0));
  const SlicedLastStep last_step(packed);
  const std::uint64_t state = 0;
  const std::uint64_t* const pointer = &state;
  SlicedLastStep::Workspace workspace;
  watch.stop(StopReason::time);
  const auto find = [&] {
    last_step.find({&pointer, 1}, last_step.prepare(actions, 0, 1), watch, workspace,
                   [](std::size_t, ActionId) {});
  };
  EXPECT_THROW(find(), LimitReached);
}

struct SearchesOf {
  bool sliced, feasible;
};

// A whole search with the last two steps of every node sliced, however few they are, and one that keeps all
// layers.
void expect_searches_agree(const Problem& problem, unsigned threads, SearchesOf& searches) {
  EngineRequest request;
  request.limits.threads = threads;
  SearchRun by_layers(problem, request), run(problem, request);
  run.edges_before_last_two = 0;
  ASSERT_TRUE(by_layers.begin() && run.begin());
  run.graph->set_least_slice_states(1);
  LayeredSearch layers(by_layers);
  LayeredSearch::Closing closing{1'000'000};
  ASSERT_EQ(layers.run(by_layers.initial_states(), closing), LayeredSearch::End::finished);
  const auto initial = run.initial_states();
  BestFirst search(run, false);
  for (const StateId state : initial) search.add_initial(state);
  ASSERT_EQ(search.run(~std::uint64_t{0}, ~std::size_t{0}), BestFirst::End::finished);
  ASSERT_EQ(search.has_path(), layers.has_path());
  searches = {run.estimate->empty() && run.graph->slices(), search.has_path()};
  if (!search.has_path()) return;
  ASSERT_EQ(search.best_extra_cost(), layers.best_extra_cost());
  const checking::PlanCheck check = checking::check_plan(problem, run.make_plan(search.best_path()));
  ASSERT_TRUE(check.accepted) << check.violation;
  ASSERT_EQ(check.cost, run.total_cost(search.best_extra_cost()));
}

TEST(SlicedLastStep, SearchesAgreeWithLayers) {
  int feasible = 0, sliced = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = random_network_problem(seed, {.state_bits = 9,
                                                    .action_bits = 4,
                                                    .goal_bits = static_cast<int>(seed % 4) + 3,
                                                    .horizon = static_cast<int>(seed % 3) + 2,
                                                    .hidden = {16, 16}});
    std::mt19937_64 random(seed);
    if (seed % 2 == 0) {  // states cost something: the cheapest way is not that of the cheapest actions
      for (std::uint32_t i = 0; i < problem.state.bit_count(); ++i) {
        const auto coefficient = static_cast<std::int64_t>(random() % 7) - 3;
        if (coefficient != 0) problem.objective.terms.push_back({coefficient, {Place::next, i}});
      }
    }
    if (seed % 5 == 0) {  // states between the steps that are not valid
      problem.constraints.push_back(
          parse_constraint("s0 + s1 + s2 + s3 + s4 <= 4", problem, NameTable(problem), Scope::step));
    }
    SearchesOf searches{};
    expect_searches_agree(problem, seed % 3 == 0 ? 2 : 1, searches);
    sliced += searches.sliced ? 1 : 0;
    feasible += searches.feasible ? 1 : 0;
  }
  EXPECT_GE(sliced, 33);
  EXPECT_GE(feasible, 10);
}

// Where actions have very many costs, a class has several of them, and the first way that is found need not
// be the cheapest.
TEST(SlicedLastStep, ClassesOfSeveralCosts) {
  int feasible = 0, sliced = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = random_network_problem(
        seed, {.state_bits = 9, .action_bits = 9, .goal_bits = 6, .horizon = 2, .hidden = {16, 16}});
    std::mt19937_64 random(seed);
    for (Term& term : problem.objective.terms)
      term.coefficient = 1000 + static_cast<std::int64_t>(random() % 100);
    SearchesOf searches{};
    expect_searches_agree(problem, 1, searches);
    sliced += searches.sliced ? 1 : 0;
    feasible += searches.feasible ? 1 : 0;
  }
  EXPECT_GE(sliced, 10);
  EXPECT_GE(feasible, 6);
}

}  // namespace

}  // namespace bnnplan::engines
