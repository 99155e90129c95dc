// The neuron engine, measured in processor time on one thread.
//
//   propagation   one problem with layers as columns of vectors (AVX2 and portable) and as occurrence lists:
//   the
//                 same search, so propagations a second compare directly
//   published     the 45 published problems: time, conflicts, propagations a second; with a proof in addition
//   ladder        shift registers, whose states are all reachable and cheap: the search engine sees 2^bits
//                 states, this one does not; and random networks with many concurrent actions
//
//   neuron_bench [propagation|published|ladder]...      all of them if none is named
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cdcl/load_model.hpp"
#include "cdcl/optimise.hpp"
#include "engines/engine.hpp"
#include "engines/random_problem.hpp"
#include "model/unroll.hpp"
#include "problem/fd_sat_plan.hpp"
#include "support/published.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bnnplan;

double processor_seconds() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void propagation() {
  struct Setting {
    const char* name;
    SolverOptions options;
  };
  const std::vector<Setting> settings{{"columns, best kernels", {}},
                                      {"columns, portable", {.portable = true}},
                                      {"occurrence lists", {.dense = false}}};
  fmt::print("propagation\n{:<24} {:<24} {:>9} {:>10} {:>8} {:>8}\n", "network", "layers", "conflicts",
             "M literals", "CPU s", "M/s");
  for (const int width : {64, 128, 256}) {
    const Problem problem = testing::random_network_problem(
        5, {.state_bits = 24, .action_bits = 6, .goal_bits = 24, .horizon = 6, .hidden = {width, width}});
    const ZeroOneModel model = unroll(problem);
    for (const Setting& setting : settings) {
      LimitWatch watch{Limits{}};
      Solver solver(setting.options, watch);
      load_model(model, solver);
      const double before = processor_seconds();
      solver.solve({}, 3000);
      const double seconds = processor_seconds() - before;
      const double millions = static_cast<double>(solver.statistics().propagations) / 1e6;
      fmt::print("{:<24} {:<24} {:>9} {:>10.2f} {:>8.3f} {:>8.2f}\n", fmt::format("30:{0}:{0}:24", width),
                 setting.name, solver.statistics().conflicts, millions, seconds, millions / seconds);
    }
  }
}

std::int64_t count_of(const Outcome& outcome, std::string_view name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return std::get<std::int64_t>(value);
  }
  return 0;
}

struct Family {
  const char *domain, *instance;
  int first_horizon, last_horizon;
};

void published() {
  if (!testing::published_present()) return;
  const std::vector<Family> families{
      {"navigation", "3x3", 4, 10}, {"navigation", "4x4", 4, 10}, {"navigation", "5x5", 4, 10},
      {"inventory", "1", 5, 8},     {"inventory", "2", 5, 8},     {"sysadmin", "4", 2, 4},
      {"sysadmin", "5", 2, 4},      {"cellda", "x", 8, 12},       {"cellda", "y", 8, 12}};
  const testing::TemporaryFolder folder;
  fmt::print("\npublished\n{:<16} {:>3}  {:<10} {:>5} {:>9} {:>8} {:>8} {:>14} {:>14}\n", "problem", "H",
             "status", "cost", "conflicts", "CPU s", "M/s", "with proof, s", "search agrees");
  double total = 0, total_with_proof = 0;
  int count = 0, proved = 0, agreeing = 0;
  for (const Family& family : families) {
    Problem problem = read_fd_sat_plan(testing::published_folder(), family.domain, family.instance);
    for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
      set_horizon(problem, horizon);
      EngineRequest request;
      request.limits.seconds = 600;
      double before = processor_seconds();
      const Outcome outcome = find_engine("neuron")->run(problem, request);
      const double seconds = processor_seconds() - before;
      request.proof = (folder / "proof.pbp").string();
      before = processor_seconds();
      find_engine("neuron")->run(problem, request);
      const double with_proof = processor_seconds() - before;
      const Outcome other = find_engine("search")->run(problem, {});
      const bool agree = other.status == outcome.status && other.cost == outcome.cost;
      total += seconds;
      total_with_proof += with_proof;
      ++count;
      proved += outcome.status == Status::optimal || outcome.status == Status::infeasible ? 1 : 0;
      agreeing += agree ? 1 : 0;
      fmt::print("{:<16} {:>3}  {:<10} {:>5} {:>9} {:>8.3f} {:>8.2f} {:>14.3f} {:>14}\n", problem.name,
                 horizon, status_text(outcome.status), outcome.cost ? std::to_string(*outcome.cost) : "-",
                 count_of(outcome, "conflicts"), seconds,
                 static_cast<double>(count_of(outcome, "propagations")) / 1e6 / seconds, with_proof,
                 agree ? "yes" : "NO");
    }
  }
  fmt::print("{} of {} proved, {} agree with search; {:.2f} CPU s together, {:.2f} with proofs\n", proved,
             count, agreeing, total, total_with_proof);
}

void compare(const std::string& name, const Problem& problem) {
  EngineRequest request;
  request.limits.seconds = 60;
  request.limits.memory_bytes = std::size_t{2} << 30;
  std::string line = fmt::format("{:<34}", name);
  for (const char* engine : {"search", "neuron"}) {
    const double before = processor_seconds();
    const Outcome outcome = find_engine(engine)->run(problem, request);
    line += fmt::format("  {:<10} {:>5} {:>8.2f} {:<12}", status_text(outcome.status),
                        outcome.cost ? std::to_string(*outcome.cost) : "-", processor_seconds() - before,
                        stop_reason_text(outcome.stopped));
  }
  fmt::print("{}\n", line);
}

void ladder() {
  fmt::print("\nladder: 60 s, 2 GiB\n{:<34}  {:<38}  {}\n", "problem",
             "search: status, cost, CPU s, stopped by", "neuron");
  for (const int bits : {12, 16, 20, 24, 32, 48, 64, 128})
    compare(fmt::format("shift register, {} bits", bits), testing::shift_register_problem(bits, bits + 2));
  for (const int actions : {8, 12, 16, 24, 32}) {
    compare(
        fmt::format("random network, {} action bits", actions),
        testing::random_network_problem(
            7, {.state_bits = 24, .action_bits = actions, .goal_bits = 16, .horizon = 4, .hidden = {32}}));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> named(argv + 1, argv + argc);
  const auto wanted = [&](const char* part) {
    return named.empty() || std::find(named.begin(), named.end(), part) != named.end();
  };
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (wanted("propagation")) propagation();
  if (wanted("published")) published();
  if (wanted("ladder")) ladder();
  return 0;
}
