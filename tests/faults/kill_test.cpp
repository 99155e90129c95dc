// kill -9: at every step that changes a file, and at random moments. Each output is then what it was before,
// or it is whole; what else is left is named *.tmp; and the next run gives what it would have given anyway.
#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <thread>

#include <gtest/gtest.h>

#include "bnnplan/base/output_folder.hpp"
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
using testing::WritingCommand;

constexpr const char* old_content = "what was there before\n";
constexpr int most_steps = 120, random_moments = 3;

// Without what depends on the clock.
std::string timeless(const std::string& text) {
  static const std::regex numbers("[0-9]+\\.[0-9]+(e[-+][0-9]+)?|[0-9]+e[-+][0-9]+");
  static const std::regex lines("\n *\"(bounds|statistics)\":[^\n]*");
  return std::regex_replace(std::regex_replace(text, lines, ""), numbers, "#");
}

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), folder).string();
    // What is half written may be half a compressed file.
    std::string& content = files[name];
    if (name.ends_with(".tmp")) continue;
    content = timeless(read_text_file(entry.path()));
    for (std::size_t at = 0; (at = content.find(folder.string(), at)) != std::string::npos;)
      content.replace(at, folder.string().size(), "FOLDER");
  }
  return files;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A command, and what it writes when it is not disturbed.
class Victim {
 public:
  explicit Victim(const WritingCommand& command) : command_(command) {
    const TemporaryFolder folder;
    const RunEnd end = run_under(command_.in(folder.path()));
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    seconds_ = end.seconds;
    whole_ = files_in(folder.path());
    for (const std::string& output : command_.outputs) {
      const bool written = std::any_of(whole_.begin(), whole_.end(),
                                       [&](const auto& file) { return file.first.starts_with(output); });
      EXPECT_TRUE(written) << output;
    }
  }

  double seconds() const { return seconds_; }

  void write_old_files(const TemporaryFolder& folder) const {
    for (const std::string& output : command_.outputs) {
      if (!output.ends_with("/")) folder.write(output, old_content);
    }
  }

  void expect_whole_or_old(const fs::path& folder, const std::string& when) const {
    for (const auto& [name, content] : files_in(folder)) {
      if (name.ends_with(".tmp")) continue;
      if (!whole_.contains(name)) {
        ADD_FAILURE() << name << " is left " << when;
        continue;
      }
      const std::string& whole = whole_.at(name);
      if (name == "bench/runs.csv") {  // a log: its last line may be cut, and the next run drops it
        EXPECT_TRUE(content.starts_with(first_line(whole))) << when << ":\n" << content;
      } else if (name == "suite/index.csv") {  // of what is done so far
        EXPECT_TRUE(content.ends_with("\n") && content.starts_with(first_line(whole))) << when << ":\n"
                                                                                       << content;
      } else {
        EXPECT_TRUE(content == whole || content == timeless(old_content)) << name << ' ' << when << ":\n"
                                                                          << content;
      }
    }
  }

  void expect_next_run_works(const fs::path& folder, const std::string& when) const {
    const RunEnd end = run_under(command_.in(folder));
    EXPECT_EQ(end.exit_code, 0) << end.errors << when;
    std::map<std::string, std::string> files = files_in(folder);
    std::erase_if(files, [](const auto& file) { return file.first.ends_with(".tmp"); });
    EXPECT_EQ(files.size(), whole_.size()) << when;
    for (const auto& [name, content] : files)
      EXPECT_TRUE(whole_.contains(name) && content == whole_.at(name)) << name << ' ' << when;
  }

 private:
  const WritingCommand& command_;
  double seconds_ = 0;
  std::map<std::string, std::string> whole_;
};

// The commands in parts, so that these can run beside each other.
class Kill : public ::testing::TestWithParam<std::size_t> {
 public:
  static constexpr std::size_t parts = 6;

