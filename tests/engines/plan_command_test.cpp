// `bnnplan plan` as its users meet it: the table, the JSON, files, exit codes, limits and signals.
#include <csignal>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/report/reproduction.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using Json = nlohmann::json;
using testing::corridor;
using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult plan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "plan");
  return testing::run_bnnplan(arguments);
}

TEST(PlanCommand, PrintsATableAndTheAnswer) {
  const ProgramResult result = plan({corridor});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_NE(result.output.find("left     cell-1, not cell-2, battery 6 -> 5\n"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("\noptimal plan of 7 steps, cost 5, proved\nengine search, "),
            std::string::npos);
}

TEST(PlanCommand, PrintsJson) {
  const ProgramResult result = plan({corridor, "--json", "--threads", "1"});
  EXPECT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["problem"], "corridor");
  EXPECT_EQ(json["horizon"], 7);
  EXPECT_EQ(json["status"], "optimal");
  EXPECT_EQ(json["cost"], 5);
  EXPECT_EQ(json["lower_bound"], 5);
  EXPECT_EQ(json["engine"], "search");
  EXPECT_TRUE(json["seconds"].is_number());
  EXPECT_EQ(json["initial"]["battery"], 6);
  ASSERT_EQ(json["steps"].size(), 7u);
  EXPECT_EQ(json["steps"][6]["state"]["cell-5"], true);
  EXPECT_EQ(json["steps"][6]["actions"]["right"], true);
  EXPECT_FALSE(json["steps"][0].contains("auxiliary"));
  EXPECT_EQ(json["bounds"].back()[1], 5);
  EXPECT_EQ(json["bounds"].back()[2], 5);
  EXPECT_GT(json["statistics"]["states"], 0);
  EXPECT_FALSE(json.contains("stopped"));
}

TEST(PlanCommand, WritesAPlanThatCheckReads) {
  const TemporaryFolder folder;
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = plan({corridor, "-o", file});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("optimal plan"), std::string::npos);
  const ProgramResult check = testing::run_bnnplan({"check", corridor, file});
  EXPECT_EQ(check.exit_code, 0) << check.output << check.errors;
  EXPECT_NE(check.output.find("valid plan, 7 steps, cost 5"), std::string::npos);
}

const std::string with_everything = R"(name = 'all "kinds"'
horizon = 2
maximize = "0.25 x' - 0.1 add"
constraints = ["twice == 2 add"]
transitions = ["x' == x + twice"]
[action]
add = { bits = 2, scale = -1 }
[auxiliary]
twice = { bits = 3, scale = -1 }
[state]
x = { bits = 5, signed = true, scale = -1 }
[initial]
x = -1.5
)";

// 17 digits: what is written is read, and nothing else is right.
TEST(PlanCommand, CostsAreExactFromFileToFile) {
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("long.toml",
                   "horizon = 1\nminimize = \"12345678901234.567 a\"\ngoal = [\"x == 1\"]\n"
                   "transitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\nx = "
                   "\"bool\"\n[initial]\nx = false\n");
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = plan({problem, "-o", file});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("optimal plan of 1 step, cost 12345678901234.567, proved\n"),
            std::string::npos)
      << result.output;
  const ProgramResult check = testing::run_bnnplan({"check", problem, file});
  EXPECT_EQ(check.exit_code, 0) << check.output;
  EXPECT_NE(check.output.find("the file claims: optimal (which is not checked here)\n"
                              "valid plan, 1 step, cost 12345678901234.567\n"),
            std::string::npos)
      << check.output;
  // The same double, and another number.
  ASSERT_EQ(12345678901234.567, 12345678901234.5673);
  const std::string wrong =
      folder.write("wrong.json", R"({"cost": 12345678901234.5673, "steps": [{"actions": {"a": true}}]})");
  const ProgramResult refused = testing::run_bnnplan({"check", problem, wrong});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_EQ(refused.output,
            "refused: the plan claims cost 12345678901234.5673, its actions cost 12345678901234.567\n");
}

