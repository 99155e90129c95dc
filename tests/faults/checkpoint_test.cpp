// Checkpoints when the world goes wrong: SIGTERM, kill -9 while one is saved, a full disk. An older one is
// never lost, and the next run continues from it.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "faults/commands.hpp"
#include "faults/small_disk.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

namespace fs = std::filesystem;
using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;

constexpr int plan_not_proved = 10, nothing_found = 11;

bool ended_by_a_limit(const RunEnd& end) {
  return end.exit_code == plan_not_proved || end.exit_code == nothing_found;
}

std::vector<std::string> plan_large(const std::vector<std::string>& more, const char* seconds = "30") {
  std::vector<std::string> arguments = {
      "plan",  testing::large_problem(), "--engine", "search", "--time-limit",
      seconds, "--memory-limit",         "1000"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void expect_goes_on_from(const std::string& file) {
  const RunEnd end = run_under(plan_large({"--resume", file}, "1"));
  EXPECT_TRUE(ended_by_a_limit(end)) << end.exit_code << end.errors;
  EXPECT_NE(end.output.find(", resumed from " + file), std::string::npos) << end.output;
}

TEST(CheckpointFaults, TheSignalToEndSavesFirst) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove(file);
    RunOptions options;
    options.signal = signal;
    options.signal_after = 1.5;
    const RunEnd end = run_under(plan_large({"--checkpoint", file}), options);
    EXPECT_TRUE(ended_by_a_limit(end)) << end.exit_code << end.errors;
    EXPECT_NE(end.output.find("(interrupted)"), std::string::npos) << end.output;
    EXPECT_NE(end.output.find("saved in " + file + ", resume with `--resume " + file + "`\n"),
              std::string::npos)
        << end.output;
    expect_goes_on_from(file);
  }
}

TEST(CheckpointFaults, ATimeLimitSavesFirst) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  for (const char* engine : {"search", "auto"}) {
    SCOPED_TRACE(engine);
    fs::remove(file);
    const RunEnd end = run_under({"plan", testing::large_problem(), "--engine", engine, "--time-limit", "2",
                                  "--memory-limit", "1000", "--json", "--checkpoint", file});
    EXPECT_TRUE(ended_by_a_limit(end)) << end.exit_code << end.errors;
    EXPECT_NE(end.output.find("\"checkpoint\": \"" + file + "\""), std::string::npos) << end.output;
    expect_goes_on_from(file);
  }
}

// At every step that changes a file, of the second and later saves.
TEST(CheckpointFaults, KilledWhileSaving) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  ASSERT_TRUE(ended_by_a_limit(run_under(plan_large({"--checkpoint", file}, "1"))));
  int killed = 0;
  for (int step = 1; step <= 14; ++step) {
    SCOPED_TRACE(step);
    RunOptions options;
    options.environment = testing::with_shim("FAULT_KILL_AT", std::to_string(step));
    const RunEnd end =
        run_under(plan_large({"--resume", file, "--checkpoint", file, "--every", "0.01"}, "2"), options);
    killed += end.signal == SIGKILL ? 1 : 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      EXPECT_TRUE(entry.path() == file || entry.path().extension() == ".tmp") << entry.path();
    }
    expect_goes_on_from(file);
  }
  EXPECT_GE(killed, 10);
}

TEST(CheckpointFaults, AFileLargerThanAllowed) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  ASSERT_TRUE(ended_by_a_limit(run_under(plan_large({"--checkpoint", file}, "1"))));
  const auto size = fs::file_size(file);
  const auto written = fs::last_write_time(file);
  RunOptions options;
  options.limits = {{RLIMIT_FSIZE, size / 2}};
  const RunEnd end =
      run_under(plan_large({"--resume", file, "--checkpoint", file, "--every", "0.2"}, "2"), options);
  EXPECT_EQ(end.exit_code, 2) << "what was asked for is not there";
  EXPECT_EQ(end.errors, file + ": cannot write: File too large\n");
  EXPECT_NE(end.output.find("unknown: no plan"), std::string::npos)
      << "what is known is told all the same: " << end.output;
  EXPECT_EQ(fs::last_write_time(file), written);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  expect_goes_on_from(file);
}

TEST(CheckpointFaults, AFullDisk) {
  const TemporaryFolder folder, disk;
  const std::string log = (folder / "log").string();
  const std::string plan = BNNPLAN_PROGRAM " plan " + testing::large_problem() +
                           " --engine search --memory-limit 1000 --time-limit ";
  const std::string script = "cd " + disk.path().string() + "\n" + plan + "0.5 --checkpoint c > /dev/null\n" +
                             "cat /dev/zero > ballast 2> /dev/null\n" + plan +
                             "2 --resume c --checkpoint c --every 0.1 > /dev/null 2>> " + log +
                             "\necho \"exit code $?\" >> " + log + "\nls -A >> " + log + "\n" + plan +
                             "1 --resume c | grep -c 'resumed from c' >> " + log;
  if (testing::run_on_small_disk(disk.path(), script, "200m") == 125)
    GTEST_SKIP() << "no small disk can be mounted here";
  EXPECT_EQ(read_text_file(log), "c: cannot write: No space left on device\nexit code 2\nballast\nc\n1\n");
}

}  // namespace
}  // namespace bnnplan
