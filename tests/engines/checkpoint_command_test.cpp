// `bnnplan plan --checkpoint` and `--resume` as their users meet them. What a signal or a full disk does is in
// tests/faults.
#include <filesystem>

#include <gtest/gtest.h>

#include "problem/problem_file.hpp"
#include "support/random_problem.hpp"
#include "support/run_bnnplan.hpp"
#include "support/sanitized.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::corridor;
using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult plan_with(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "plan");
  return testing::run_bnnplan(arguments);
}

TEST(CheckpointCommand, IsStoppedAndGoesOn) {
  if (testing::sanitized()) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const TemporaryFolder folder;
  Problem problem = testing::shift_register_problem(20, 22);
  problem.network_file = "p.bnn";
  write_problem(folder / "p.toml", problem);
  const std::string file = (folder / "p.toml").string(), checkpoint = (folder / "c").string();
  const ProgramResult stopped = plan_with(
      {file, "--engine", "search", "--memory-limit", "50", "--checkpoint", checkpoint, "--every", "0.5"});
  EXPECT_TRUE(stopped.exit_code == 10 || stopped.exit_code == 11) << stopped.output << stopped.errors;
  EXPECT_NE(stopped.output.find("saved in " + checkpoint + ", go on with `--resume " + checkpoint + "`\n"),
            std::string::npos)
      << stopped.output;
  const ProgramResult done = plan_with({file, "--engine", "search", "--resume", checkpoint});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_NE(done.output.find("optimal plan of 22 steps, cost 20, proved, resumed from " + checkpoint + "\n"),
            std::string::npos)
      << done.output;
  const ProgramResult json = plan_with({file, "--engine", "search", "--resume", checkpoint, "--json"});
  EXPECT_NE(json.output.find("\"resumed_from\": \"" + checkpoint + "\""), std::string::npos) << json.output;
  const ProgramResult other = plan_with({file, "--engine", "search", "--resume", checkpoint, "-H", "21"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.errors, checkpoint + ": is a checkpoint of horizon 22, the problem has horizon 21\n");
}

TEST(CheckpointCommand, RefusesWhatDoesNotGoTogether) {
  const TemporaryFolder folder;
  const std::string file = (folder / "c").string();
  const auto error_of = [&](const std::vector<std::string>& more, int exit_code) {
    std::vector<std::string> arguments = {corridor};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = plan_with(arguments);
    EXPECT_EQ(result.exit_code, exit_code);
    EXPECT_EQ(result.output, "");
    return result.errors;
  };
  const auto says = [](const std::string& errors, const std::string& what) {
    EXPECT_NE(errors.find(what), std::string::npos) << errors;
  };
  says(error_of({"--engine", "neuron", "--checkpoint", file}, 1),
       "--checkpoint is for --engine search and auto");
  says(error_of({"--engine", "maxsat", "--resume", file}, 1), "--resume is for --engine search and auto");
  says(error_of({"--resume", "-"}, 1), "--resume: '-', expected a file");
  says(error_of({"--checkpoint", ""}, 1), "--checkpoint: '', expected a file");
  says(error_of({"--every", "3"}, 1), "--every");
  says(error_of({"--checkpoint", file, "--every", "0"}, 1), "--every");
  says(error_of({"--checkpoint", file, "--repair", "a", "b"}, 1),
       "--checkpoint is about one problem, --repair plans for one after the other");
  EXPECT_EQ(error_of({"--checkpoint", file + ".gz"}, 2),
            file + ".gz: a checkpoint is a file that is not compressed\n");
  EXPECT_EQ(error_of({"--resume", file}, 2), file + ": no such file\n");
  EXPECT_EQ(error_of({"--resume", corridor}, 2),
            std::string(corridor) + ": is no checkpoint, expected a file of `bnnplan plan --checkpoint`\n");
  EXPECT_EQ(error_of({"--checkpoint", "/nowhere/c"}, 2),
            "/nowhere/c: cannot write: No such file or directory\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace bnnplan
