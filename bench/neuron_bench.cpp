// The neuron engine, measured in processor time on one thread.
//
//   propagation   one problem with layers as columns of vectors (AVX2 and portable) and as occurrence lists:
//                 the same search, so propagations per second compare directly
//   published     the 45 published problems: time, conflicts, propagations per second; the same with a proof;
//                 and whether the search engine agrees
//   ablation      the 45 problems again with one technique changed at a time
//   ladder        growing sizes and horizons against the search engine: registers whose states are all
//                 reachable and cheap, networks with many concurrent actions, rings in which any set of cells
//                 may be lit
//   solvers       the 45 problems by clasp, with its default and with --opt-strategy=usc, on our OPB; a
//                 solver stopped at its limit of processor time (--cap S, 60 by default) counts with all
//                 of it
//
//   neuron_bench [propagation|published|ablation|ladder|solvers]... [--cap S]
//
// Without arguments, all but the last. --cap is also the limit of the ladder; ablation has 20 and 5 s per
// problem.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bnnplan/cdcl/load_model.hpp"
#include "bnnplan/cdcl/optimise.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "processor_seconds.hpp"
#include "published_families.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bnnplan;
using bench::processor_seconds;

double cap_seconds = 60;

// Calls visit(family name, problem) for each of the 45.
void for_each_published(const std::function<void(const std::string& family, const Problem& problem)>& visit) {
  if (!testing::published_present()) {
    fmt::print("the published files are not at {} (set BNNPLAN_PUBLISHED)\n",
               testing::published_folder().string());
    return;
  }
  for (const bench::PublishedFamily& family : bench::published_families) {
    Problem problem = read_fd_sat_plan(testing::published_folder(), family.domain, family.instance);
    for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
      set_horizon(problem, horizon);
      visit(fmt::format("{} {}", family.domain, family.instance), problem);
    }
  }
}

bool is_proof(const engines::Outcome& outcome) {
  return outcome.status == Status::optimal || outcome.status == Status::infeasible;
}

std::string cost_text(const std::optional<std::int64_t>& cost) { return cost ? std::to_string(*cost) : "-"; }

void propagation() {
  struct Setting {
    const char* name;
    cdcl::SolverOptions options;
  };
  const std::vector<Setting> settings{{"columns, best kernels", {}},
                                      {"columns, portable", {.instructions = InstructionSet::portable}},
                                      {"occurrence lists", {.dense = false}}};
  fmt::print("propagation\n{:<24} {:<24} {:>9} {:>10} {:>8} {:>8}\n", "network", "layers", "conflicts",
             "M literals", "CPU s", "M/s");
  for (const int width : {64, 128, 256}) {
    const Problem problem = testing::random_network_problem(
        5, {.state_bits = 24, .action_bits = 6, .goal_bits = 24, .horizon = 6, .hidden = {width, width}});
    const model::ZeroOneModel model = model::unroll(problem);
    for (const Setting& setting : settings) {
      LimitWatch watch{Limits{}};
      cdcl::Solver solver(setting.options, watch);
      cdcl::load_model(model, solver);
      const double before = processor_seconds();
      solver.solve({}, 3000);
      const double seconds = processor_seconds() - before;
      const double millions = static_cast<double>(solver.statistics().propagations) / 1e6;
      fmt::print("{:<24} {:<24} {:>9} {:>10.2f} {:>8.3f} {:>8.2f}\n", fmt::format("30:{0}:{0}:24", width),
                 setting.name, solver.statistics().conflicts, millions, seconds, millions / seconds);
    }
  }
}

std::int64_t count_of(const engines::Outcome& outcome, std::string_view name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return std::get<std::int64_t>(value);
  }
  return 0;
}

void published() {
  const testing::TemporaryFolder folder;
  fmt::print("\npublished\n{:<16} {:>3}  {:<10} {:>5} {:>9} {:>8} {:>8} {:>14} {:>14}\n", "problem", "H",
             "status", "cost", "conflicts", "CPU s", "M/s", "with proof, s", "search agrees");
  double total = 0, total_with_proof = 0;
  int count = 0, proved = 0, agreeing = 0;
  std::map<std::string, double> by_family;
  for_each_published([&](const std::string& family, const Problem& problem) {
    engines::EngineRequest request;
    request.limits.seconds = 600;
    double before = processor_seconds();
    const engines::Outcome outcome = engines::find_engine("neuron")->run(problem, request);
    const double seconds = processor_seconds() - before;
    request.proof = (folder / "proof.pbp").string();
    before = processor_seconds();
    engines::find_engine("neuron")->run(problem, request);
    const double with_proof = processor_seconds() - before;
    const engines::Outcome other = engines::find_engine("search")->run(problem, {});
    const bool agree = other.status == outcome.status && other.cost == outcome.cost;
    total += seconds;
    total_with_proof += with_proof;
    by_family[family] += seconds;
    ++count;
    proved += is_proof(outcome) ? 1 : 0;
    agreeing += agree ? 1 : 0;
    fmt::print("{:<16} {:>3}  {:<10} {:>5} {:>9} {:>8.3f} {:>8.2f} {:>14.3f} {:>14}\n", family,
               problem.horizon, status_text(outcome.status), cost_text(outcome.cost),
               count_of(outcome, "conflicts"), seconds,
               static_cast<double>(count_of(outcome, "propagations")) / 1e6 / seconds, with_proof,
               agree ? "yes" : "NO");
  });
  for (const auto& [family, seconds] : by_family) fmt::print("{:<16} {:>8.3f}\n", family, seconds);
  fmt::print("{} of {} proved, {} agree with search; {:.2f} CPU s together, {:.2f} with proofs\n", proved,
             count, agreeing, total, total_with_proof);
}

