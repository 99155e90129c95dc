// External solvers that mean harm. tests/engines/external_engine_test.cpp has those that only lie or crash;
// here are those that never end, fill memory, or leave something behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "attack.hpp"
#include "bnnplan/base/stopwatch.hpp"

namespace bnnplan::testing {
namespace {

namespace fs = std::filesystem;

class HostileSolver : public ::testing::Test {
 protected:
  // Runs a solver that is this script; $1 is the model, $2 the file for the solution.
  Attack run(const std::string& text, const std::string& seconds = "20") {
    const std::string path = folder_.write("fake", "#!/bin/sh\n" + text + "\n");
    fs::permissions(path, fs::perms::owner_all);
    const Stopwatch watch;
    Attack result = attack({"plan", models + "corridor.toml", "--engine", "external", "--solver",
                            path + " {model} {solution}", "--solver-format", "opb", "--time-limit", seconds});
    wall_seconds_ = watch.seconds();
    return result;
  }
  TemporaryFolder folder_;
  double wall_seconds_ = 0;
};

TEST_F(HostileSolver, PrintsWithoutEnd) {
  expect_refused(run("exec yes"), "solver 'fake' printed more than 64 MiB and was stopped");
  expect_refused(run("exec cat /dev/zero"), "solver 'fake' printed more than 64 MiB and was stopped");
  expect_refused(run("exec tr '\\0' v < /dev/zero"),
                 "solver 'fake' printed more than 64 MiB and was stopped");
  expect_refused(run("echo s SATISFIABLE; printf 'v '; exec yes 'x1 '"), "printed more than 64 MiB");
}

TEST_F(HostileSolver, ComplainsWithoutEnd) {
  const Attack stopped = run("exec yes >&2", "1");
  EXPECT_EQ(stopped.exit_code, 11) << stopped.errors;
  expect_harmless(stopped, 100);
  EXPECT_LT(wall_seconds_, 15);
  // It ends, its child does not, and holds its standard error.
  expect_refused(run("yes >&2 &\nexit 7"), "gave no answer, exit code 7", 100);
  EXPECT_LT(wall_seconds_, 15);
  expect_refused(run("setsid yes >&2 &\nexit 7"), "gave no answer, exit code 7", 100);
}

TEST_F(HostileSolver, SaysNothing) {
  EXPECT_EQ(run("exec sleep 1000", "1").exit_code, 11);
  EXPECT_LT(wall_seconds_, 15);
  EXPECT_EQ(run("exec >&- 2>&-; exec sleep 1000", "1").exit_code, 11);
  EXPECT_LT(wall_seconds_, 15);
  EXPECT_EQ(run("trap '' TERM INT; while :; do sleep 0.01; done", "1").exit_code, 11);
  EXPECT_LT(wall_seconds_, 15);
}

TEST_F(HostileSolver, LeavesNobodyBehind) {
  const std::string mark = (folder_ / "alive").string();
  EXPECT_EQ(
      run(fmt::format("(trap '' TERM HUP; while sleep 0.05; do date > {}; done) & sleep 0.3; exec sleep 1000",
                      mark),
          "1")
          .exit_code,
      11);
  fs::remove(mark);
  ::usleep(300'000);
  EXPECT_FALSE(fs::exists(mark)) << "a child of the solver is still running";
}

TEST_F(HostileSolver, AnswersAbsurdly) {
  expect_refused(run("echo s OPTIMUM FOUND; echo v x1000000000 -x999999999"), "the answer is not a plan",
                 100);
  expect_refused(run("echo o 99999999999999999999999; echo s OPTIMUM FOUND; echo v x1"), "bad value", 100);
  expect_refused(run("printf 's \\033[31m\\n'"), "unknown status '\\x1b[31m'", 100);
  expect_refused(run("kill -SEGV $$"), "solver 'fake' crashed: signal 11", 100);
  expect_refused(run("printf '\\033[31mred\\n' >&2; exit 3"), "exit code 3: \\x1b[31mred", 100);
}

TEST_F(HostileSolver, GivesASolutionThatIsNoFile) {
  expect_refused(run("mkfifo \"$2\"; echo s SATISFIABLE; echo v x1"), "a pipe or a device, expected a file",
                 100);
  EXPECT_LT(wall_seconds_, 15);
  expect_refused(run("ln -s /dev/zero \"$2\""), "a pipe or a device, expected a file", 100);
  expect_refused(run("ln -s loop \"$2\"; ln -s solution \"$(dirname \"$2\")/loop\"; echo x"),
                 "answer of fake", 100);
  expect_refused(run("truncate -s 1T \"$2\""), "too large", 100);
}

}  // namespace
}  // namespace bnnplan::testing