 protected:
  static std::vector<WritingCommand> commands() {
    std::vector<WritingCommand> part;
    const std::vector<WritingCommand> all = testing::writing_commands();
    for (std::size_t i = GetParam(); i < all.size(); i += parts) part.push_back(all[i]);
    return part;
  }
};

INSTANTIATE_TEST_SUITE_P(Part, Kill, ::testing::Range(std::size_t{0}, Kill::parts));

TEST_P(Kill, AtEveryStepThatChangesAFile) {
  for (const WritingCommand& command : commands()) {
    SCOPED_TRACE(command.name);
    const Victim victim(command);
    int step = 1;
    for (; step <= most_steps; ++step) {
      const TemporaryFolder folder;
      if (step % 2 == 0) victim.write_old_files(folder);
      RunOptions options;
      options.environment = testing::with_shim("FAULT_KILL_AT", std::to_string(step));
      const RunEnd end = run_under(command.in(folder.path()), options);
      if (end.signal != SIGKILL) {
        EXPECT_EQ(end.exit_code, 0) << end.errors;
        break;
      }
      const std::string when = "after step " + std::to_string(step);
      victim.expect_whole_or_old(folder.path(), when);
      victim.expect_next_run_works(folder.path(), when);
    }
    EXPECT_GT(step, 3) << "making, writing and renaming a file are steps";
    EXPECT_LE(step, most_steps) << "all steps were tried";
  }
}

TEST_P(Kill, AtRandomMoments) {
  std::mt19937 random(20);
  for (const WritingCommand& command : commands()) {
    SCOPED_TRACE(command.name);
    const Victim victim(command);
    const TemporaryFolder folder;
    victim.write_old_files(folder);
    for (int i = 0; i < random_moments; ++i) {
      RunOptions options;
      options.signal_after = victim.seconds() * static_cast<double>(random() % 1000) / 1000;
      run_under(command.in(folder.path()), options);
      victim.expect_whole_or_old(folder.path(), "after " + std::to_string(*options.signal_after) + " s");
    }
    victim.expect_next_run_works(folder.path(), "after all of them");
  }
}

// Two at once: the file is that of one of them, whole.
TEST(TwoRuns, WriteOneOfTheTwoFiles) {
  const TemporaryFolder folder;
  const std::string output = (folder / "model").string();
  const std::string corridor = (testing::inputs() / "corridor.toml").string();
  const auto encode = [&](const char* format) {
    return run_under({"encode", corridor, "--to", format, "-o", output}).exit_code;
  };
  EXPECT_EQ(encode("opb"), 0);
  const std::string opb = read_text_file(output);
  EXPECT_EQ(encode("wcnf"), 0);
  const std::string wcnf = read_text_file(output);
  for (int round = 0; round < 20; ++round) {
    int other = -1;
    std::thread thread([&] { other = encode("opb"); });
    EXPECT_EQ(encode("wcnf"), 0);
    thread.join();
    EXPECT_EQ(other, 0);
    const std::string content = read_text_file(output);
    EXPECT_TRUE(content == opb || content == wcnf);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  }
}

TEST(TwoRuns, OnlyOneWritesIntoAFolder) {
  int folders = 0;
  for (const WritingCommand& command : testing::writing_commands()) {
    if (!command.outputs[0].ends_with("/")) continue;
    ++folders;
    SCOPED_TRACE(command.name);
    const TemporaryFolder folder;
    const fs::path output = (folder / command.outputs[0]).parent_path();
    {
      const OutputFolder other(output);
      const RunEnd end = run_under(command.in(folder.path()));
      EXPECT_EQ(end.exit_code, 2);
      EXPECT_EQ(end.errors, output.string() + ": another run is writing to this folder\n");
      EXPECT_TRUE(fs::is_empty(output));
    }
    EXPECT_EQ(run_under(command.in(folder.path())).exit_code, 0);
  }
  EXPECT_EQ(folders, 2);
}

}  // namespace
}  // namespace bnnplan
