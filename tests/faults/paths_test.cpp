// Paths that cannot be read or written: one line that names the path, exit code 2, and nothing is made.
#include <algorithm>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bnnplan/base/text_file.hpp"
#include "faults/commands.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

namespace fs = std::filesystem;
using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;

void expect_one_line(const RunEnd& end, const std::string& path, const std::string& why) {
  EXPECT_EQ(end.exit_code, 2) << "signal " << end.signal;
  EXPECT_EQ(std::count(end.errors.begin(), end.errors.end(), '\n'), 1) << end.errors;
  EXPECT_NE(end.errors.find(path), std::string::npos) << end.errors;
  EXPECT_NE(end.errors.find(why), std::string::npos) << end.errors;
}

TEST(Paths, ThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "text\n");
  const std::vector<std::pair<std::string, std::string>> bad = {
      {(folder / "missing").string(), "No such file or directory"},
      {folder.path().string(), "Is a directory"},
      {file + "/below", "Not a directory"},
      {(folder / std::string(300, 'x')).string(), "File name too long"}};
  for (const auto& command : testing::printing_commands()) {
    for (const std::size_t i : command.read) {
      for (const auto& [path, why] : bad) {
        SCOPED_TRACE(command.name + " reads " + path);
        std::vector<std::string> arguments = command.arguments;
        arguments[i] = path;
        const RunEnd end = run_under(arguments);
        expect_one_line(end, path.substr(0, 200), why);
        EXPECT_EQ(end.output, "");
      }
    }
  }
}

TEST(Paths, ThatCannotBeWritten) {
  for (const auto& command : testing::writing_commands()) {
    if (command.outputs.front().ends_with("/")) continue;
    for (const std::string& output : command.outputs) {
      if (command.name == "import" && output == "n.bnn") continue;  // named by the other one
      const TemporaryFolder folder;
      const std::string file = folder.write("file", "text\n");
      fs::create_directory(folder / "folder.toml");
      const std::vector<std::pair<std::string, std::string>> bad = {
          {(folder / "missing" / output).string(), "cannot write: No such file or directory"},
          {(folder / "folder.toml").string(), "cannot write: Is a directory"},
          {file + "/" + output, "cannot write: Not a directory"},
          {(folder / (std::string(300, 'x') + output)).string(), "cannot write: File name too long"}};
      for (const auto& [path, why] : bad) {
        SCOPED_TRACE(command.name + " writes " + path);
        std::vector<std::string> arguments = command.in(folder.path());
        for (std::size_t i = 0; i < arguments.size(); ++i) {
          if (command.arguments[i] == "@" + output) arguments[i] = path;
        }
        expect_one_line(run_under(arguments), folder.path().string(), why);
      }
    }
  }
}

TEST(Paths, FoldersThatCannotBeMade) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "text\n");
  for (const auto& command : testing::writing_commands()) {
    if (!command.outputs.front().ends_with("/")) continue;
    for (const std::string& path : {file, file + "/below", (folder / std::string(300, 'x')).string()}) {
      SCOPED_TRACE(command.name + " writes into " + path);
      std::vector<std::string> arguments = command.arguments;
      arguments.back() = path;
      expect_one_line(run_under(arguments), path.substr(0, 200), "cannot create this folder");
    }
  }
}

// As root everything is permitted, so the program runs as another user.
TEST(Paths, WithoutPermission) {
  RunOptions options;
  options.unprivileged = true;
  if (run_under({"--version"}, options).exit_code != 0)
    GTEST_SKIP() << "the program cannot be run as another user here";
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0755);
  const std::string secret = folder.write("secret", "text\n");
  ::chmod(secret.c_str(), 0);
  for (const auto& command : testing::printing_commands()) {
    for (const std::size_t i : command.read) {
      SCOPED_TRACE(command.name);
      std::vector<std::string> arguments = command.arguments;
      arguments[i] = secret;
      expect_one_line(run_under(arguments, options), secret, "cannot read: Permission denied");
    }
  }
  ::chmod(folder.path().c_str(), 0555);
  for (const auto& command : testing::writing_commands()) {
    SCOPED_TRACE(command.name);
    const RunEnd end = run_under(command.in(folder.path()), options);
    expect_one_line(end, folder.path().string(), "Permission denied");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  ::chmod(folder.path().c_str(), 0755);
}

}  // namespace
}  // namespace bnnplan
