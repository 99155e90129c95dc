// What is run in which order, how it is scored, and when answers do not fit together.
#include "bnnplan/compare/scores.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/compare/measure.hpp"
#include "bnnplan/compare/refutation.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::comparison {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

Task task(const std::string& name, const std::string& family = "f", int horizon = 1) {
  return {name, family, name + ".toml", horizon, "d"};
}

Entrant entrant(const std::string& name, bool ours = true) { return {name, ours, {}}; }

RunRecord run(const std::string& task, const std::string& who, const std::string& status, int cost = 0,
              double seconds = 1, int repetition = 1) {
  RunRecord record;
  record.task = task;
  record.entrant = who;
  record.digest = "d";
  record.status = status;
  record.repetition = repetition;
  record.seconds = seconds * 2;
  record.cpu_seconds = seconds;
  if (status == "optimal" || status == "plan") record.cost = make_decimal(cost, 0);
  return record;
}

TEST(PlanRuns, AreInterleavedAndResume) {
  const std::vector<Task> tasks = {task("p"), task("q")};
  const std::vector<Entrant> entrants = {entrant("a"), entrant("b")};
  const auto text = [&](const std::vector<PlannedRun>& planned) {
    std::string result;
    for (const PlannedRun& next : planned)
      result += tasks[next.task].name + entrants[next.entrant].name + std::to_string(next.repetition) + " ";
    return result;
  };
  EXPECT_EQ(text(plan_runs(tasks, entrants, 2, {})), "pa1 pb1 qb1 qa1 pb2 pa2 qa2 qb2 ")
      << "all entrants on a problem before the next one, and another begins each time";
  std::vector<RunRecord> done = {run("p", "a", "optimal"), run("p", "b", "unknown")};
  EXPECT_EQ(text(plan_runs(tasks, entrants, 2, done)), "qb1 qa1 pa2 qa2 qb2 ")
      << "what hit a limit is not tried again";
  done[0].digest = "another problem";
  EXPECT_EQ(text(plan_runs(tasks, entrants, 1, done)), "pa1 qb1 qa1 ");
  EXPECT_EQ(relevant_runs(done, tasks, entrants).size(), 1u);
  EXPECT_TRUE(plan_runs({}, entrants, 3, {}).empty());
}

TEST(PlanRuns, SayTheTimeLeft) {
  const std::vector<Task> tasks = {task("p"), task("q"), task("r")};
  const std::vector<Entrant> entrants = {entrant("a")};
  BenchOptions options;
  options.seconds = 10;
  const auto planned = plan_runs(tasks, entrants, 1, {});
  EXPECT_DOUBLE_EQ(seconds_left(planned, 0, entrants, {}, options), 15)
      << "half the limit, as long as nothing is known";
  EXPECT_DOUBLE_EQ(seconds_left(planned, 1, entrants, {run("p", "a", "optimal", 0, 2)}, options), 8);
}

TEST(Scores, CountSolvedAndPar2) {
  const std::vector<Task> tasks = {task("p", "f"), task("q", "g")};
  const std::vector<Entrant> entrants = {entrant("slow", false), entrant("fast")};
  const std::vector<RunRecord> runs = {
      run("p", "slow", "optimal", 3, 4),    run("q", "slow", "unknown"),
      run("p", "fast", "optimal", 3, 1),    run("p", "fast", "optimal", 3, 3, 2),
      run("p", "fast", "optimal", 3, 2, 3), run("q", "fast", "infeasible", 0, 6)};
  const std::vector<EntrantScore> all = scores(tasks, entrants, runs, 10);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].entrant, "fast") << "the best one first";
  EXPECT_EQ(all[0].solved, 2u) << "to prove that there is no plan is to solve it";
  EXPECT_DOUBLE_EQ(all[0].par2, 4) << "the median of 1, 3 and 2, and 6";
  EXPECT_DOUBLE_EQ(all[0].total, 8);
  EXPECT_DOUBLE_EQ(all[1].par2, 12) << "4, and twice the limit";
  EXPECT_DOUBLE_EQ(all[1].ratio, 3);
  EXPECT_DOUBLE_EQ(scores(tasks, entrants, runs, 10, "f")[0].par2, 2);
  EXPECT_EQ(score_table(tasks, entrants, runs, 10),
            "f          solved      PAR-2       total     ratio\n"
            "fast          1/1       2.00        2.00       1.0\n"
            "slow          1/1       4.00        4.00       2.0\n\n"
            "g          solved      PAR-2       total     ratio\n"
            "fast          1/1       6.00        6.00       1.0\n"
            "slow          0/1      20.00       0.000       3.3\n\n"
            "all        solved      PAR-2       total     ratio\n"
            "fast          2/2       4.00        8.00       1.0\n"
            "slow          1/2      12.00        4.00       3.0\n");
  EXPECT_EQ(scores(tasks, entrants, {}, 10)[0].entrant, "slow") << "of equals the first";
}

