// Where a problem file may lead the program: to files in its own folder and below, unless --allow-outside is
// given; never to a pipe or a device. And where output goes when its name is a link.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "attack.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/run_program.hpp"

namespace bnnplan::testing {
namespace {

namespace fs = std::filesystem;

class HostilePaths : public ::testing::Test {
 protected:
  HostilePaths() {
    fs::create_directories(folder_ / "inside/below");
    fs::create_directories(folder_ / "outside");
    for (const char* copy : {"inside/net.bnn", "inside/below/net.bnn", "outside/net.bnn"})
      fs::copy_file(models + "corridor.bnn", folder_ / copy);
  }

  // The corridor with another reference to its network.
  std::string problem(const std::string& network) const {
    std::string text = read_text_file(models + "corridor.toml");
    const std::string old = "\"corridor.bnn\"";
    text.replace(text.find(old), old.size(), "'" + network + "'");
    return folder_.write("inside/p.toml", text);
  }
  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  void expect_outside(const std::string& network) const {
    SCOPED_TRACE(network);
    expect_refused(attack({"info", problem(network)}),
                   "is outside the folder of the problem file, expected one inside it (or --allow-outside");
    EXPECT_EQ(attack({"info", "--allow-outside", problem(network)}).exit_code, 0);
  }
  void expect_inside(const std::string& network) const {
    SCOPED_TRACE(network);
    EXPECT_EQ(attack({"info", problem(network)}).exit_code, 0);
  }

