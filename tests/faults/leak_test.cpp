// Ten thousand runs in one process: no more memory and no more open files at the end than after the first
// thousand, and nothing left behind.
#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "faults/commands.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::size_t open_files() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

TEST(Leaks, TenThousandRuns) {
  constexpr int runs = 10'000;
  const fs::path problem_file = testing::inputs() / "corridor.toml";
  const TemporaryFolder folder;
  const fs::path model_file = folder / "model.opb";
  constexpr std::array<const char*, 4> names = {"search", "neuron", "auto", "maxsat"};
  std::size_t bytes = 0, files = 0;
  for (int i = 0; i < runs; ++i) {
    const Problem problem = read_problem(problem_file);
    engines::EngineRequest request;
    request.limits.threads = 2;
    // Those that take longer, less often.
    const std::size_t which = i % 100 == 0 ? 3 : i % 10 == 0 ? 2 : i % 5 == 0 ? 1 : 0;
    const engines::Outcome outcome =
        engines::run_checked(*engines::find_engine(names[which]), problem, request);
    ASSERT_EQ(outcome.cost, 5) << names[which];
    ASSERT_TRUE(checking::check_plan(problem, *outcome.plan).accepted);
    if (i % 4 == 0) {
      OutputFile file(model_file);
      formats::find_model_format("opb")->write(model::unroll(problem), {}, file);
      if (i % 8 == 0) file.commit();  // without, it is given up
    }
    EXPECT_THROW(read_problem(folder / "missing.toml"), std::exception);
    if (i == runs / 10) {
      bytes = resident_memory();
      files = open_files();
    }
  }
  EXPECT_EQ(open_files(), files);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_LT(resident_memory(), bytes + bytes / 20 + (std::size_t{1} << 20));
}

TEST(Leaks, NothingInTheFolderForTemporaryFiles) {
  const TemporaryFolder folder;
  testing::RunOptions options;
  options.environment = {{"TMPDIR", folder.path().string()}};
  const std::string corridor = (testing::inputs() / "corridor.toml").string();
  const std::vector<std::string> external = {"--engine", "external", "--solver", BNNPLAN_PROGRAM " maxsat"};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), external.begin(), external.end());
    return testing::run_under(arguments, options);
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run({"plan", corridor}).exit_code, 0);
  // Ended while the model is written, and while the solver runs; by a limit, by Ctrl-C and by a second one.
  EXPECT_EQ(run({"plan", testing::wide_problem(), "--time-limit", "0.3"}).exit_code, 11);
  EXPECT_EQ(run({"plan", testing::large_problem(), "--time-limit", "2"}).exit_code, 11);
  options.signal = SIGINT;
  options.signal_after = 0.4;
  EXPECT_EQ(run({"plan", testing::wide_problem()}).exit_code, 11);
  options.signal = SIGHUP;
  EXPECT_EQ(run({"plan", testing::wide_problem()}).signal, SIGHUP);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 0);
}

}  // namespace
}  // namespace bnnplan