TEST(Scores, ARunBeyondTheLimitIsNotSolved) {
  EXPECT_EQ(scores({task("p")}, {entrant("a")}, {run("p", "a", "optimal", 3, 1.5)}, 1)[0].solved, 0u);
}

std::vector<std::string> disagreements_of(std::vector<RunRecord> runs) {
  return disagreements(with_refutations(std::move(runs)));
}

// Three liars who are faster than the honest one: each of them has solved nothing.
TEST(Scores, WhoseClaimIsRefutedHasNotSolved) {
  const std::vector<Task> tasks = {task("p"), task("q")};
  const std::vector<Entrant> entrants = {entrant("too dear", false), entrant("none", false),
                                         entrant("honest"), entrant("bound", false)};
  RunRecord bound = run("p", "bound", "plan", 5, 1);
  bound.lower_bound = make_decimal(4, 0);
  const std::vector<RunRecord> runs =
      with_refutations({run("p", "too dear", "optimal", 4, 0.1), run("p", "too dear", "optimal", 4, 0.1, 2),
                        run("p", "none", "infeasible", 0, 0.1), run("p", "honest", "optimal", 3, 9), bound,
                        run("q", "too dear", "optimal", 7, 0.1), run("q", "none", "optimal", 7, 0.1),
                        run("q", "honest", "unknown")});
  EXPECT_EQ(runs[0].status, "refuted");
  EXPECT_EQ(runs[2].message, "honest has a plan of cost 3, but none claims that there is none");
  const std::vector<EntrantScore> of_p = scores({tasks[0]}, entrants, runs, 10);
  EXPECT_EQ(of_p[0].entrant, "honest");
  EXPECT_DOUBLE_EQ(of_p[0].par2, 9);
  EXPECT_DOUBLE_EQ(of_p[1].par2, 20) << "twice the limit";
  EXPECT_EQ(of_p[1].refuted, 1u);
  EXPECT_DOUBLE_EQ(scores({tasks[1]}, entrants, runs, 10)[0].par2, 0.1) << "what no plan refutes counts";
  EXPECT_NE(score_table(tasks, entrants, runs, 10).find("too dear  1/2, 1 refuted      10.05"),
            std::string::npos);
  EXPECT_EQ(disagreements(runs).size(), 3u) << "one line for two repetitions";
}

TEST(Agreement, KnowsPlansOfEarlierRunsOfTheSameProblem) {
  RunRecord other = run("p", "earlier", "plan", 3);
  EXPECT_EQ(with_refutations({run("p", "a", "optimal", 4)}, {other})[0].status, "refuted");
  other.digest = "another problem";
  EXPECT_EQ(with_refutations({run("p", "a", "optimal", 4)}, {other})[0].status, "optimal");
}

TEST(Agreement, FindsWhatDoesNotFit) {
  EXPECT_TRUE(
      disagreements_of({run("p", "a", "optimal", 3), run("p", "b", "optimal", 3), run("p", "c", "plan", 5),
                        run("q", "a", "optimal", 4), run("p", "d", "unknown")})
          .empty());
  EXPECT_EQ(disagreements_of({run("p", "a", "optimal", 3), run("p", "b", "optimal", 4)}),
            std::vector<std::string>{"p: a has a plan of cost 3, but b claims that none costs less than 4"});
  EXPECT_EQ(disagreements_of({run("p", "a", "plan", 3), run("p", "b", "optimal", 4)}).size(), 1u);
  EXPECT_EQ(disagreements_of({run("p", "a", "optimal", 3), run("p", "b", "infeasible")}),
            std::vector<std::string>{"p: a has a plan of cost 3, but b claims that there is none"});
  RunRecord bounded = run("p", "b", "unknown");
  bounded.lower_bound = make_decimal(9, 0);
  EXPECT_EQ(disagreements_of({run("p", "a", "plan", 3), bounded}).size(), 1u)
      << "a wrong bound is a wrong answer";
  Task gain = task("p");
  gain.maximize = true;
  EXPECT_EQ(
      disagreements(
          with_refutations({run("p", "a", "optimal", -36), run("p", "b", "optimal", -30)}, {}, {gain})),
      std::vector<std::string>{"p: a has a plan of reward 36, but b claims that none has a reward above 30"});
  RunRecord failed = run("p", "b", "error");
  failed.message = "exit code 2";
  EXPECT_EQ(failures({failed, run("p", "a", "optimal", 3)}), std::vector<std::string>{"p: b: exit code 2"});
}

