// Files that cannot be written to the end: too large for the limit of the process, a full disk, /dev/full.
// One line, exit code 2, and nothing is left.
#include <algorithm>
#include <cerrno>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "faults/commands.hpp"
#include "faults/small_disk.hpp"
#include "support/run_program.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

namespace fs = std::filesystem;
using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;
using testing::WritingCommand;

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool writes_a_folder(const WritingCommand& command) { return command.outputs.front().ends_with("/"); }

TEST(Disk, AFileLargerThanAllowed) {
  for (const WritingCommand& command : testing::writing_commands()) {
    SCOPED_TRACE(command.name);
    const TemporaryFolder folder;
    for (const std::string& output : command.outputs) {
      if (!output.ends_with("/")) folder.write(output, "old\n");
    }
    RunOptions options;
    options.limits = {{RLIMIT_FSIZE, 300}};
    const RunEnd end = run_under(command.in(folder.path()), options);
    EXPECT_EQ(end.exit_code, 2) << "signal " << end.signal << ' ' << end.output;
    EXPECT_NE(end.errors.find(": cannot write: File too large\n"), std::string::npos) << end.errors;
    // suite and bench say before what they are about to do.
    EXPECT_EQ(lines(end.errors), writes_a_folder(command) ? lines(end.errors) : 1) << end.errors;
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
      if (!entry.is_regular_file()) continue;
      ++files;
      EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
      if (!writes_a_folder(command)) {
        EXPECT_EQ(read_text_file(entry.path()), "old\n") << entry.path();
      }
    }
    EXPECT_EQ(files, writes_a_folder(command) ? files : command.outputs.size());
  }
}

// Its table of runs grows line by line.
TEST(Disk, TheRunsOfBenchFillIt) {
  const TemporaryFolder folder;
  RunOptions options;
  options.limits = {{RLIMIT_FSIZE, 3000}};
  const RunEnd end = run_under({"bench", BNNPLAN_SOURCE_DIR "/models/corridor.toml", "--engine", "search",
                                "--cold", "--any-core", "--repeat", "60", "-o", (folder / "out").string()},
                               options);
  EXPECT_EQ(end.exit_code, 2) << "signal " << end.signal << ' ' << end.output;
  EXPECT_NE(end.errors.find((folder / "out/runs.csv").string() + ": cannot write: File too large\n"),
            std::string::npos)
      << end.errors;
}

TEST(Disk, AFullDisk) {
  const TemporaryFolder folder, disk;  // the shell lists what is left
  const std::string log = (folder / "log").string();
  for (const WritingCommand& command : testing::writing_commands()) {
    SCOPED_TRACE(command.name);
    std::string line = "cd " + disk.path().string() + "\nhead -c 7000 /dev/zero > ballast\n" BNNPLAN_PROGRAM;
    for (const std::string& argument : command.in(disk.path())) line += " '" + argument + "'";
    line += " > /dev/null 2> " + log + "\necho \"exit code $?\" >> " + log + "\nls -A >> " + log + "\n";
    if (testing::run_on_small_disk(disk.path(), line) != 0)
      GTEST_SKIP() << "no small disk can be mounted here";
    const std::string text = read_text_file(log);
    EXPECT_NE(text.find(": cannot write: No space left on device\nexit code 2\nballast\n"), std::string::npos)
        << text;
    if (!writes_a_folder(command)) {
      EXPECT_TRUE(text.ends_with("exit code 2\nballast\n")) << text;
    }
  }
}

RunOptions with_shim(const std::string& name, const std::string& value) {
  RunOptions options;
  options.environment = testing::with_shim(name, value);
  return options;
}

