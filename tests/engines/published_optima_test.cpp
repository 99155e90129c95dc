// The published problems by all engines: the optima of the MaxSAT Evaluations, and sysadmin 5 with 4 steps,
// which was open there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "support/published.hpp"

namespace bnnplan::engines {
namespace {

class PublishedOptima : public ::testing::TestWithParam<Engine> {
 protected:
  static bool external() { return GetParam().name == "external"; }
  static bool by_clauses() { return external() || GetParam().name == "maxsat"; }
};

INSTANTIATE_TEST_SUITE_P(All, PublishedOptima,
                         ::testing::ValuesIn(all_engines().begin(), all_engines().end()),
                         [](const auto& info) { return std::string(info.param.name); });

struct Published {
  const char *domain, *instance;
  int horizon;
  int cost;  // -1: infeasible
};

TEST_P(PublishedOptima, AreFound) {
  BNNPLAN_NEEDS_PUBLISHED();
  for (const Published& known : std::vector<Published>{
           {"navigation", "3x3", 4, 4},  {"navigation", "3x3", 5, 4}, {"navigation", "3x3", 6, 4},
           {"navigation", "4x4", 4, -1}, {"navigation", "4x4", 5, 5}, {"navigation", "4x4", 7, 5},
           {"navigation", "5x5", 7, -1}, {"navigation", "5x5", 8, 8}, {"navigation", "5x5", 9, 8},
           {"navigation", "5x5", 10, 8}, {"sysadmin", "4", 2, 0},     {"sysadmin", "4", 3, 2},
           {"sysadmin", "4", 4, 3},      {"sysadmin", "5", 2, 0},     {"sysadmin", "5", 3, 3},
           {"sysadmin", "5", 4, 3},      {"inventory", "1", 5, 9},    {"inventory", "1", 6, 16},
           {"inventory", "1", 7, 18},    {"inventory", "2", 6, 10},   {"inventory", "2", 7, 15},
           {"inventory", "2", 8, 17},    {"cellda", "x", 8, -1},      {"cellda", "x", 10, 9},
           {"cellda", "y", 9, 6}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", known.domain, known.instance, known.horizon));
    const std::string instance = known.instance;
    if (by_clauses() && !(instance == "3x3" && known.horizon <= (external() ? 4 : 5)) && instance != "1")
      continue;
    if (external() && instance == "1" && known.horizon > 5) continue;  // bench/maxsat_bench has the others
    Problem problem = read_fd_sat_plan(testing::published_folder(), known.domain, known.instance);
    set_horizon(problem, known.horizon);
    EngineRequest request;
    if (external()) request.solver = BNNPLAN_PROGRAM " maxsat";  // a solver that is always there: our own
    const Outcome outcome = run_checked(GetParam(), problem, request);
    EXPECT_EQ(outcome.status, known.cost >= 0 ? Status::optimal : Status::infeasible);
    if (known.cost < 0) continue;
    EXPECT_EQ(outcome.cost, known.cost);
    EXPECT_EQ(outcome.lower_bound, known.cost);
  }
}

}  // namespace
}  // namespace bnnplan::engines
