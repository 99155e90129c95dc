// Plans of wrong models, repaired by the true domain: the cheapest action sequence that both allow, with the
// same state at every step.
#include "bnnplan/engines/repair.hpp"

#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/domain_judge.hpp"
#include "rddl/rddl_text.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::rddl {
namespace {

// Calls visit(plan) for every sequence of actions.
template <class Visit>
void for_all_plans(const Problem& problem, Visit visit) {
  const std::uint32_t bits = problem.action.bit_count() * static_cast<std::uint32_t>(problem.horizon);
  ASSERT_LE(bits, 16u);
  const BitValues open(problem.state.bit_count(), unknown_bit);
  for (std::uint32_t number = 0; number < 1u << bits; ++number) {
    Plan plan{open, {}, {}};
    std::uint32_t rest = number;
    for (int t = 0; t < problem.horizon; ++t) {
      PlanStep& step = plan.steps.emplace_back();
      step.state = open;
      step.auxiliary.assign(problem.auxiliary.bit_count(), unknown_bit);
      for (std::uint32_t b = 0; b < problem.action.bit_count(); ++b, rest >>= 1)
        step.action.push_back(rest & 1);
    }
    visit(plan);
  }
}

// Of all plans that the model allows and the domain too, with the same states.
std::optional<std::int64_t> cheapest(Simulator& truth, const Problem& problem) {
  std::optional<std::int64_t> best;
  for_all_plans(problem, [&](const Plan& plan) {
    const checking::PlanCheck check = checking::check_plan(problem, plan);
    if (!check.accepted || (best && check.cost >= *best)) return;
    const Replay replayed = replay(truth, problem, check.plan);
    if (replayed.violation.empty() && replayed.diverges == 0) best = check.cost;
  });
  return best;
}

struct Tally {
  int repaired = 0, refuted = 0, right = 0, steps = 0;
};

void expect_cheapest(Simulator& truth, Problem problem, Tally& tally) {
  const auto best = cheapest(truth, problem);
  DomainJudge judge(truth, problem);
  const engines::Outcome outcome =
      engines::run_repaired(*engines::find_engine("search"), problem, {}, std::ref(judge));
  ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible) << problem_text(problem);
  ASSERT_EQ(outcome.cost, best);
  if (outcome.plan) {
    const Replay replayed = replay(truth, problem, *outcome.plan);
    EXPECT_EQ(replayed.violation, "");
    EXPECT_EQ(replayed.diverges, 0);
    EXPECT_EQ(promise_text(problem, *outcome.cost, to_string(replayed.reward)), "") << "the same reward";
  }
  std::int64_t excluded = 0;
  for (const auto& [name, value] : outcome.statistics) {
    if (name == "refused_prefixes" || name == "refused_steps") excluded += std::get<std::int64_t>(value);
    if (name == "refused_steps") tally.steps += static_cast<int>(std::get<std::int64_t>(value));
  }
  ++(excluded == 0 ? tally.right : best ? tally.repaired : tally.refuted);
}

// Three lamps: `shift` moves the light on, `flip` switches the first; a legal action never does both.
const std::string lamp_domain = R"(
domain lamps {
  pvariables {
    a : { state-fluent, bool, default = false };
    b : { state-fluent, bool, default = false };
    c : { state-fluent, bool, default = false };
    shift : { action-fluent, bool, default = false };
    flip : { action-fluent, bool, default = false };
  };
  cpfs {
    a' = if (shift) then c else (a ^ ~flip) | (~a ^ flip);
    b' = if (shift) then a else b;
    c' = if (shift) then b else c;
  };
  reward = -2 * flip - shift;
  state-action-constraints { shift + flip <= 1; ~(a ^ b ^ c); };
  goal-state { c; };
})";
const std::string lamp_instance = "instance i { domain = lamps; init-state { ~a; }; horizon = 5; }";

// The same without a goal, and with a reward for being lit: whatever is done is legal, and the states decide.
std::string lamps_for_show() {
  std::string text = lamp_domain;
  const auto replace = [&](const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
  };
  replace("goal-state { c; };", "");
  replace("reward = -2 * flip - shift;", "reward = 4 * c' + 3 * b' - 2 * flip - shift;");
  return text;
}

void repair_random_networks(Simulator truth, const std::vector<std::string>& outputs, Tally& tally) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    CompileOptions options;
    options.network = testing::random_network(seed, {"shift", "flip", "a", "b", "c"}, {6}, outputs);
    options.network_file = "random.bnn";
    expect_cheapest(truth, compile_problem(truth.model(), options), tally);
  }
}