TEST(PlanCommand, WhoMaximisesReadsOfRewards) {
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("gain.toml",
                   "horizon = 3\nmaximize = \"12 x'\"\ntransitions = [\"x' == a\"]\n[action]\n"
                   "a = \"bool\"\n[state]\nx = \"bool\"\n[initial]\nx = false\n");
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = plan({problem, "-o", file});
  EXPECT_NE(result.output.find("optimal plan of 3 steps, reward 36, proved\n"), std::string::npos)
      << result.output;
  EXPECT_EQ(result.output.find("cost"), std::string::npos) << result.output;
  EXPECT_EQ(Json::parse(read_text_file(file))["cost"], -36) << "for programs it is minus the reward";
  EXPECT_NE(testing::run_bnnplan({"check", problem, file}).output.find("valid plan, 3 steps, reward 36\n"),
            std::string::npos);
  EXPECT_NE(testing::run_bnnplan({"info", file}).output.find("reward        36 (as claimed, not checked)\n"),
            std::string::npos);
  const std::string wrong = folder.write("wrong.json", R"({"cost": -35, "steps": [{}, {}, {}]})");
  EXPECT_EQ(testing::run_bnnplan({"check", problem, wrong}).output,
            "refused: the plan claims reward 35, its actions give 0\n");
  const std::string proof = (folder / "p.pbp").string();
  ASSERT_EQ(plan({problem, "--engine", "neuron", "--proof", proof}).exit_code, 0);
  EXPECT_NE(
      testing::run_bnnplan({"check-proof", problem, proof}).output.find("accepted: optimal, reward 36 ("),
      std::string::npos);
  const ProgramResult first = plan({problem, "--first", "--engine", "search"});
  EXPECT_NE(first.output.find(", not proved optimal, no plan has a reward above 36"), std::string::npos)
      << first.output;
}

TEST(PlanCommand, ExactDecimalsNegativeCostsAndAuxiliaries) {
  const TemporaryFolder folder;
  const std::string problem = folder.write("all.toml", with_everything);
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = plan({problem, "--json", "-o", file});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  // 0.3 a step: x is -1.5, -0.9, -0.3; the reward 0.25 (-0.9 - 0.3) - 0.06 = -0.36
  EXPECT_NE(result.output.find("\"cost\": 0.36,"), std::string::npos) << result.output;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["problem"], "all \"kinds\"");
  EXPECT_EQ(json["steps"][0]["auxiliary"]["twice"], 0.6);
  EXPECT_EQ(json["steps"][1]["state"]["x"], -0.3);
  EXPECT_EQ(testing::run_bnnplan({"check", problem, file}).exit_code, 0);
}

TEST(PlanCommand, InfeasibleExitsTwenty) {
  const TemporaryFolder folder;
  const std::string file = (folder / "plan.json").string();
  const ProgramResult result = plan({corridor, "-H", "4", "-o", file});
  EXPECT_EQ(result.exit_code, 20);
  EXPECT_EQ(result.output.find("infeasible: there is no plan of 4 steps, proved\n"), 0u) << result.output;
  EXPECT_EQ(result.errors, "");
  const Json json = Json::parse(read_text_file(file));
  EXPECT_EQ(json["status"], "infeasible");
  for (const char* key : {"cost", "lower_bound", "initial", "steps"}) EXPECT_TRUE(json[key].is_null()) << key;
}