void ablation() {
  struct Setting {
    const char* name;
    cdcl::SolverOptions solver;  // of improving search
    cdcl::OptimiseOptions optimise;
    bool improving = true, cores = true;
  };
  const std::vector<Setting> settings{
      {"as it is", {}, {}},
      {"order: activity, as for cores", {.cores = true}, {}},
      {"cost: improving only", {}, {}, true, false},
      {"cost: cores only", {}, {}, false, true},
      {"cost: a row, not along time", {}, {.along_time = false}},
      {"cost: no cores at the start", {}, {.first_cores = 0}},
      {"cost: 50 conflicts a core first", {}, {.first_cores = 50}},
      {"cost: 200 conflicts a core first", {}, {.first_cores = 200}},
      {"cost: turns from 20,000 conflicts", {}, {.first_turn = 20'000}},
      {"layers: portable kernels", {.instructions = InstructionSet::portable}, {}},
      {"layers: occurrence lists", {.dense = false}, {}},
  };
  std::vector<Problem> published, others;
  for_each_published([&](const std::string&, const Problem& problem) { published.push_back(problem); });
  for (const int bits : {16, 64}) others.push_back(testing::shift_register_problem(bits, bits + 2));
  for (const int cells : {14, 26, 48}) others.push_back(testing::ring_problem(cells, 3));
  for (const int horizon : {2, 4, 6}) others.push_back(testing::ring_problem(40, horizon));
  for (const std::vector<Problem>* problems : {&published, &others}) {
    const bool counting = problems == &others;
    const double most_seconds = counting ? 5 : 10;
    fmt::print("\nablation: {} problems ({}), {} s each\n{:<34} {:>6} {:>8} {:>10} {:>8} {:>9}\n",
               problems->size(), counting ? "registers and rings" : "published", most_seconds, "setting",
               "proved", "CPU s", "conflicts", "M/s", "literals");
    for (const Setting& setting : settings) {
      const std::string_view name = setting.name;
      if (counting && name != "as it is" && !name.starts_with("cost:")) continue;
      double total = 0;
      int proved = 0;
      std::uint64_t conflicts = 0, propagations = 0, literals = 0;
      for (const Problem& problem : *problems) {
        Limits limits;
        limits.seconds = most_seconds;
        const double before = processor_seconds();
        LimitWatch watch(limits);
        cdcl::Solver improving(setting.solver, watch), cores(cdcl::SolverOptions{.cores = true}, watch);
        const model::ZeroOneModel model = model::unroll(problem);
        if (setting.improving) cdcl::load_model(model, improving);
        if (setting.cores) cdcl::load_model(model, cores);
        const cdcl::OptimiseSolvers solvers{setting.improving ? &improving : nullptr,
                                            setting.cores ? &cores : nullptr};
        const cdcl::OptimiseEnd end = optimise(solvers, model.objective, setting.optimise, {}, watch);
        total += processor_seconds() - before;
        proved += end == cdcl::OptimiseEnd::finished ? 1 : 0;
        cdcl::SolverStatistics statistics = improving.statistics();
        statistics += cores.statistics();
        conflicts += statistics.conflicts;
        propagations += statistics.propagations;
        literals += statistics.learned_literals;
      }
      fmt::print("{:<34} {:>6} {:>8.2f} {:>10} {:>8.2f} {:>9.1f}\n", setting.name, proved, total, conflicts,
                 static_cast<double>(propagations) / 1e6 / total,
                 static_cast<double>(literals) / static_cast<double>(std::max<std::uint64_t>(1, conflicts)));
    }
  }
}

void compare(const std::string& name, const Problem& problem) {
  engines::EngineRequest request;
  request.limits.seconds = cap_seconds;
  request.limits.memory_bytes = std::size_t{2} << 30;
  std::string line = fmt::format("{:<34}", name);
  for (const char* engine : {"search", "neuron", "maxsat"}) {
    const double before = processor_seconds();
    const engines::Outcome outcome = engines::find_engine(engine)->run(problem, request);
    line +=
        fmt::format("  {:<10} {:>5} {:>8.2f} {:<12}", status_text(outcome.status), cost_text(outcome.cost),
                    processor_seconds() - before, stop_reason_text(outcome.stopped));
  }
  fmt::print("{}\n", line);
}

void ladder() {
  fmt::print("\nladder: {} s, 2 GiB; status, cost, CPU s, stopped by\n{:<34}  {:<38}  {:<38}  {}\n",
             cap_seconds, "problem", "search", "neuron", "maxsat");
  for (const int bits : {12, 16, 20, 24, 32, 64, 128, 256})
    compare(fmt::format("shift register, {} bits", bits), testing::shift_register_problem(bits, bits + 2));
  for (const int actions : {8, 16, 32}) {
    compare(
        fmt::format("random network, {} action bits", actions),
        testing::random_network_problem(
            7, {.state_bits = 24, .action_bits = actions, .goal_bits = 16, .horizon = 4, .hidden = {32}}));
  }
  for (const int cells : {8, 16, 24, 32, 48, 64, 128})
    compare(fmt::format("ring of {} cells, 3 steps", cells), testing::ring_problem(cells, 3));
  for (const int horizon : {2, 4, 6, 8, 12, 16})
    compare(fmt::format("ring of 40 cells, {} steps", horizon), testing::ring_problem(40, horizon));
}

void solvers() {
  const testing::TemporaryFolder folder;
  const std::vector<std::string> commands{"clasp", "clasp --opt-strategy=usc"};
  std::vector<double> totals(commands.size() + 1);
  std::vector<int> proved(commands.size() + 1);
  std::map<std::string, std::vector<double>> by_family;
  fmt::print("\nsolvers: {} s of processor time each\n{:<16} {:>3} {:>10}", cap_seconds, "problem", "H",
             "neuron");
  for (const std::string& command : commands) fmt::print(" {:>26}", command);
  fmt::print("\n");
  for_each_published([&](const std::string& family, const Problem& problem) {
    std::vector<double>& sums = by_family[family];
    sums.resize(totals.size());
    engines::EngineRequest request;
    request.limits.seconds = 600;
    double before = processor_seconds();
    const engines::Outcome outcome = engines::find_engine("neuron")->run(problem, request);
    double seconds = processor_seconds() - before;
    std::string line = fmt::format("{:<16} {:>3} {:>10.3f}", family, problem.horizon, seconds);
    totals[0] += seconds;
    sums[0] += seconds;
    proved[0] += is_proof(outcome) ? 1 : 0;
    const std::string file = (folder / "model.opb").string();
    {
      OutputFile out(file);
      formats::write_opb(model::unroll(problem), out);
      out.commit();
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
      before = processor_seconds(RUSAGE_CHILDREN);
      const auto answer = testing::run_program(
          {"sh", "-c",
           fmt::format("ulimit -t {}; exec {} {}", static_cast<int>(cap_seconds), commands[i], file)});
      seconds = processor_seconds(RUSAGE_CHILDREN) - before;
      const bool done = answer.output.find("s OPTIMUM FOUND") != std::string::npos ||
                        answer.output.find("s UNSATISFIABLE") != std::string::npos;
      if (!done) seconds = cap_seconds;
      totals[i + 1] += seconds;
      sums[i + 1] += seconds;
      proved[i + 1] += done ? 1 : 0;
      line += fmt::format(" {:>26}", fmt::format("{}{:.3f}", done ? "" : "> ", seconds));
    }
    fmt::print("{}\n", line);
  });
  for (const auto& [family, sums] : by_family) {
    fmt::print("{:<20}", family);
    for (const double sum : sums) fmt::print(" {:>10.3f}", sum);
    fmt::print("\n");
  }
  for (std::size_t i = 0; i < totals.size(); ++i)
    fmt::print("{}: {} proved, {:.2f} s\n", i == 0 ? "neuron" : commands[i - 1], proved[i], totals[i]);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> named;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--cap" && i + 1 < argc) {
      cap_seconds = std::stod(argv[++i]);
    } else {
      named.emplace_back(argv[i]);
    }
  }
  const auto wanted = [&](const char* part, bool unnamed = true) {
    return named.empty() ? unnamed : std::find(named.begin(), named.end(), part) != named.end();
  };
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (wanted("propagation")) propagation();
  if (wanted("published")) published();
  if (wanted("ablation")) ablation();
  if (wanted("ladder")) ladder();
  if (wanted("solvers", false)) solvers();
  return 0;
}
