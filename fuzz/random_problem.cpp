// Random problems of all kinds, solved in every way there is: brute force if they are small, every engine,
// and every format with an external solver. All must agree on the optimum, or that there is none, and
// everything promised on the way must hold. A failing problem is shrunk to a small problem file.
//
//   random_problem [--seed S] [--count N] [--seconds T] [--out FOLDER]
//
// The seed determines everything. `--pretend-wrong search` falsifies that engine's answers, to see the
// machinery find, shrink and report.
#include "support/random_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/check/problem_formula.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "campaign.hpp"
#include "isolated.hpp"
#include "shrink_problem.hpp"
#include "support/brute_force.hpp"
#include "support/solver_routes.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::fuzz {

namespace {

using Cost = std::optional<std::int64_t>;

// The largest proof that is checked if a problem is not small.
constexpr std::uintmax_t most_proof_bytes = 2'000'000;

std::string cost_text(Cost cost) { return cost ? fmt::format("{}", *cost) : "no plan"; }

// A problem and how to try it.
struct Case {
  Problem problem;
  bool small = false;   // enough for brute force
  bool solvers = true;  // external ones: not for numbers that they cannot handle
};

Case make_case(std::uint64_t seed) {
  const auto seed_part = [&](std::uint64_t bound) { return static_cast<int>(seed / 20 % bound); };
  switch (seed % 20) {
    case 0:
      return {testing::random_problem(
          seed, {.most_state_bits = 9, .most_action_bits = 5, .most_auxiliary_bits = 3, .most_steps = 6})};
    case 1:
      return {testing::random_network_problem(seed, {.state_bits = 6 + seed_part(5),
                                                     .action_bits = 2 + seed_part(3),
                                                     .goal_bits = 3,
                                                     .horizon = 2 + seed_part(4),
                                                     .hidden = {8 + seed_part(17), 12}})};
    case 2:
      return {seed_part(2) == 0 ? testing::shift_register_problem(2 + seed_part(7), 2 + seed_part(8))
                                : testing::ring_problem(3 + seed_part(6), 1 + seed_part(4))};
    case 3:
    case 4:
      return {testing::random_problem(seed, {.large_numbers = true}), true, false};
    case 5:
      return {
          testing::random_problem(
              seed, {.most_state_bits = 2, .most_action_bits = 1, .most_auxiliary_bits = 1, .most_steps = 8}),
          true};
    default:
      return {testing::random_problem(seed), true};
  }
}

class Comparison {
 public:
  Comparison(const Case& tried, std::uint64_t seed, const std::string& pretend_wrong)
      : case_(tried), problem_(tried.problem), seed_(seed), pretend_wrong_(pretend_wrong) {}

  // "" or the first thing that is wrong.
  std::string run() {
    read_back();
    const Answer found =
        case_.small ? Answer{true, testing::brute_force_cost(problem_)} : by_engine("search", {});
    if (!found.finished) return failure_;  // too hard
    const Cost expected = found.cost;
    for (const engines::Engine& engine : engines::all_engines()) {
      if (engine.name == "external") continue;
      engines::EngineRequest request;
      request.limits.seed = seed_;
      request.limits.threads = 1 + seed_ % 2;
      if (engine.name == "maxsat") request.neurons = an_encoding();
      const Answer answer = by_engine(engine.name, request);
      if (answer.finished) compare(engine.name, answer.cost, expected);
      first_plan(engine);
      limited(engine, expected);
    }
    for (const char* engine : {"neuron", "search", "auto"}) proof(engine, expected);
    if (case_.small) our_formats(expected);
    if (case_.solvers) solvers(expected);
    return failure_;
  }

 private:
  struct Answer {
    bool finished = false;
    Cost cost;
  };

  void fail(std::string text) {
    if (failure_.empty()) failure_ = std::move(text);
  }

