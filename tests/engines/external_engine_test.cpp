// The external engine with real solvers, and with fake ones (small scripts) that lie, hang, crash and babble.
#include "bnnplan/engines/external/external_engine.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/child_process.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/external/known_solvers.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"
#include "support/published.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

constexpr auto our_solver = BNNPLAN_PROGRAM " maxsat";

class External : public ::testing::Test {
 protected:
  // A solver that is this script; $1 is the model.
  std::string script(const std::string& text) const {
    const std::string path = folder_.write("fake", "#!/bin/sh\n" + text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  Outcome run(const std::string& solver, const std::string& format = "wcnf") {
    request_.solver = solver;
    request_.solver_format = format;
    return run_checked(*find_engine("external"), problem_, request_);
  }
  std::string error_of(const std::string& text) {
    const std::string solver = script(text);
    return input_error_of([&] { run(solver); });
  }

  TemporaryFolder folder_;
  Problem problem_ = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  EngineRequest request_;
};

bool process_with_argument_exists(const std::string& argument) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find(argument) != std::string::npos) return true;
  }
  return false;
}

TEST_F(External, RealSolversProveTheCorridor) {
  for (const std::string solver :
       {"clasp", "clasp --opt-strategy=usc", "cbc", "minizinc --solver gecode", our_solver}) {
    SCOPED_TRACE(solver);
    const Outcome outcome = run(solver, "");
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, 5);
    EXPECT_EQ(outcome.lower_bound, 5);
    EXPECT_EQ(outcome.engine, "external");
    EXPECT_EQ(outcome.claimed_by,
              std::filesystem::path(solver.substr(0, solver.find(' '))).filename().string());
  }
  set_horizon(problem_, 2);
  for (const std::string solver : {"clasp", "cbc", our_solver}) {
    const Outcome outcome = run(solver, "");
    EXPECT_EQ(outcome.status, Status::infeasible) << solver;
    EXPECT_FALSE(outcome.plan);
  }
}

TEST_F(External, RealSolversProvePublishedProblems) {
  BNNPLAN_NEEDS_PUBLISHED();
  problem_ = read_fd_sat_plan(testing::published_folder(), "navigation", "3x3");
  set_horizon(problem_, 4);
  EXPECT_EQ(run("clasp", "").cost, 4);
  EXPECT_EQ(run("clasp", "wcnf-classic").cost, 4);
  problem_ = read_fd_sat_plan(testing::published_folder(), "inventory", "1");
  set_horizon(problem_, 5);
  for (const char* solver : {"clasp", "cbc"}) {
    const Outcome outcome = run(solver, "");
    EXPECT_EQ(outcome.status, Status::optimal) << solver;
    EXPECT_EQ(outcome.cost, 9) << solver;
  }
}

TEST_F(External, AllFormatsAndPlaceholders) {
  EXPECT_EQ(run("clasp", "wcnf-classic").cost, 5);
  EXPECT_EQ(run("cbc", "lp").cost, 5);
  EXPECT_EQ(run("clasp '{model}' --quiet=1,0", "opb").cost, 5);
  EXPECT_EQ(run("cbc \"{model}\" -solve -solution {solution} -quit", "mps").cost, 5);
  request_.first = true;
  const Outcome any = run("cadical", "cnf");
  EXPECT_EQ(any.status, Status::feasible);
  EXPECT_TRUE(any.claimed_by.empty());
  request_.first = false;
  EXPECT_EQ(input_error_of([&] { run("cadical", "cnf"); }),
            "format cnf has no objective, expected another format or a request for any plan");
}

TEST_F(External, AnHonestScriptIsBelieved) {
  const Outcome outcome = run(script(fmt::format("echo banner; exec {} \"$1\"", our_solver)));
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 5);
  EXPECT_EQ(outcome.claimed_by, "fake");
}

