// Too little memory: RLIMIT_AS in a series of sizes. The answer is right, or one line says what is wrong; the
// exit code is a documented one.
#include <algorithm>

#include <gtest/gtest.h>

#include "faults/commands.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;

constexpr rlim_t mebibyte = rlim_t{1} << 20;

RunOptions with_memory(rlim_t mebibytes) {
  RunOptions options;
  options.limits = {{RLIMIT_AS, mebibytes * mebibyte}, {RLIMIT_CORE, 0}};
  return options;
}

// The least in which the program starts at all; below that the system's loader complains.
rlim_t least_memory() {
  for (rlim_t size = 4; size < 1024; ++size) {
    if (run_under({"--version"}, with_memory(size)).exit_code == 0) return size;
  }
  return 0;
}

void expect_answer_or_complaint(const std::vector<std::string>& arguments, const std::vector<int>& answers,
                                const RunOptions& options) {
  const RunEnd end = run_under(arguments, options);
  EXPECT_EQ(end.signal, 0) << end.errors;
  if (std::find(answers.begin(), answers.end(), end.exit_code) != answers.end()) return;
  EXPECT_EQ(end.exit_code, 3) << end.errors;
  EXPECT_TRUE(end.errors == "bnnplan: out of memory\n" || end.errors == "bnnplan: out of memory or threads\n")
      << end.errors;
}

const std::vector<rlim_t>& sizes() {
  static const rlim_t least = least_memory();
  static const std::vector<rlim_t> list = {least, least + 2, least + 8, least + 24, least + 80, least + 250};
  return list;
}

TEST(Memory, Engines) {
  for (const std::vector<std::string>& engine :
       std::vector<std::vector<std::string>>{{"search", "--threads", "1"},
                                             {"search", "--threads", "2"},
                                             {"neuron"},
                                             {"maxsat"},
                                             {"auto"},
                                             {"external", "--solver", BNNPLAN_PROGRAM " maxsat"}}) {
    for (const std::string& problem : {testing::wide_problem(), testing::large_problem()}) {
      for (const rlim_t size : sizes()) {
        SCOPED_TRACE(engine[0] + " in " + std::to_string(size) + " MiB: " + problem);
        std::vector<std::string> arguments = {"plan", problem, "--time-limit", "0.15", "--json", "--engine"};
        arguments.insert(arguments.end(), engine.begin(), engine.end());
        expect_answer_or_complaint(arguments, {0, 10, 11}, with_memory(size));
      }
    }
  }
}

TEST(Memory, OtherCommands) {
  const TemporaryFolder folder;
  const auto in = [](const char* name) { return (testing::inputs() / name).string(); };
  ASSERT_EQ(
      run_under({"encode", testing::large_problem(), "--to", "wcnf", "-o", (folder / "large.wcnf").string()})
          .exit_code,
      0);
  const std::vector<std::pair<std::vector<std::string>, std::vector<int>>> commands = {
      {{"encode", testing::large_problem(), "--to", "wcnf", "-o", (folder / "out").string()}, {0}},
      {{"maxsat", (folder / "large.wcnf").string(), "--time-limit", "0.15"}, {0, 10, 30}},
      {{"learn", in("data.csv"), "--hidden", "500,500", "--epochs", "1", "--quiet", "-o",
        (folder / "out.bnn").string()},
       {0}},
      {{"compile", in("navigation.rddl"), in("navigation_3x3.rddl"), "-o", (folder / "out.toml").string()},
       {0}},
      {{"simulate", in("navigation.rddl"), in("navigation_3x3.rddl"), "--episodes", "2000", "-o",
        (folder / "out.csv").string()},
       {0}},
      {{"check-proof", in("corridor.toml"), in("corridor.pbp")}, {0}},
      {{"report", in("corridor.toml"), in("corridor.plan.json"), "-o", (folder / "out.html").string()}, {0}}};
  for (const auto& [arguments, answers] : commands) {
    for (const rlim_t size : sizes()) {
      SCOPED_TRACE(arguments[0] + " in " + std::to_string(size) + " MiB");
      expect_answer_or_complaint(arguments, answers, with_memory(size));
    }
  }
}

}  // namespace
}  // namespace bnnplan