TEST(RunRecords, AreReadBack) {
  RunRecord record = run("p, with \"quotes\"", "a", "plan", 3, 0.25);
  record.cost = parse_decimal("-1.5");
  record.message = "time limit,\nand more";
  const std::string text = csv_header() + csv_line(record);
  const std::vector<RunRecord> read = parse_runs_csv(text + "\"cut off", "r.csv");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].task, record.task);
  EXPECT_EQ(read[0].cost, record.cost);
  EXPECT_EQ(read[0].lower_bound, std::nullopt);
  EXPECT_EQ(read[0].message, "time limit, and more");
  EXPECT_DOUBLE_EQ(read[0].cpu_seconds, 0.25);
  EXPECT_EQ(input_error_of([] { parse_runs_csv("x\n", "r.csv"); }),
            "r.csv:1: not a file of runs, expected the header that bench writes");
  EXPECT_EQ(input_error_of([] { parse_runs_csv(csv_header() + "a,b\n", "r.csv"); }),
            "r.csv:2: not a run, expected 11 fields");
  EXPECT_EQ(input_error_of([] { parse_runs_csv(csv_header() + "a,b,1,plan,3,,x,1,1,d,\n", "r.csv"); }),
            "r.csv:2: bad number in a run");
  EXPECT_EQ(input_error_of([] { parse_runs_csv(csv_header() + "a,b,1,plan,y,,1,1,1,d,\n", "r.csv"); }),
            "r.csv:2: bad cost in a run");
  for (const char* repetition : {"inf", "0", "1.5", "99999999999", ""}) {
    const std::string line = fmt::format("a,b,{},plan,3,,1,1,1,d,\n", repetition);
    EXPECT_EQ(input_error_of([&] { parse_runs_csv(csv_header() + line, "r.csv"); }),
              "r.csv:2: bad repetition of a run");
  }
  EXPECT_EQ(input_error_of([] { parse_runs_csv(csv_header() + "a,b,1,plan,3,,nan,1,1,d,\n", "r.csv"); }),
            "r.csv:2: bad number in a run");
  EXPECT_EQ(input_error_of([] {
              parse_runs_csv(csv_header() + "a,b,1,plan,40.000000000000000000001,,1,1,1,d,\n", "r.csv");
            }),
            "r.csv:2: bad cost in a run");
}

TEST(Matrix, TasksHaveHorizons) {
  const std::string corridor = BNNPLAN_SOURCE_DIR "/models/corridor.toml";
  const auto tasks = tasks_of(corridor + "@7,9-10");
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[2].name, "corridor_10");
  EXPECT_EQ(tasks[2].family, "corridor");
  EXPECT_EQ(tasks[2].horizon, 10);
  EXPECT_EQ(tasks_of(corridor)[0].name, "corridor_7");
  for (const char* bad : {"@", "@0", "@7-", "@7-6", "@x", "@1,,2"}) {
    EXPECT_NE(input_error_of([&] { tasks_of(corridor + bad); }).find("bad horizons in"), std::string::npos)
        << bad;
  }
  const TemporaryFolder folder;
  const std::string body = "transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n";
  const std::string open = folder.write("open.toml", body);
  EXPECT_EQ(input_error_of([&] { tasks_of(open); }),
            open + ": the problem states no horizon, expected " + open + "@N");
  const auto named = tasks_of(folder.write("grid_3x3_4.toml", "horizon = 4\n" + body));
  EXPECT_EQ(named[0].name, "grid_3x3_4") << "a name that ends in its horizon";
  EXPECT_EQ(named[0].family, "grid_3x3");
  EXPECT_NE(named[0].digest, tasks_of(corridor)[0].digest);
}

TEST(Matrix, SolversHaveFormats) {
  EXPECT_EQ(engine_entrant("search").arguments, (std::vector<std::string>{"--engine", "search"}));
  EXPECT_EQ(input_error_of([] { solver_entrant("no-such-solver-1"); }),
            "solver 'no-such-solver-1' was not found");
  EXPECT_EQ(input_error_of([] { solver_entrant("sh -c x"); }),
            "which format does 'sh' read? expected \"FORMAT: sh -c x\"");
  EXPECT_EQ(input_error_of([] { solver_entrant("xyz: sh"); }).substr(0, 46),
            "unknown format 'xyz' of solver 'xyz: sh', expe");
  const Entrant shell = solver_entrant("opb: sh -c true");
  EXPECT_EQ(shell.name, "sh -c true (opb)");
  EXPECT_FALSE(shell.ours);
  EXPECT_EQ(shell.arguments, (std::vector<std::string>{"--engine", "external", "--solver", "sh -c true",
                                                       "--solver-format", "opb"}));
  const Entrant published = solver_entrant("wcnf+published: sh");
  EXPECT_EQ(published.name, "sh (wcnf, published)");
  EXPECT_EQ(published.arguments,
            (std::vector<std::string>{"--engine", "external", "--solver", "sh", "--solver-format", "wcnf",
                                      "--neurons", "published"}));
  EXPECT_EQ(input_error_of([] { solver_entrant("wcnf+none: sh"); }).substr(0, 54),
            "unknown encoding 'none' of solver 'wcnf+none: sh', exp");
}

}  // namespace
}  // namespace bnnplan::comparison
