// The 45 published problems, each in a process of its own, on one core with one thread: status, cost, wall
// time of the whole process (reading, planning, checking, printing), and what it took. The targets: a proof
// for each, 0.1 s each (sysadmin 5: 0.5 s), 3 s together.
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sched.h>

#include "base/stopwatch.hpp"
#include "problem/fd_sat_plan.hpp"
#include "problem/problem_file.hpp"
#include "support/published.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bnnplan;

struct Family {
  const char *domain, *instance;
  int first_horizon, last_horizon;
  double most_seconds;
};

const std::vector<Family> families{
    {"navigation", "3x3", 4, 10, 0.1}, {"navigation", "4x4", 4, 10, 0.1}, {"navigation", "5x5", 4, 10, 0.1},
    {"inventory", "1", 5, 8, 0.1},     {"inventory", "2", 5, 8, 0.1},     {"sysadmin", "4", 2, 4, 0.1},
    {"sysadmin", "5", 2, 4, 0.5},      {"cellda", "x", 8, 12, 0.1},       {"cellda", "y", 8, 12, 0.1}};

}  // namespace

int main() {
  if (!testing::published_present()) {
    fmt::print("the published files are not at {} (set BNNPLAN_PUBLISHED)\n",
               testing::published_folder().string());
    return 0;
  }
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(0, &core);
  ::sched_setaffinity(0, sizeof core, &core);  // the children inherit it

  const testing::TemporaryFolder folder;
  fmt::print("{:<16} {:>3}  {:<10} {:>5} {:>8} {:>8} {:>8} {:>12}\n", "problem", "H", "status", "cost",
             "wall s", "engine s", "states", "evaluations");
  double total = 0;
  int solved = 0, late = 0, count = 0;
  for (const Family& family : families) {
    const auto file = folder / fmt::format("{}_{}.toml", family.domain, family.instance);
    Problem problem = read_fd_sat_plan(testing::published_folder(), family.domain, family.instance);
    problem.network_file = file.stem().string() + ".bnn";
    write_problem(file, problem);
    for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
      const Stopwatch stopwatch;
      const auto result = testing::run_program({BNNPLAN_PROGRAM, "plan", file.string(), "-H",
                                                std::to_string(horizon), "--threads", "1", "--json"});
      const double seconds = stopwatch.seconds();
      const auto json = nlohmann::json::parse(result.output);
      const auto& statistics = json["statistics"];
      fmt::print("{:<16} {:>3}  {:<10} {:>5} {:>8.4f} {:>8.4f} {:>8} {:>12}\n", problem.name, horizon,
                 json["status"].get<std::string>(), json["cost"].is_null() ? "-" : json["cost"].dump(),
                 seconds, json["seconds"].get<double>(), statistics["states"].dump(),
                 statistics["evaluations"].dump());
      total += seconds;
      ++count;
      solved += result.exit_code == 0 || result.exit_code == 20 ? 1 : 0;
      late += seconds > family.most_seconds ? 1 : 0;
    }
  }
  fmt::print("\n{} of {} proved, {:.2f} s together, {} over their time\n", solved, count, total, late);
  return solved == count ? 0 : 1;
}
