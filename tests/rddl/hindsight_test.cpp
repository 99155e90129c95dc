// Several futures at once, and means.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/compile/futures.hpp"
#include "rddl/rddl_text.hpp"
#include "rddl/same_steps.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

using testing::input_error_of;
using testing::model_of;

// A machine that breaks now and then, more often when it runs.
GroundModel machine(std::string_view rest = "") {
  return model_of(
      fmt::format(
          "domain d {{ pvariables {{ up : {{ state-fluent, bool }}; wear : {{ state-fluent, int }};"
          " run : {{ action-fluent, bool }}; mend : {{ action-fluent, bool }}; }};"
          " cpfs {{ up' = mend | (up ^ Bernoulli(0.9 - 0.2 * run - 0.1 * wear));"
          " wear' = if (mend) then 0 else min[wear + run, 3]; }};"
          " action-preconditions {{ ~(run ^ mend); }};"
          " state-invariants {{ wear >= 0; wear <= 3; }}; reward = 2 * (run ^ up') - 0.5 * mend; {} }}",
          rest),
      "instance i { domain = d; init-state { up; }; horizon = 3; }");
}

TEST(Futures, StepsAsManyDomainsAtOnce) {
  const GroundModel model = machine();
  for (const std::string_view how : {"hindsight=1", "hindsight=2", "hindsight=4:7"}) {
    SCOPED_TRACE(how);
    CompileOptions options;
    options.determinization = parse_determinization(how);
    const GroundModel planned = planning_model(model, options.determinization);
    EXPECT_EQ(planned.state.size(), 2 * static_cast<std::size_t>(options.determinization.futures) + 1);
    Simulator simulator(planned);
    EXPECT_FALSE(simulator.is_random());
    const Problem problem = compile_problem(model, options);
    EXPECT_EQ(problem.longest, 3);
    testing::expect_same_steps(simulator, problem, options.determinization.futures == 4 ? 97 : 1);
  }
}

TEST(Futures, EachHasItsOwnLuckAtEachStep) {
  Determinization how = parse_determinization("hindsight=8:3");
  how.steps = 20;
  Simulator simulator(planning_model(machine(), how));
  ActionValues run = {1, 0};
  std::set<std::vector<bool>> courses;
  std::vector<std::vector<bool>> course(8);
  StateValues state = simulator.initial_state();
  for (int t = 0; t < 20; ++t) {
    for (std::size_t future = 0; future < 8; ++future) state[2 * future] = 1;  // mended by magic
    state = simulator.step(state, run);
    for (std::size_t future = 0; future < 8; ++future) course[future].push_back(state[2 * future] != 0);
  }
  int ups = 0;
  for (const auto& one : course) {
    courses.insert(one);
    ups += static_cast<int>(std::count(one.begin(), one.end(), true));
  }
  EXPECT_EQ(courses.size(), 8u);
  EXPECT_EQ(state.back(), 19) << "steps are counted, and stay at the last";
  // 0.9 - 0.2 - 0.1 min(t, 3): mostly 0.4 of 160; five deviations are 31.
  EXPECT_NEAR(ups, 0.7 * 8 + 0.6 * 8 + 0.5 * 8 + 0.4 * 8 * 17, 31);
}

TEST(Futures, AFutureThatIsOverStays) {
  const GroundModel model = machine("termination { ~up; };");
  Determinization how = parse_determinization("hindsight=2:5");
  const GroundModel planned = planning_model(model, how);
  EXPECT_FALSE(planned.termination);
  Simulator simulator(planned);
  // The first is over, with wear 2; the second continues.
  const StateValues next = simulator.step({0, 2, 1, 0, 0}, {1, 0});
  EXPECT_EQ(next[0], 0);
  EXPECT_EQ(next[1], 2);
  EXPECT_EQ(next[3], 1);
  EXPECT_EQ(simulator.reward({0, 2, 1, 0, 0}, {1, 0}, next), make_rational(next[2]));
  EXPECT_EQ(simulator.reward({0, 2, 0, 0, 0}, {0, 1}, {0, 2, 0, 0, 1}), Rational{});
}

