// Random domains: what distributions give, what a simulation does with them, and how they are determinized.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/ground/draw.hpp"
#include "bnnplan/rddl/simulate/value_table.hpp"
#include "rddl/rddl_text.hpp"
#include "rddl/same_steps.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;
using testing::model_of;

struct Moments {
  Distribution distribution;
  double a, b, mean, variance;
};

TEST(Draw, MeansAndVariances) {
  using std::numbers::pi;
  const double euler = std::numbers::egamma;
  const Moments all[] = {{Distribution::bernoulli, 0.3, 0, 0.3, 0.21},
                         {Distribution::beta, 2, 3, 0.4, 0.04},
                         {Distribution::binomial, 10, 0.3, 3, 2.1},
                         {Distribution::binomial, 1000, 0.7, 700, 210},
                         {Distribution::chi_square, 5, 0, 5, 10},
                         {Distribution::exponential, 2, 0, 2, 4},
                         {Distribution::gamma, 3, 2, 6, 12},
                         {Distribution::gamma, 0.5, 2, 1, 2},
                         {Distribution::geometric, 0.25, 0, 4, 12},
                         {Distribution::gumbel, 1, 2, 1 + 2 * euler, pi * pi / 6 * 4},
                         {Distribution::kumaraswamy, 1, 1, 0.5, 1.0 / 12},
                         {Distribution::kumaraswamy, 1, 2, 1.0 / 3, 1.0 / 18},
                         {Distribution::laplace, 1, 2, 1, 8},
                         {Distribution::negative_binomial, 3, 0.4, 4.5, 11.25},
                         {Distribution::normal, 1, 4, 1, 4},
                         {Distribution::pareto, 5, 4, 1, 5.0 / 3},
                         {Distribution::poisson, 3, 0, 3, 3},
                         {Distribution::poisson, 400, 0, 400, 400},
                         {Distribution::student, 10, 0, 0, 1.25},
                         {Distribution::uniform, 2, 6, 4, 4.0 / 3},
                         {Distribution::weibull, 2, 3, 3 * std::sqrt(pi) / 2, 9 * (1 - pi / 4)}};
  for (const Moments& expected : all) {
    SimulationRandom random(7);
    constexpr int count = 200'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const double value = draw(expected.distribution, expected.a, expected.b, random);
      sum += value - expected.mean;
      squares += (value - expected.mean) * (value - expected.mean);
    }
    const std::string name(entry_of(expected.distribution).name);
    EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(expected.variance / count)) << name;
    EXPECT_NEAR(squares / count / expected.variance, 1, 0.05) << name;
  }
}

TEST(Draw, SharesBelowAPoint) {
  // The share of values below x, where there is a formula.
  const std::tuple<Distribution, double, double, double, double> all[] = {
      {Distribution::cauchy, 1, 2, 3, 0.75},
      {Distribution::gompertz, 0.5, 2, 0.6, 1 - std::exp(-0.5 * (std::exp(1.2) - 1))},
      {Distribution::kumaraswamy, 2, 3, 0.5, 1 - std::pow(1 - 0.25, 3)},
      {Distribution::laplace, 0, 1, -1, 0.5 * std::exp(-1)},
      {Distribution::pareto, 2, 3, 1, 1 - std::pow(1 + 1.0 / 3, -2)}};
  for (const auto& [distribution, a, b, x, share] : all) {
    SimulationRandom random(11);
    constexpr int count = 100'000;
    int below = 0;
    for (int i = 0; i < count; ++i) below += draw(distribution, a, b, random) < x ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(below) / count, share, 5 * 0.5 / std::sqrt(count))
        << entry_of(distribution).name;
  }
}