  void compare(std::string_view who, Cost cost, Cost expected) {
    if (who == pretend_wrong_ && cost) ++*cost;
    if (cost != expected)
      fail(fmt::format("{} says {}, expected {}", who, cost_text(cost), cost_text(expected)));
  }

  void read_back() {
    const std::filesystem::path file = folder_ / "problem.toml";
    write_problem(file, problem_);
    if (read_problem(file) != problem_) fail("the problem does not read back the same");
  }

  // Not every engine finishes every large problem in time.
  Answer by_engine(std::string_view name, engines::EngineRequest request) {
    request.limits.seconds = case_.small ? 50 : 5;
    const engines::Outcome outcome = engines::run_checked(*engines::find_engine(name), problem_, request);
    const bool finished = outcome.status == Status::optimal || outcome.status == Status::infeasible;
    if (!finished && (case_.small || outcome.stopped != StopReason::time))
      fail(fmt::format("{} did not finish: {}", name, stop_reason_text(outcome.stopped)));
    if (outcome.status == Status::optimal && outcome.lower_bound != outcome.cost)
      fail(fmt::format("{}: optimal, but the lower bound is not the cost", name));
    return {finished, outcome.cost};
  }

  encoding::NeuronEncoding an_encoding() const {
    const auto all = encoding::neuron_encodings();
    return all[seed_ % all.size()].encoding;
  }

  // Any plan will do: there is one if and only if there is an optimal one; run_checked replays it.
  void first_plan(const engines::Engine& engine) {
    engines::EngineRequest request;
    request.first = true;
    request.limits.seconds = case_.small ? 50 : 5;
    const engines::Outcome outcome = engines::run_checked(engine, problem_, request);
    if (outcome.status == Status::unknown && case_.small)
      fail(fmt::format("{} --first finds nothing", engine.name));
  }

  // Stopped at any time, no bound may be wrong.
  void limited(const engines::Engine& engine, Cost expected) {
    engines::EngineRequest request;
    request.limits.seconds = 1e-4 * static_cast<double>(seed_ % 30);
    const engines::Outcome outcome = engines::run_checked(engine, problem_, request);
    if (outcome.status == Status::infeasible && expected)
      fail(fmt::format("{} limited: infeasible", engine.name));
    if (outcome.cost && (!expected || *outcome.cost < *expected))
      fail(fmt::format("{} limited: cost {} below the optimum", engine.name, *outcome.cost));
    if (outcome.lower_bound && expected && *outcome.lower_bound > *expected)
      fail(fmt::format("{} limited: lower bound {} above the optimum {}", engine.name, *outcome.lower_bound,
                       *expected));
    if (outcome.status == Status::optimal && outcome.cost != expected)
      fail(fmt::format("{} limited: optimal {}", engine.name, cost_text(outcome.cost)));
  }

  void proof(const std::string& engine, Cost expected) {
    engines::EngineRequest request;
    request.proof = (folder_ / "proof").string();
    request.proof_version = seed_ % 2 == 0 ? ProofVersion::v1_2 : ProofVersion::v3_0;
    request.limits.seconds = case_.small ? 50 : 5;
    const engines::Outcome outcome = engines::run_checked(*engines::find_engine(engine), problem_, request);
    if (outcome.stopped == StopReason::time && !case_.small) return;
    compare(engine + " with a proof", outcome.cost, expected);
    if (outcome.proof.empty()) {
      if (engine != "search" || problem_.refused.empty()) fail(engine + " wrote no proof");
      return;
    }
    if (!case_.small && std::filesystem::file_size(request.proof) > most_proof_bytes) return;
    const auto [formula, offset] = checking::formula_of(problem_);
    const checking::ProofCheck check = checking::check_proof(formula, read_text_file(request.proof));
    if (!check.accepted) return fail("the proof of " + engine + " is refused: " + check.refusal);
    if ((check.claim == checking::ProofCheck::Claim::infeasible) != !expected.has_value())
      return fail("the proof of " + engine + " proves a different claim");
    if (check.claim == checking::ProofCheck::Claim::optimal && check.value + offset != *expected)
      fail("the proof of " + engine + " has a different cost");
  }