TEST(PlanCommand, FirstExitsZeroWithAPlan) {
  const ProgramResult result = plan({corridor, "--first"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("\nplan of 7 steps, cost 5, not proved optimal, no plan costs less than "),
            std::string::npos)
      << result.output;
  EXPECT_EQ(plan({corridor, "--first", "-H", "3"}).exit_code, 20);
}

TEST(PlanCommand, SeedsAndEngines) {
  for (const Engine& engine : all_engines()) {
    std::vector<std::string> arguments = {corridor,    "--engine", std::string(engine.name), "--seed", "3",
                                          "--threads", "1"};
    if (engine.name == "external") arguments.insert(arguments.end(), {"--solver", "clasp"});
    const ProgramResult one = plan(arguments), two = plan(arguments);
    EXPECT_EQ(one.exit_code, 0) << one.errors;
    // The turns of auto follow the clock: the cost is the same, and not always the plan.
    const auto answer = [&](const std::string& output) {
      const std::size_t begin = engine.name == "auto" ? output.find("optimal plan") : 0;
      return output.substr(begin, output.find("engine") - begin);
    };
    EXPECT_EQ(answer(one.output), answer(two.output));
    EXPECT_NE(plan({"--help"}).output.find(engine.help), std::string::npos);
  }
}

TEST(PlanCommand, MaxSatWithEveryEncodingAndExternalSolvers) {
  for (const char* encoding : {"direct", "totalizer", "published", "adder"}) {
    const ProgramResult result = plan({corridor, "--engine", "maxsat", "--neurons", encoding});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_NE(result.output.find("optimal plan of 7 steps, cost 5, proved\nengine maxsat, "),
              std::string::npos);
  }
  const ProgramResult result = plan({corridor, "--engine", "external", "--solver", "clasp", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json json = Json::parse(result.output);
  EXPECT_EQ(json["engine"], "external");
  EXPECT_EQ(json["claimed_by"], "clasp");
  EXPECT_EQ(json["statistics"]["format"], "opb");
  EXPECT_NE(plan({corridor, "--engine", "external", "--solver", "clasp"})
                .output.find("optimal plan of 7 steps, cost 5, as clasp claims\n"),
            std::string::npos);
  const ProgramResult missing =
      plan({corridor, "--engine", "external", "--solver", "no-such", "--solver-format", "opb"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.errors, "bnnplan: cannot run 'no-such': No such file or directory\n");
}

TEST(PlanCommand, UsageErrorsExitOne) {
  const auto usage = [](std::vector<std::string> arguments, const std::string& line) {
    const ProgramResult result = plan(std::move(arguments));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, "bnnplan: " + line + " (see bnnplan plan --help)\n");
  };
  usage({}, "PROBLEM is required, usage: bnnplan plan PROBLEM [OPTIONS]");
  usage({corridor, "--engine", "external"}, "--engine external requires --solver");
  usage({corridor, "--engine", "auto", "--solver", "clasp"}, "--solver is for --engine external");
  usage({corridor, "--solver-format", "opb"}, "--solver-format requires --solver");
  usage({corridor, "--engine", "search", "--neurons", "totalizer"},
        "--neurons is for engines that make clauses, not for --engine search");
  usage({corridor, "--engine", "magic"},
        "--engine: 'magic', expected one of auto, search, neuron, maxsat, external");
  usage({corridor, "--time-limit", "-1"}, "--time-limit: '-1', expected a number above 0");
  usage({corridor, "--time-limit", "soon"}, "--time-limit: 'soon', expected a number above 0");
  usage({corridor, "--memory-limit", "0"},
        "--memory-limit: '0', expected a whole number from 1 to 1099511627776");
  usage({corridor, "--threads", "0"}, "--threads: '0', expected a whole number from 1 to 1024");
  for (const char* seed :
       {"x", "-1", "1e3", "9223372036854775808", "18446744073709551616", "0x10", "010", "1 2"})
    usage({corridor, "--seed", seed},
          fmt::format("--seed: '{}', expected a whole number from 0 to 9223372036854775807", seed));
  for (const char* horizon : {"0", "-3", "1000001", "010", "", "18446744073709551617"})
    usage({corridor, "-H", horizon},
          fmt::format("--horizon: '{}', expected a whole number from 1 to 1000000", horizon));
  EXPECT_EQ(plan({corridor, "--fast"}).exit_code, 1);
}

TEST(PlanCommand, BadInputExitsTwo) {
  const auto bad = [](std::vector<std::string> arguments, const std::string& line) {
    const ProgramResult result = plan(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, line + "\n");
  };
  const TemporaryFolder folder;
  const std::string file = folder.write("p.toml", "transitions = [\"s' == s\"]\n[state]\ns = \"bool\"\n");
  bad({file}, file + ": the problem states no horizon: give one with -H N");
  bad({"none.toml"}, "none.toml: cannot read: No such file or directory");
  EXPECT_EQ(plan({file, "-H", "2"}).exit_code, 0);
  const ProgramResult unwritable = plan({corridor, "-o", (folder / "no" / "plan.json").string()});
  EXPECT_EQ(unwritable.exit_code, 2);
}

TEST(PlanCommand, FindsTheShortestPlan) {
  const ProgramResult result = plan({corridor, "--shortest"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.output.find("\noptimal plan of 5 steps, cost 5, proved\n"
                               "shortest: 5 steps; no plan of fewer (proved)\nengine search, "),
            std::string::npos)
      << result.output;
  const Json json = Json::parse(plan({corridor, "--shortest", "--first", "-H", "6", "--json"}).output);
  EXPECT_EQ(json["horizon"], 5);
  EXPECT_EQ(json["excluded"], 4);
  EXPECT_EQ(json["status"], "plan");
  EXPECT_EQ(json["steps"].size(), 5u);
  const ProgramResult none = plan({corridor, "--shortest", "-H", "4"});
  EXPECT_EQ(none.exit_code, 20);
  EXPECT_EQ(none.output.find("infeasible: there is no plan of 1 to 4 steps, proved\n"), 0u) << none.output;
  const TemporaryFolder folder;
  const std::string file = folder.write("p.toml", "transitions = [\"s' == s\"]\n[state]\ns = \"bool\"\n");
  const ProgramResult one = plan({file, "--shortest"});
  EXPECT_EQ(one.exit_code, 0) << one.errors;
  EXPECT_NE(one.output.find("\nshortest: 1 step\n"), std::string::npos) << one.output;
  for (const char* option : {"--proof", "--checkpoint", "--resume", "--solver"}) {
    const ProgramResult refused = plan({corridor, "--shortest", option, "x"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.errors.find(" excludes "), std::string::npos) << refused.errors;
    EXPECT_NE(refused.errors.find("--shortest"), std::string::npos) << refused.errors;
  }
}

// A problem that takes far longer than any test.
class EndlessProblem {
 public:
  EndlessProblem() { write_problem(folder_ / "endless.toml", testing::shift_register_problem(60, 100)); }
  std::string file() const { return (folder_ / "endless.toml").string(); }

 private:
  TemporaryFolder folder_;
};

TEST(PlanCommand, TimeLimitExitsEleven) {
  const EndlessProblem endless;
  const ProgramResult result =
      plan({endless.file(), "--engine", "search", "--time-limit", "0.3", "--memory-limit", "4000"});
  EXPECT_EQ(result.exit_code, 11);
  EXPECT_EQ(result.output.find("unknown: no plan of 100 steps found (time limit), no plan costs less than "),
            0u)
      << result.output;
  const ProgramResult as_json =
      plan({endless.file(), "--engine", "search", "--time-limit", "0.2", "--memory-limit", "4000", "--json"});
  const Json json = Json::parse(as_json.output);
  EXPECT_EQ(json["status"], "unknown");
  EXPECT_EQ(json["stopped"], "time limit");
  EXPECT_TRUE(json["lower_bound"].is_number());
  const ProgramResult horizons = plan(
      {endless.file(), "--shortest", "--engine", "search", "--time-limit", "0.3", "--memory-limit", "4000"});
  EXPECT_EQ(horizons.exit_code, 11);
  EXPECT_EQ(horizons.output.find("unknown: no plan of "), 0u) << horizons.output;
  EXPECT_NE(horizons.output.find(" steps or fewer (proved)\n"), std::string::npos) << horizons.output;
}

TEST(PlanCommand, MemoryLimitIsKept) {
  const EndlessProblem endless;
  const ProgramResult result = plan({endless.file(), "--engine", "search", "--memory-limit", "150"});
  EXPECT_EQ(result.exit_code, 11);
  EXPECT_NE(result.output.find("(memory limit)"), std::string::npos) << result.output;
  struct rusage usage {};
  ::getrusage(RUSAGE_CHILDREN, &usage);  // the largest child so far
  EXPECT_LE(usage.ru_maxrss, 165 * 1024);
}

TEST(PlanCommand, SignalsPrintWhatIsKnown) {
  const EndlessProblem endless;
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const std::string output = (folder / "output").string();
    const std::string file = endless.file();
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::open(output.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
      ::execl(BNNPLAN_PROGRAM, BNNPLAN_PROGRAM, "plan", file.c_str(), "--engine", "search", "--memory-limit",
              "4000", nullptr);
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    // As `timeout` does: to the process, and again to its group. That is one request.
    ::kill(child, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 11);
    EXPECT_EQ(read_text_file(output).find("unknown: no plan of 100 steps found (interrupted)"), 0u);
  }
}

TEST(PlanCommand, APlanThatIsNotProvedExitsTen) {
  const TemporaryFolder folder;
  Problem problem = testing::shift_register_problem(60, 100);
  problem.goal.clear();
  problem.objective.terms = {{-1, {Place::action, 0}}, {2, {Place::next, 59}}};
  problem.objective.text = "2 s59' - write";
  write_problem(folder / "p.toml", problem);
  const ProgramResult result = plan({(folder / "p.toml").string(), "--engine", "search", "--time-limit",
                                     "1.5", "--memory-limit", "4000", "-o", (folder / "plan.json").string()});
  if (result.exit_code == 0) GTEST_SKIP() << "this machine solves it in time";
  EXPECT_EQ(result.exit_code, 10) << result.output;
  EXPECT_NE(result.output.find("not proved optimal, no plan costs less than "), std::string::npos);
  EXPECT_EQ(testing::run_bnnplan({"check", (folder / "p.toml").string(), (folder / "plan.json").string()})
                .exit_code,
            0);
}

TEST(Reproduction, IsSavedUnderAFreeName) {
  const TemporaryFolder folder;
  const Problem problem = read_problem(corridor);
  const checking::PlanCheck check =
      checking::check_plan(problem, read_plan(BNNPLAN_SOURCE_DIR "/models/corridor.plan.json", problem));
  ASSERT_TRUE(check.accepted);
  EXPECT_EQ(reporting::save_reproduction(folder.path(), problem, check.plan).filename(),
            "bnnplan-failure-1.toml");
  const auto second = reporting::save_reproduction(folder.path(), problem, check.plan);
  EXPECT_EQ(second.filename(), "bnnplan-failure-2.toml");
  const Problem again = read_problem(second);
  EXPECT_EQ(read_plan(folder / "bnnplan-failure-2.json", again), check.plan);
  EXPECT_TRUE(checking::check_plan(again, check.plan).accepted);
}

}  // namespace
}  // namespace bnnplan::engines