TEST_F(External, OLinesAreProgressOnly) {
  std::vector<std::string> told;
  request_.callbacks.progress = [&](const Progress& progress) { told.push_back(progress.activity); };
  const Outcome outcome = run(script("echo 'o 3'; echo 'o 1'; echo 's UNKNOWN'"));
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_FALSE(outcome.plan || outcome.cost);
  EXPECT_EQ(outcome.lower_bound, 0) << "which no plan can be below, whatever the solver says";
  ASSERT_GE(told.size(), 4u);
  EXPECT_EQ(told[told.size() - 2].substr(0, 17), "fake claims cost ");
}

TEST_F(External, Liars) {
  // A cost that its plan does not have.
  EXPECT_EQ(error_of(fmt::format("{} \"$1\" | sed 's/^o .*/o 1/'", our_solver)),
            "answer of fake: the answer claims the value 1, but its plan has 5");
  // Values that are not a plan.
  EXPECT_EQ(error_of(fmt::format("{} \"$1\" | sed '/^v/y/1/0/'", our_solver)).substr(0, 42),
            "answer of fake: the answer is not a plan: ");
  EXPECT_EQ(error_of("echo 's OPTIMUM FOUND'"),
            "answer of fake: the answer claims a solution but does not print it");
  EXPECT_EQ(error_of("echo 's SATISFIABLE'"),
            "answer of fake: the answer claims a solution but does not print it");
  EXPECT_EQ(error_of("echo 's UNSATISFIABLE'; echo 'v 1 2 3 0'"),
            "answer of fake: the answer is unsatisfiable but has values");
  EXPECT_EQ(error_of(fmt::format("{} \"$1\"; echo 's UNSATISFIABLE'", our_solver)).substr(0, 15),
            "answer of fake:");
}

TEST_F(External, StatesThatASolverLeavesOutAreWorkedOut) {
  const model::ModelLayout layout = model::layout_of(problem_);
  std::string states, actions;
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    for (std::uint32_t b = 0; b < layout.state_bits; ++b)
      states += fmt::format("s/ -?{} / /;", layout.state(t + 1, b).index + 1);
    for (std::uint32_t b = 0; b < layout.action_bits; ++b)
      actions += fmt::format("s/ -?{} / /;", layout.action(t, b).index + 1);
  }
  const auto without = [&](const std::string& variables) {
    return script(
        fmt::format("{} --literals \"$1\" | sed -E '/^v/{{ s/ /  /g; {}; }}'", our_solver, variables));
  };
  const Outcome outcome = run(without(states));
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 5);
  const std::string nothing_done = without(actions);
  EXPECT_EQ(input_error_of([&] { run(nothing_done); }).substr(0, 42),
            "answer of fake: the answer is not a plan: ")
      << "actions that are left out are 0";
}

TEST_F(External, AnswersOfRunsolverAndThoseWithBannersAreRead) {
  const Outcome stamped =
      run(script(fmt::format("echo RoundingSat; echo cComment; {} \"$1\" | sed "
                             "\"s/^/0.01\\/0.02\\t/\"",
                             our_solver)));
  EXPECT_EQ(stamped.status, Status::optimal);
  EXPECT_EQ(stamped.cost, 5);
}

