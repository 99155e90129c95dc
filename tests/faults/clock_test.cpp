// A clock that goes backwards: the time of day plays no part in anything.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "faults/commands.hpp"
#include "support/run_program.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;

RunOptions backwards() {
  RunOptions options;
  options.environment = testing::with_shim("FAULT_CLOCK", "1");
  return options;
}

// Run by the next test, under the shim.
TEST(ClockControl, DISABLED_RunsBackwards) {
  const auto before = std::chrono::system_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LT(std::chrono::system_clock::now(), before - std::chrono::minutes(30));
}

TEST(Clock, TheShimTurnsItBack) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> command = {"env"};
  for (const auto& [name, value] : backwards().environment) command.push_back(name + "=" + value);
  command.emplace_back("ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0");
  command.insert(command.end(), {self, "--gtest_also_run_disabled_tests", "--gtest_filter=ClockControl.*"});
  const auto result = testing::run_program(command);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
}

TEST(Clock, TimeLimitsHold) {
  for (const char* engine : {"search", "neuron", "maxsat", "auto"}) {
    SCOPED_TRACE(engine);
    RunEnd end;
    EXPECT_TRUE(testing::one_of_three([&] {
      end = run_under({"plan", testing::large_problem(), "--engine", engine, "--time-limit", "0.5"},
                      backwards());
      return end.exit_code == 11 && end.seconds >= 0.5 && end.seconds < 1.5;
    })) << end.exit_code
        << " after " << end.seconds << ' ' << end.errors;
  }
}

TEST(Clock, ResultsAreTheSame) {
  const TemporaryFolder folder;
  const auto in = [](const char* name) { return (testing::inputs() / name).string(); };
  const auto network = [&](const std::string& name, const RunOptions& options) {
    const std::string output = (folder / name).string();
    EXPECT_EQ(run_under({"learn", in("data.csv"), "--hidden", "8", "--epochs", "2", "--quiet", "-o", output},
                        options)
                  .exit_code,
              0);
    return read_text_file(output);
  };
  EXPECT_EQ(network("one", backwards()), network("other", {}));
  const RunEnd plan = run_under({"plan", in("corridor.toml"), "--time-limit", "20"}, backwards());
  EXPECT_EQ(plan.exit_code, 0);
  EXPECT_NE(plan.output.find("optimal plan of 7 steps, cost 5, proved"), std::string::npos) << plan.output;
  EXPECT_EQ(run_under({"suite", "--models", testing::inputs().string(), "--only", "navigation_3x3_4", "-o",
                       (folder / "suite").string(), "--time-limit", "20"},
                      backwards())
                .exit_code,
            0);
  EXPECT_EQ(run_under({"bench", in("corridor.toml"), "--engine", "search,maxsat", "--any-core",
                       "--time-limit", "20", "-o", (folder / "bench").string()},
                      backwards())
                .exit_code,
            0);
}

}  // namespace
}  // namespace bnnplan