  TemporaryFolder folder_;
};

TEST_F(HostilePaths, NetworksOutsideTheFolder) {
  expect_outside("../outside/net.bnn");
  expect_outside("below/../../outside/net.bnn");
  expect_outside(path("outside/net.bnn"));
  fs::create_symlink("../outside/net.bnn", folder_ / "inside/link.bnn");
  expect_outside("link.bnn");
  fs::create_symlink("link.bnn", folder_ / "inside/link2.bnn");
  expect_outside("link2.bnn");
  fs::create_directory_symlink("../outside", folder_ / "inside/folder");
  expect_outside("folder/net.bnn");
  fs::create_directories(folder_ / "inside2");  // a name that begins like that of the folder
  fs::copy_file(models + "corridor.bnn", folder_ / "inside2/net.bnn");
  expect_outside("../inside2/net.bnn");
}

TEST_F(HostilePaths, NetworksInsideTheFolder) {
  expect_inside("net.bnn");
  expect_inside("./below/net.bnn");
  expect_inside("below/../net.bnn");
  expect_inside("../inside/net.bnn");
  expect_inside(path("inside/net.bnn"));
  fs::create_symlink("below/net.bnn", folder_ / "inside/link.bnn");
  expect_inside("link.bnn");
  // The folder of the problem is the one that was named, whatever link led there.
  fs::create_directory_symlink("inside", folder_ / "other");
  problem("below/net.bnn");
  EXPECT_EQ(attack({"info", path("other/p.toml")}).exit_code, 0);
}

TEST_F(HostilePaths, WhatIsNoFile) {
  ASSERT_EQ(::mkfifo(path("inside/pipe").c_str(), 0600), 0);
  expect_refused(attack({"info", problem("pipe")}), "cannot read: a pipe or a device, expected a file");
  expect_refused(attack({"info", "--allow-outside", problem("/dev/zero")}),
                 "cannot read: a pipe or a device, expected a file");
  expect_refused(attack({"info", problem("/dev/zero")}), "is outside the folder");
  expect_refused(attack({"info", problem("below")}), "cannot read: Is a directory");
  expect_refused(attack({"info", problem("missing.bnn")}), "cannot read: No such file or directory");
  fs::create_symlink("loop", folder_ / "inside/loop");
  expect_refused(attack({"info", problem("loop")}), "Too many levels of symbolic links");
  expect_refused(attack({"info", problem(std::string(5000, 'a'))}), "p.toml:5: ");
  for (const char* command : {"info", "maxsat"})
    expect_refused(attack({command, path("inside/loop")}), "Too many levels of symbolic links");
}

// cd inside; bnnplan info p.toml
TEST_F(HostilePaths, AProblemNamedWithoutAFolder) {
  const auto info = [&](const std::string& network) {
    problem(network);
    return run_program({"sh", "-c", "cd " + path("inside") + " && " BNNPLAN_PROGRAM " info p.toml"});
  };
  EXPECT_EQ(info("net.bnn").exit_code, 0);
  for (const char* missing : {"missing.bnn", "below/missing.bnn", "missing/net.bnn"}) {
    EXPECT_EQ(info(missing).errors,
              std::string("p.toml:5: ") + missing + ": cannot read: No such file or directory\n");
  }
  for (const char* outside : {"../missing.bnn", "missing/../../outside/net.bnn", "../outside/net.bnn"}) {
    EXPECT_EQ(info(outside).errors, std::string("p.toml:5: network '") + outside +
                                        "' is outside the folder of the problem file, expected one inside it "
                                        "(or --allow-outside, if you trust the file)\n");
  }
}

// A name with a zero character would be cut there by the system.
TEST_F(HostilePaths, AZeroCharacterInAName) {
  std::string text = read_text_file(models + "corridor.toml");
  const std::string old = "corridor.bnn";
  text.replace(text.find(old), old.size(), "net.bnn\\u0000.txt");
  const std::string file = folder_.write("inside/p.toml", text);
  for (const char* option : {"info", "plan"}) {
    expect_refused(attack({option, file, "--allow-outside"}),
                   file + ":5: 'network' has a zero character in it, expected the name of a .bnn file");
  }
}

TEST_F(HostilePaths, EveryCommandThatReadsProblems) {
  const std::string outside = problem("../outside/net.bnn"), plan = models + "corridor.plan.json";
  const std::string answer = folder_.write("a.txt", "s UNSATISFIABLE\n"), page = path("page.html"),
                    proof = path("p.pbp");
  ASSERT_EQ(attack({"plan", models + "corridor.toml", "--engine", "neuron", "--proof", proof}).exit_code, 0);
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
  };
  for (const Case& each :
       {Case{{"plan", outside}, 0}, Case{{"encode", outside, "--to", "opb", "-o", path("out.opb")}, 0},
        Case{{"decode", outside, answer}, 20}, Case{{"check", outside, plan}, 0},
        Case{{"check-proof", outside, proof}, 0}, Case{{"info", outside}, 0},
        Case{{"report", outside, plan, "-o", page}, 0},
        Case{{"bench", outside, "--engine", "search", "--cold", "--any-core", "--time-limit", "20", "-o",
              path("bench")},
             0}}) {
    SCOPED_TRACE(each.arguments.front());
    expect_refused(attack(each.arguments), "--allow-outside");
    std::vector<std::string> allowed = each.arguments;
    allowed.emplace_back("--allow-outside");
    const Attack run = attack(allowed);
    EXPECT_EQ(run.exit_code, each.exit_code) << run.errors;
  }
}

TEST_F(HostilePaths, CompileSaysWhenTheProblemWillNeedTheOption) {
  const std::vector<std::string> compile{"compile",
                                         domains + "navigation.rddl",
                                         domains + "navigation_3x3.rddl",
                                         "--network",
                                         models + "navigation_3x3.bnn",
                                         "-o",
                                         path("inside/n.toml")};
  const Attack run = attack(compile);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.errors.find(
                "the network is outside the folder of the problem file: reading it takes --allow-outside"),
            std::string::npos)
      << run.errors;
  EXPECT_EQ(attack({"info", "--allow-outside", path("inside/n.toml")}).exit_code, 0);
  fs::copy_file(models + "navigation_3x3.bnn", folder_ / "inside/n.bnn");
  std::vector<std::string> beside = compile;
  beside[4] = path("inside/n.bnn");
  EXPECT_EQ(attack(beside).errors, "");
  EXPECT_EQ(attack({"info", path("inside/n.toml")}).exit_code, 0);
}

TEST_F(HostilePaths, OutputThroughALink) {
  // A link still points to the same file, and what it points to is replaced whole.
  folder_.write("outside/real.json", "old");
  fs::create_symlink("../outside/real.json", folder_ / "inside/out.json");
  ASSERT_EQ(attack({"plan", models + "corridor.toml", "-o", path("inside/out.json")}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "inside/out.json"));
  EXPECT_EQ(attack({"check", models + "corridor.toml", path("outside/real.json")}).exit_code, 0);
  // One that leads nowhere is replaced by the file itself.
  fs::create_symlink("nowhere/out.json", folder_ / "inside/broken.json");
  ASSERT_EQ(attack({"plan", models + "corridor.toml", "-o", path("inside/broken.json")}).exit_code, 0);
  EXPECT_FALSE(fs::is_symlink(folder_ / "inside/broken.json"));
  fs::create_symlink("loop", folder_ / "inside/loop");
  expect_harmless(attack({"plan", models + "corridor.toml", "-o", path("inside/loop")}));
  // Nothing but these is left behind.
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().string().find(".tmp"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace bnnplan::testing