TEST_F(External, CrashesAndGarbage) {
  EXPECT_EQ(error_of("echo 'o 1'; kill -SEGV $$"), "solver 'fake' crashed: signal 11 (Segmentation fault)");
  EXPECT_EQ(error_of("echo 'assertion failed' >&2; kill -ABRT $$"),
            "solver 'fake' crashed: signal 6 (Aborted): assertion failed");
  EXPECT_EQ(error_of("echo 'c half'; printf 's OPTIMUM FOUND\\nv 010'"),
            fmt::format("answer of fake:3: the v lines have 3 values, expected at least {}",
                        model::layout_of(problem_).variable_count()));
  EXPECT_EQ(error_of("printf 's OPTIM'"), "answer of fake:1: unknown status 'OPTIM'");
  EXPECT_EQ(error_of("echo hello"), "answer of fake:1: 'hello' is not a line of a solver's answer");
  EXPECT_EQ(error_of("echo 's MAYBE'"), "answer of fake:1: unknown status 'MAYBE'");
  EXPECT_EQ(error_of("echo 'out of luck' >&2; exit 3"),
            "solver 'fake' gave no answer, exit code 3: out of luck");
  EXPECT_EQ(error_of(":"), "solver 'fake' gave no answer, exit code 0");
  EXPECT_EQ(error_of("exec yes"), "solver 'fake' printed more than 64 MiB and was stopped");
  EXPECT_EQ(error_of("exec tr '\\0' x < /dev/zero"),
            "solver 'fake' printed more than 64 MiB and was stopped");
}

TEST_F(External, ATimeLimitEndsTheSolverAndAllItsChildren) {
  request_.limits.seconds = 0.5;
  const Stopwatch watch;
  const Outcome outcome = run(script(
      "trap '' TERM; sleep 98761.5 & setsid sleep 98762.5 & (sleep 98763.5 &); while :; do sleep 1; done"));
  EXPECT_LT(watch.seconds(), 3);  // 0.5, and a busy machine
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::time);
  for (const char* argument : {"98761.5", "98762.5", "98763.5"})
    EXPECT_FALSE(process_with_argument_exists(argument)) << argument;
}

TEST_F(External, NothingOfASolverIsLeftWhenItEnds) {
  run(script("sleep 98764.5 & echo 's UNKNOWN'"));
  EXPECT_FALSE(process_with_argument_exists("98764.5"));
}

TEST_F(External, ASolverMayPrintItsBestWhenTimeIsUp) {
  request_.limits.seconds = 2;
  const std::string solver = script(
      fmt::format("{} \"$1\" | grep '^v' > \"$1.v\"\ntrap 'echo s SATISFIABLE; cat \"$1.v\"; exit 10' TERM\n"
                  "while :; do sleep 0.05; done",
                  our_solver));
  const Outcome outcome = run(solver);
  EXPECT_EQ(outcome.status, Status::feasible);
  EXPECT_EQ(outcome.cost, 5);
  EXPECT_EQ(outcome.stopped, StopReason::time);
}

TEST_F(External, WhatIsCutOffByALimitIsNoError) {
  request_.limits.seconds = 0.4;
  const Outcome outcome = run(script("printf 's SATISFIABLE\\nv 01'; while :; do sleep 1; done"));
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::time);
}

TEST_F(External, AMemoryLimitHoldsForChildrenToo) {
  request_.limits.memory_bytes = std::size_t{150} << 20;
  request_.limits.seconds = 20;
  const Outcome outcome =
      run(script("(head -c 400M /dev/zero; sleep 30) | tail -c 400M | wc -c; echo 's UNKNOWN'"));
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::memory);
}

TEST_F(External, AnInterruptEndsTheSolver) {
  std::atomic<bool> interrupt = false;
  request_.limits.interrupt = &interrupt;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    interrupt = true;
  });
  const Outcome outcome = run(script("exec sleep 98765.5"));
  later.join();
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
  EXPECT_FALSE(process_with_argument_exists("98765.5"));
}

TEST_F(External, SolversThatCannotBeRun) {
  EXPECT_EQ(input_error_of([&] { run("no-such-solver -x"); }),
            "cannot run 'no-such-solver': No such file or directory");
  const std::string plain_file = folder_.write("plain", "text");
  EXPECT_EQ(input_error_of([&] { run(plain_file); }),
            fmt::format("cannot run '{}': Permission denied", plain_file));
  EXPECT_EQ(input_error_of([&] { run(folder_.path().string()); }),
            fmt::format("cannot run '{}': Permission denied", folder_.path().string()));
  EXPECT_EQ(input_error_of([&] { run("my-solver", ""); }),
            "which format does 'my-solver' read? expected a solver format, or one of the known solvers: " +
                known_solver_names());
  EXPECT_EQ(input_error_of([&] { run("clasp", "xml"); }), "unknown solver format 'xml'");
}