// What is renamed is on the disk before, and the name after.
TEST(Disk, FilesAreSynced) {
  for (const WritingCommand& command : testing::writing_commands()) {
    SCOPED_TRACE(command.name);
    const TemporaryFolder folder, logs;
    const std::string log = (logs / "log").string();
    const RunEnd end = run_under(command.in(folder.path()), with_shim("FAULT_SYNC_LOG", log));
    ASSERT_EQ(end.exit_code, 0) << end.errors;
    std::string text = read_text_file(log);
    ASSERT_FALSE(text.empty());
    for (const std::string step = "file\nrename\nfolder\n"; !text.empty(); text.erase(0, step.size()))
      ASSERT_TRUE(text.starts_with(step)) << text;
  }
}

TEST(Disk, AnErrorOfTheDiskIsSaid) {
  const TemporaryFolder folder;
  const std::string output = folder.write("m.wcnf", "old\n");
  const std::vector<std::string> encode = {
      "encode", (testing::inputs() / "corridor.toml").string(), "--to", "wcnf", "-o", output};
  const RunEnd failed = run_under(encode, with_shim("FAULT_SYNC", std::to_string(EIO)));
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_EQ(failed.errors, output + ": cannot write: Input/output error\n");
  EXPECT_EQ(read_text_file(output), "old\n");
  const RunEnd unnamed = run_under(encode, with_shim("FAULT_SYNC", std::to_string(-EIO)));
  EXPECT_EQ(unnamed.errors, output + ": cannot write: Input/output error\n");
  // A file system that cannot sync is not an error.
  EXPECT_EQ(run_under(encode, with_shim("FAULT_SYNC", std::to_string(EINVAL))).exit_code, 0);
  EXPECT_NE(read_text_file(output), "old\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "no temporary file is left";
}

TEST(Disk, OutputToAFullDevice) {
  for (const WritingCommand& command : testing::writing_commands()) {
    if (writes_a_folder(command) || command.name == "import") continue;
    SCOPED_TRACE(command.name);
    const TemporaryFolder folder;
    std::vector<std::string> arguments = command.in(folder.path());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (command.arguments[i] == "@" + command.outputs.back()) arguments[i] = "/dev/full";
    }
    const RunEnd end = run_under(arguments);
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_EQ(end.errors, "/dev/full: cannot write: No space left on device\n");
  }
}

TEST(Disk, StandardOutputToAFullDevice) {
  for (const auto& command : testing::printing_commands()) {
    SCOPED_TRACE(command.name);
    RunOptions options;
    options.output = "/dev/full";
    const RunEnd end = run_under(command.arguments, options);
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_EQ(end.errors, "standard output: cannot write: No space left on device\n");
  }
}

// Messages that cannot be written change nothing.
TEST(Disk, StandardErrorToAFullDevice) {
  RunOptions options;
  options.errors = "/dev/full";
  for (const auto& command : testing::printing_commands()) {
    SCOPED_TRACE(command.name);
    const RunEnd end = run_under(command.arguments, options);
    EXPECT_EQ(end.exit_code, run_under(command.arguments).exit_code) << "signal " << end.signal;
  }
  EXPECT_EQ(run_under({"info", "missing.toml"}, options).exit_code, 2);
  EXPECT_EQ(run_under({"no-such-command"}, options).exit_code, 1);
  for (const WritingCommand& command : testing::writing_commands()) {
    SCOPED_TRACE(command.name);
    const TemporaryFolder folder;
    EXPECT_EQ(run_under(command.in(folder.path()), options).exit_code, 0);
  }
  // A message of a run that succeeds: the network is outside the problem's folder.
  const TemporaryFolder folder;
  const auto in = [](const char* name) { return (testing::inputs() / name).string(); };
  const std::vector<std::string> compile = {"compile",
                                            in("navigation.rddl"),
                                            in("navigation_3x3.rddl"),
                                            "--network",
                                            in("navigation_3x3.bnn"),
                                            "-o",
                                            (folder / "p.toml").string()};
  const RunEnd end = run_under(compile);
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(
      end.errors,
      "bnnplan: the network is outside the folder of the problem file: reading it takes --allow-outside\n");
  EXPECT_EQ(run_under(compile, options).exit_code, 0);
}

}  // namespace
}  // namespace bnnplan