  // The formula as `encode --to wcnf` writes it, read and solved by `maxsat`.
  void our_formats(Cost expected) {
    testing::SolverRoute ours = testing::solver_route("clasp on WCNF");
    ours.name = "maxsat on WCNF";
    encoding::LoweringOptions options;
    options.neurons.encoding = an_encoding();
    options.rows.cardinality = options.neurons.encoding;
    compare(ours.name,
            testing::cost_by_route(
                problem_, ours, folder_.path(), options,
                [](const std::filesystem::path& file) { return maxsat_answer(formats::read_wcnf(file)); }),
            expected);
  }

  static std::string maxsat_answer(const formats::Wcnf& formula) {
    const maxsat::MaxSatOutcome outcome = maxsat::solve_maxsat(formula);
    if (outcome.status == Status::infeasible) return "s UNSATISFIABLE\n";
    std::string text = fmt::format("o {}\ns OPTIMUM FOUND\nv ", outcome.cost.value());
    for (const bool value : outcome.model.value()) text += value ? '1' : '0';
    return text + "\n";
  }

  void solvers(Cost expected) {
    std::uint64_t number = 0;
    for (const testing::SolverRoute& route : testing::solver_routes()) {
      const bool slow = route.name == "gecode on MiniZinc";        // and takes half a second to start
      if (!case_.small && route.name != "clasp on OPB") continue;  // takes minutes
      if (slow && seed_ % 10 != 9) continue;
      if (route.command.front() == "cbc" && seed_ % 3 != number++ % 3) continue;
      try {
        compare(route.name, testing::cost_by_route(problem_, route, folder_.path()), expected);
      } catch (const testing::SolverMistake&) {
        // A mistake of the solver, not ours, and it was noticed.
      }
    }
    if (!expected) return;
    if (!testing::feasible_by_cadical(problem_, *expected, folder_.path()))
      fail("cadical finds no plan of the optimal cost");
    if (testing::feasible_by_cadical(problem_, *expected - 1, folder_.path()))
      fail("cadical finds a plan below the optimal cost");
  }

  const Case& case_;
  const Problem& problem_;
  std::uint64_t seed_;
  const std::string& pretend_wrong_;
  testing::TemporaryFolder folder_;
  std::string failure_;
};

int run(const CampaignOptions& options) {
  constexpr int most_seconds = 300;
  return run_campaign(options, [&](std::uint64_t seed) -> std::string {
    const Case tried = make_case(seed);
    const auto failure_of = [&](const Problem& problem) {
      Case smaller = tried;
      smaller.problem = problem;
      return run_isolated([&] { return Comparison(smaller, seed, options.pretend_wrong).run(); },
                          most_seconds);
    };
    const std::string failure = failure_of(tried.problem);
    if (failure.empty()) return "";
    const auto written = [&](const Problem& problem, const char* suffix) {
      std::filesystem::create_directories(options.out);
      const std::filesystem::path file = options.out / fmt::format("problem-{}{}.toml", seed, suffix);
      Problem named = problem;
      if (named.network) named.network_file = file.stem().string() + ".bnn";
      write_problem(file, named);
      return file.string();
    };
    const std::string whole = written(tried.problem, "");
    const Problem small =
        shrink_problem(tried.problem, [&](const Problem& problem) { return !failure_of(problem).empty(); });
    return fmt::format("{}; {}, shrunk to {}: {}", failure, whole, written(small, "-small"),
                       failure_of(small));
  });
}

}  // namespace

}  // namespace bnnplan::fuzz

int main(int argc, char** argv) { return bnnplan::fuzz::run(bnnplan::fuzz::parse_campaign(argc, argv)); }