TEST(KnownSolvers, CommandsAreCutIntoWordsWithoutAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(command_words("clasp  --opt=a\t-b"), (Words{"clasp", "--opt=a", "-b"}));
  EXPECT_EQ(command_words("'my solver' \"a b\"c '' $HOME;x"), (Words{"my solver", "a bc", "", "$HOME;x"}));
  EXPECT_EQ(input_error_of([] { command_words("clasp 'x"); }),
            "the quote ' in the solver's command is not closed");
  EXPECT_EQ(input_error_of([] { command_words("  "); }), "the solver's command is empty, expected a program");
  EXPECT_EQ(input_error_of([] { command_words("''"); }), "the solver's command is empty, expected a program");
}

TEST(KnownSolvers, ArgumentsAreThoseOfTheTableUnlessTheUserSaysMore) {
  using Words = std::vector<std::string>;
  const auto arguments = [](const Words& words) { return solver_arguments(words, "M", "S"); };
  EXPECT_EQ(arguments({"/opt/clasp", "-x"}), (Words{"/opt/clasp", "-x", "M"}));
  EXPECT_EQ(arguments({"unknown", "-x"}), (Words{"unknown", "-x", "M"}));
  EXPECT_EQ(arguments({"unknown", "{model}", "out={solution}"}), (Words{"unknown", "M", "out=S"}));
  EXPECT_EQ(arguments({"cbc", "ratio", "0"}), (Words{"cbc", "M", "ratio", "0", "solve", "solution", "S"}));
  EXPECT_EQ(arguments({"scip"}), (Words{"scip", "-c", "read M optimize write solution S quit"}));
  EXPECT_EQ(arguments({"highs"}), (Words{"highs", "--solution_file", "S", "M"}));
  EXPECT_EQ(arguments({"roundingsat"}), (Words{"roundingsat", "--print-sol=1", "M"}));
  EXPECT_EQ(find_known_solver("/usr/bin/CLASP")->format, "opb");
  EXPECT_EQ(find_known_solver("claspx"), nullptr);
  for (const char* name : {"open-wbo_release", "/opt/open-wbo-g", "Open-WBO.static", "open-wbo"})
    EXPECT_EQ(find_known_solver(name)->program, "open-wbo") << name;
  EXPECT_EQ(find_known_solver("EvalMaxSAT_bin-2024")->program, "EvalMaxSAT_bin") << "the longest that fits";
  EXPECT_EQ(find_known_solver("roundingsat-9")->format, "opb");
  EXPECT_EQ(arguments({"cbc-2.10"}), (Words{"cbc-2.10", "M", "solve", "solution", "S"}));
  for (const char* name : {"open", "open-wb", "openwbo_release", "exactly", "wclasp", "", "-clasp"})
    EXPECT_EQ(find_known_solver(name), nullptr) << name;
}

TEST(ChildProcess, SaysHowItEnded) {
  ChildRequest request;
  request.command = {"sh", "-c", "echo a; echo b >&2; printf c; exit 7"};
  std::vector<std::string> lines;
  request.line = [&](std::string_view line) { lines.emplace_back(line); };
  const ChildResult result = run_child(request);
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, "a\nc");
  EXPECT_EQ(result.errors, "b\n");
  EXPECT_EQ(lines, std::vector<std::string>{"a"});                          // c is not a whole line
  request.command = {"sh", "-c", "cat; exec 1>&-; sleep 0.1; kill -9 $$"};  // closed output, empty input
  const ChildResult killed = run_child(request);
  EXPECT_EQ(killed.end, ChildEnd::killed);
  EXPECT_EQ(killed.code, 9);
}

}  // namespace
}  // namespace bnnplan::engines