TEST(Draw, Objects) {
  SimulationRandom random(3);
  const double weights[] = {0.5, 0, 0.25, 0.25}, twice[] = {2, 2};
  int counts[4] = {0, 0, 0, 0};
  for (int i = 0; i < 40'000; ++i) ++counts[draw_index(weights, false, random)];
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[0], 20'000, 500);
  EXPECT_NEAR(counts[3], 10'000, 500);
  EXPECT_LT(draw_index(twice, true, random), 2u);
  EXPECT_THROW(draw_index(twice, false, random), DistributionError);
}

TEST(Draw, ParametersThatCannotBe) {
  SimulationRandom random(1);
  EXPECT_THROW(draw(Distribution::bernoulli, 1.5, 0, random), DistributionError);
  EXPECT_THROW(draw(Distribution::normal, 0, -1, random), DistributionError);
  EXPECT_THROW(draw(Distribution::uniform, 1, 0, random), DistributionError);
  EXPECT_THROW(draw(Distribution::binomial, 1.5, 0.5, random), DistributionError);
  EXPECT_THROW(draw(Distribution::gamma, 0, 1, random), DistributionError);
  EXPECT_THROW(draw(Distribution::geometric, 0, 0, random), DistributionError);
}

constexpr std::string_view weather =
    "domain d { types { sky : { @clear, @cloudy, @rain }; };"
    " pvariables { wet : { state-fluent, bool }; today : { state-fluent, sky, default = @clear };"
    " level : { state-fluent, real, default = 0.5 }; sees : { observ-fluent, bool };"
    " pump : { action-fluent, real, default = 0.0 }; };"
    " cpfs { today' = switch (today) { case @clear : Discrete(sky, @clear : 0.7, @cloudy : otherwise),"
    "   default : Discrete(sky, @clear : 0.25, @cloudy : 0.25, @rain : 0.5) };"
    "  wet' = if (today == @rain) then Bernoulli(0.9) else Bernoulli(0.25 * wet);"
    "  level' = max[0.0, level - pump + Normal(0.1, 0.01)]; sees = wet' ^ Bernoulli(0.5); };"
    " reward = level' - pump + Bernoulli(1.0);"
    " termination { level > 3; }; state-invariants { level <= 100; };"
    " action-preconditions { pump >= 0; pump <= level; }; }";

TEST(RandomDomain, TheSeedDecides) {
  Simulator simulator = testing::simulator_of(weather, "instance i { domain = d; discount = 0.9; }");
  EXPECT_TRUE(simulator.is_random());
  const auto lines = [&](std::uint64_t seed) {
    std::string text;
    ValueTable table(simulator.model(), [&](std::string_view line) { text += line; });
    Number reward;
    std::span<const std::int64_t> inner;
    ExploreOptions options;
    options.episodes = 5;
    options.steps = 20;
    options.seed = seed;
    options.details = [&](const Number& of_step, std::span<const std::int64_t> values) {
      reward = of_step;
      inner = values;
    };
    explore(simulator, make_known_ranges(simulator.model()), options,
            [&](const StateValues& state, const ActionValues& action, const StateValues& next) {
              EXPECT_LE(real_of_value(action[0]), real_of_value(state[2]));
              EXPECT_DOUBLE_EQ(reward.real, real_of_value(next[2]) - real_of_value(action[0]) + 1);
              table.add(state, action, next, inner, reward);
            });
    return text;
  };
  EXPECT_EQ(lines(1), lines(1));
  EXPECT_NE(lines(1), lines(2));
  EXPECT_EQ(lines(1).substr(0, lines(1).find('\n')), "wet,today,level,pump,wet',today',level',sees,reward");
}

TEST(RandomDomain, AfterTheEndNothingHappens) {
  Simulator simulator =
      testing::simulator_of(weather, "instance i { domain = d; init-state { level = 4.0; }; }");
  StateValues state = simulator.initial_state(), next;
  ActionValues action = {value_of_real(7)};
  EXPECT_TRUE(simulator.terminated(state));
  EXPECT_TRUE(simulator.legal(state, action));
  SimulationRandom random(1);
  simulator.step(state, action, next, &random);
  EXPECT_EQ(next, state);
  EXPECT_EQ(simulator.step_reward(&random), exact_number(0));
}

TEST(RandomDomain, WhatNeedsADeterministicOne) {
  Simulator simulator = testing::simulator_of(weather, "instance i { domain = d; }");
  EXPECT_EQ(input_error_of([&] {
              simulator.step(simulator.initial_state(), simulator.default_action());
            }).substr(0, 6),
            "d.rddl");
  EXPECT_NE(
      input_error_of([&] { compile_problem(simulator.model(), {}); }).find("planning needs determinize"),
      std::string::npos);
  EXPECT_NE(input_error_of([&] {
              CompileOptions options;
              options.determinization = parse_determinization("most-likely");
              compile_problem(simulator.model(), options);
            })
                .find("state-fluent 'level' is real: bits are for bool, int and enumerated types (compile "
                      "precision level=P plans with multiples of P;"),
            std::string::npos);
}

GroundModel coins(std::string_view probability) {
  return model_of(
      fmt::format("domain d {{ types {{ t : object; sky : {{ @clear, @cloudy, @rain }}; }};"
                  " pvariables {{ up(t) : {{ state-fluent, bool }}; today : {{ state-fluent, sky, default = "
                  "@clear }};"
                  " share(t) : {{ interm-fluent, real }}; seen : {{ observ-fluent, bool }};"
                  " flip(t) : {{ action-fluent, bool }}; }};"
                  " cpfs {{ share(?x) = (1 + (sum_{{?y : t}} up(?y))) / 4;"
                  " up'(?x) = if (flip(?x)) then Bernoulli({}) else up(?x); seen = Bernoulli(0.1);"
                  " today' = Discrete(sky, @clear : 0.2 * up(o1), @cloudy : 0.3, @rain : otherwise); }};"
                  " reward = (sum_{{?x : t}} up(?x)) - 0.5 * (today == @rain); }}",
                  probability),
      "instance i { domain = d; objects { t : { o1, o2, o3 }; }; }");
}

TEST(Determinize, StepsAsTheDeterminizedDomain) {
  for (const std::string_view how :
       {"most-likely", "mean", "threshold=0.25", "threshold=1", "sample=4", "sample=5"}) {
    for (const std::string_view probability :
         {"share(?x)", "0.5", "0.25 + 0.1 * share(?x)", "1 / (1 + exp[1 - up(o1)])"}) {
      SCOPED_TRACE(fmt::format("{} {}", how, probability));
      const GroundModel model = coins(probability);
      CompileOptions options;
      options.determinization = parse_determinization(how);
      EXPECT_EQ(determinization_text(options.determinization), how);
      Simulator simulator(planning_model(model, options.determinization));
      EXPECT_FALSE(simulator.is_random());
      for (const int bits : {5, 14}) {
        options.table_bits = bits;
        testing::expect_same_steps(simulator, compile_problem(model, options));
      }
    }
  }
}

TEST(Determinize, TakesWhatItSays) {
  const auto next = [](std::string_view how, std::string_view probability) {
    const GroundModel model = coins(probability);
    Simulator simulator(planning_model(model, parse_determinization(how)));
    ActionValues action = simulator.default_action();
    action[0] = 1;
    return simulator.step(simulator.initial_state(), action);
  };
  EXPECT_EQ(next("most-likely", "0.51")[0], 1);
  EXPECT_EQ(next("most-likely", "0.5")[0], 0);
  EXPECT_EQ(next("threshold=0.3", "0.3")[0], 1);
  EXPECT_EQ(next("threshold=0.3", "0.29")[0], 0);
  EXPECT_EQ(next("most-likely", "0.5")[3], 2);  // rain
  EXPECT_EQ(next("threshold=0.3", "0.5")[3], 1);
}

TEST(Determinize, BadTexts) {
  for (const std::string_view text : {"", "average", "mean=1", "threshold", "threshold=0", "threshold=1.5",
                                      "threshold=x", "sample", "sample=x", "most-likely=1"}) {
    EXPECT_NE(
        input_error_of([&] { parse_determinization(text); }).find("expected most-likely, mean, threshold=P"),
        std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace bnnplan::rddl