TEST(Futures, BadTexts) {
  for (const std::string text : {"hindsight=", "hindsight=0", "hindsight=3", "hindsight=-2", "hindsight=2000",
                                 "hindsight=2:", "hindsight=2:x", "hindsight=2x", "hindsight=x"}) {
    EXPECT_EQ(input_error_of([&] { parse_determinization(text); }),
              "bad determinization '" + text +
                  "', expected hindsight=N or hindsight=N:SEED with N one of 1, 2, 4, 5, 8, 10, 16, 20, ... "
                  "(1/N is "
                  "a decimal number) up to 1000");
  }
  GroundModel model = machine();
  model.horizon = 0;
  EXPECT_NE(input_error_of([&] {
              planning_model(model, parse_determinization("hindsight=2"));
            }).find("hindsight needs a horizon"),
            std::string::npos);
}

TEST(Mean, OfEachDistribution) {
  const auto next = [](std::string_view how, std::string_view type, std::string_view distribution) {
    Simulator simulator(
        planning_model(model_of(fmt::format("domain d {{ pvariables {{ x : {{ state-fluent, {} }}; }}; cpfs "
                                            "{{ x' = {}; }}; reward = 0; }}",
                                            type, distribution),
                                "instance i { domain = d; }"),
                       parse_determinization(how)));
    const std::int64_t value = simulator.step(simulator.initial_state(), {})[0];
    return type == "real" ? real_of_value(value) : static_cast<double>(value);
  };
  EXPECT_EQ(next("mean", "bool", "Bernoulli(0.5)"), 1);
  EXPECT_EQ(next("mean", "bool", "Bernoulli(0.49)"), 0);
  EXPECT_EQ(next("mean", "int", "Poisson(2.6)"), 3);
  EXPECT_EQ(next("most-likely", "int", "Poisson(2.6)"), 2);
  EXPECT_EQ(next("mean", "int", "Binomial(10, 0.36)"), 4);
  EXPECT_EQ(next("mean", "int", "Geometric(0.4)"), 3);
  EXPECT_EQ(next("most-likely", "int", "Geometric(0.4)"), 1);
  EXPECT_EQ(next("mean", "int", "NegativeBinomial(3, 0.4)"), 5);
  EXPECT_EQ(next("most-likely", "int", "NegativeBinomial(3, 0.4)"), 3);
  EXPECT_EQ(next("mean", "real", "Normal(1.5, 4)"), 1.5);
  EXPECT_EQ(next("mean", "real", "Uniform(2, 5)"), 3.5);
  EXPECT_EQ(next("mean", "real", "Exponential(2)"), 2);
  EXPECT_EQ(next("mean", "real", "Gamma(3, 2)"), 6);
  EXPECT_NEAR(next("mean", "real", "Weibull(2, 3)"), 2.6586807763, 1e-9);
  EXPECT_EQ(next("mean", "real", "Laplace(1, 2)"), 1);
  EXPECT_NEAR(next("mean", "real", "Gumbel(1, 2)"), 2.1544313298, 1e-9);
  EXPECT_EQ(next("mean", "real", "Beta(2, 3)"), 0.4);
  EXPECT_EQ(next("mean", "real", "ChiSquare(5)"), 5);
  EXPECT_EQ(next("mean", "real", "Student(5)"), 0);
  EXPECT_EQ(next("mean", "real", "Pareto(5, 4)"), 1);
  EXPECT_NE(input_error_of([&] {
              next("mean", "real", "Cauchy(1, 2)");
            }).find("Cauchy cannot be determinized: it has no mean"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              next("mean", "real", "Gompertz(1, 2)");
            }).find("Gompertz cannot be determinized: its mean has no simple formula"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan::rddl
