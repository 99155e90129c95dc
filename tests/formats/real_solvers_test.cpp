// The same optimum through every format, with real solvers: write the file, run the solver, read its answer,
// decode it, replay the plan. The solvers are packages that `make test` installs: a missing one is a failure.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "support/brute_force.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/solver_routes.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::formats {
namespace {

using testing::TemporaryFolder;
using Cost = std::optional<std::int64_t>;

class RealSolvers : public ::testing::Test {
 protected:
  Cost by(std::string_view route, const Problem& problem,
          const encoding::LoweringOptions& options = {}) const {
    return testing::cost_by_route(problem, testing::solver_route(route), folder_.path(), options);
  }
  bool by_cadical(const Problem& problem, std::int64_t bound) const {
    return testing::feasible_by_cadical(problem, bound, folder_.path());
  }

  void expect_through_clauses(const Problem& problem, Cost optimum) const {
    for (const char* route : {"clasp on the whole OPB", "clasp on classic WCNF", "clasp on WCNF"})
      EXPECT_EQ(by(route, problem), optimum) << route;
    if (!optimum) return;
    EXPECT_TRUE(by_cadical(problem, *optimum));
    EXPECT_FALSE(by_cadical(problem, *optimum - 1));
  }

  TemporaryFolder folder_;
};

Problem published(const std::string& domain, const std::string& instance, int horizon) {
  Problem problem = read_fd_sat_plan(testing::published_folder(), domain, instance);
  set_horizon(problem, horizon);
  return problem;
}

TEST_F(RealSolvers, Navigation3x3) {
  BNNPLAN_NEEDS_PUBLISHED();
  for (const int horizon : {4, 5, 6}) expect_through_clauses(published("navigation", "3x3", horizon), 4);
}

TEST_F(RealSolvers, Inventory1ThroughEveryFormat) {
  BNNPLAN_NEEDS_PUBLISHED();
  const Problem problem = published("inventory", "1", 5);
  expect_through_clauses(problem, 9);
  EXPECT_EQ(by("cbc on simplified LP", problem), 9);
  EXPECT_EQ(by("cbc on MPS", problem), 9);
  EXPECT_EQ(by("gecode on MiniZinc", problem), 9);
}

TEST_F(RealSolvers, Sysadmin4) {
  BNNPLAN_NEEDS_PUBLISHED();
  const Problem problem = published("sysadmin", "4", 2);
  EXPECT_EQ(by("clasp on OPB", problem), 0);
  EXPECT_EQ(by("clasp on classic WCNF", problem), 0);
  EXPECT_TRUE(by_cadical(problem, 0));
  EXPECT_FALSE(by_cadical(problem, -1));
}

// Where integer and constraint programming are too slow: they accept the file with a known plan fixed.
TEST_F(RealSolvers, LargerFilesAreAcceptedWithAPlanFixed) {
  BNNPLAN_NEEDS_PUBLISHED();
  Problem problem = published("navigation", "3x3", 4);
  // east, north, north, west as constraints on the objective's variables: the model with all actions given.
  model::ZeroOneModel model = model::unroll(problem);
  const std::map<int, std::uint32_t> taken{
      {1, 0}, {2, 1}, {3, 1}, {4, 3}};  // move-east, move-north, move-west
  for (int t = 1; t <= 4; ++t) {
    for (std::uint32_t bit = 0; bit < 4; ++bit) {
      model.rows.push_back(
          {{{{1, Lit::of(model.layout.action(t, bit), taken.at(t) != bit)}}, Comparison::at_least, 1},
           {model::PartKind::global, 0}});
    }
  }
  for (const char* name : {"cbc on LP", "cbc on MPS", "gecode on MiniZinc"})
    EXPECT_EQ(testing::cost_by_route(problem, model, testing::solver_route(name), folder_.path()), 4) << name;
}

TEST_F(RealSolvers, RandomProblemsThroughEveryFormat) {
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    const Problem problem = testing::random_problem(seed);
    const Cost optimum = testing::brute_force_cost(problem);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    expect_through_clauses(problem, optimum);
    EXPECT_EQ(by("clasp on OPB", problem), optimum);
    EXPECT_EQ(by("cbc on LP", problem), optimum);
    EXPECT_EQ(by("cbc on MPS", problem), optimum);
    EXPECT_EQ(by("gecode on MiniZinc", problem), optimum);
  }
}

TEST_F(RealSolvers, RandomProblemsThroughEveryEncoding) {
  for (std::uint64_t seed = 2000; seed < 2010; ++seed) {
    const Problem problem = testing::random_problem(seed);
    const Cost optimum = testing::brute_force_cost(problem);
    for (const encoding::NeuronEncodingInfo& info : encoding::neuron_encodings()) {
      encoding::LoweringOptions options;
      options.neurons.encoding = info.encoding;
      options.rows.cardinality = info.encoding;
      EXPECT_EQ(by("clasp on classic WCNF", problem, options), optimum)
          << "seed " << seed << ", " << info.name;
    }
  }
}

}  // namespace
}  // namespace bnnplan::formats