TEST(RepairInDomain, RandomNetworks) {
  Tally tally;
  repair_random_networks(testing::simulator_of(lamp_domain, lamp_instance), {"a'", "b'", "c'"}, tally);
  EXPECT_GT(tally.refuted, 5);
  EXPECT_GT(tally.steps, 20);
  tally = {};
  repair_random_networks(testing::simulator_of(lamps_for_show(), lamp_instance), {"b'"}, tally);
  EXPECT_GT(tally.repaired, 5);
  EXPECT_GT(tally.steps, 20);
}

TEST(RepairInDomain, TheTrueModelNeedsNone) {
  Simulator truth = testing::simulator_of(lamp_domain, lamp_instance);
  Tally tally;
  expect_cheapest(truth, compile_problem(truth.model(), {}), tally);
  EXPECT_EQ(tally.right, 1);
}

// A model that does not know the obstacles: the shortest ways lead through them.
TEST(RepairInDomain, ForgottenObstacles) {
  Simulator truth = testing::shipped("navigation_3x3");
  Simulator wrong(
      ground(link_rddl(read_rddl(testing::domain_file("navigation.rddl")), parse_rddl(R"(
    non-fluents n { domain = navigation; objects { xpos : {x1, x2, x3}; ypos : {y1, y2, y3}; };
      non-fluents { RIGHT-OF(x1, x2); RIGHT-OF(x2, x3); ABOVE(y1, y2); ABOVE(y2, y3); }; }
    instance i { domain = navigation; non-fluents = n; init-state { robot-at(x2, y1); };
      goal-state { robot-at(x2, y3); }; horizon = 4; })",
                                                                                      "wrong.rddl"))));
  Problem problem = compile_problem(wrong.model(), {});
  Problem shorter = problem;
  const engines::Outcome before = engines::find_engine("search")->run(problem, {});
  EXPECT_EQ(before.cost, 2);
  int first_move = 1;
  while (before.plan->steps[static_cast<std::size_t>(first_move - 1)].action == BitValues(4, 0)) ++first_move;
  EXPECT_EQ(replay(truth, problem, *before.plan).diverges, first_move) << "up, into an obstacle";
  EXPECT_EQ(cheapest(truth, problem), 4);
  DomainJudge judge(truth, problem);
  const engines::Outcome after =
      engines::run_repaired(*engines::find_engine("search"), problem, {}, std::ref(judge));
  EXPECT_EQ(after.status, Status::optimal);
  EXPECT_EQ(after.cost, 4);
  // Every first action but left is hopeless with three steps left, and left goes straight on.
  EXPECT_LE(problem.refused.size(), 8u);
  for (const RefusedPrefix& prefix : problem.refused) EXPECT_LE(prefix.actions.size(), 3u);

  // Three steps are enough for the model alone.
  set_horizon(shorter, 3);
  EXPECT_EQ(engines::run_repaired(*engines::find_engine("search"), shorter, {}, std::ref(judge)).status,
            Status::infeasible);
  ASSERT_EQ(shorter.refused.size(), 1u);
  EXPECT_TRUE(shorter.refused[0].actions.empty()) << "the initial state itself is hopeless";
}

TEST(DomainJudge, KnowsWhatIsHopeless) {
  Simulator truth = testing::shipped("navigation_3x3");
  const Problem problem = compile_variables(truth.model(), {});
  DomainJudge judge(truth, problem);
  const StateValues start = truth.initial_state();
  for (int steps = 0; steps <= 101; ++steps) {
    // From a hundred steps on it does not look.
    EXPECT_EQ(judge.hopeless(start, steps), steps < 4) << steps;
  }
  // Unbounded integers: nothing can be enumerated, and nothing is called hopeless.
  Simulator unbounded = testing::simulator_of(
      "domain d { pvariables { n : { state-fluent, int, default = 0 }; go : { action-fluent, int, default = "
      "0 }; };"
      " cpfs { n' = n + go; }; goal-state { n == -1; }; }",
      "instance i { domain = d; init-state { n = 0; }; }");
  Problem integers = compile_variables(unbounded.model(), {{"n", 3}, {"go", 2}});
  integers.horizon = 1;
  DomainJudge patient(unbounded, integers);
  EXPECT_FALSE(patient.hopeless({0}, 1));
  EXPECT_TRUE(patient(Plan{{0, 0, 0}, {{{1, 0}, {}, {1, 0, 0}}}, {}}));
}

}  // namespace
}  // namespace bnnplan::rddl
