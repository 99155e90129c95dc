// The scripts behind `make test`: what they say before and after.
#include <filesystem>

#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

const std::string tools = BNNPLAN_SOURCE_DIR "/tools/";

// Runs the script on tests as CMake would declare them.
ProgramResult run_tests(const std::string& tests) {
  const TemporaryFolder folder;
  folder.write("CTestTestfile.cmake", tests);
  return testing::run_program({tools + "run-tests", "--test-dir", folder.path().string()});
}

std::string skipping(const std::string& name, const std::string& reason) {
  return "add_test(" + name + " echo \"f.cpp:3: Skipped\n" + reason + "\n\n[  SKIPPED ] A.b (0 ms)\")\n" +
         "set_tests_properties(" + name + " PROPERTIES SKIP_REGULAR_EXPRESSION \"SKIPPED\")\n";
}

TEST(RunTests, SaysHowManyWereSkippedAndWhy) {
  const ProgramResult result =
      run_tests("add_test(passes true)\n" + skipping("a", "no browser <here> & now") +
                skipping("b", "no disk") + skipping("c", "no browser <here> & now") +
                "add_test(d echo \"skipped: no dpkg\")\n"
                "set_tests_properties(d PROPERTIES SKIP_REGULAR_EXPRESSION \"^skipped: \")\n"
                "add_test(e false)\nset_tests_properties(e PROPERTIES SKIP_RETURN_CODE 1)\n");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_NE(result.output.find("\n5 tests were skipped:\n  2: no browser <here> & now\n"), std::string::npos)
      << result.output;
  for (const char* line : {"\n  1: no disk\n", "\n  1: no dpkg\n", "\n  1: no reason given\n"})
    EXPECT_NE(result.output.find(line), std::string::npos) << result.output;
  const std::size_t closing = result.output.rfind("\n100% tests passed, 0 tests failed out of ");
  ASSERT_NE(closing, std::string::npos) << result.output;
  EXPECT_GT(closing, result.output.find("tests were skipped")) << "ctest has the last word";
}

TEST(RunTests, CountsTheCasesOfASuite) {
  const ProgramResult result = run_tests(
      "add_test(verify.A echo \"[       OK ] A.quick (2 ms)\nf.cpp:3: Skipped\nno disk\n[  SKIPPED ] A.b (0 "
      "ms)\n"
      "[       OK ] A.slow (7300 ms)\")\nadd_test(docs.page true)\n");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_NE(
      result.output.find("\n4 cases in 2 tests, 7 s together; the slowest:\n     7.3 s  verify.A.slow\n"),
      std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("\n1 test was skipped:\n  1: no disk\n"), std::string::npos) << result.output;
}

TEST(RunTests, KeepsTheExitStatusOfCtest) {
  const ProgramResult failed = run_tests("add_test(fails false)\n" + skipping("a", "no disk"));
  EXPECT_EQ(failed.exit_code, 8) << failed.output;
  EXPECT_NE(failed.output.find("\n1 test was skipped:\n  1: no disk\n"), std::string::npos) << failed.output;
  EXPECT_NE(failed.output.find("fails (Failed)"), std::string::npos);
  const ProgramResult passed = run_tests("add_test(passes true)\n");
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_EQ(passed.output.find("skipped"), std::string::npos) << passed.output;
  EXPECT_NE(testing::run_program({tools + "run-tests", "--preset", "no-such-preset"}).exit_code, 0);
}

// The script with an apt-get of ours in front of that of the machine.
class InstallPackages : public ::testing::Test {
 protected:
  void fake(const std::string& name, const std::string& script) {
    std::filesystem::permissions(folder_.write(name, "#!/bin/sh\n" + script),
                                 std::filesystem::perms::owner_all);
  }
  ProgramResult install(const std::string& packages) {
    return testing::run_program(
        {"sh", "-c",
         "PATH='" + folder_.path().string() + "':$PATH exec '" + tools + "install-packages' " + packages});
  }
  TemporaryFolder folder_;
};

TEST_F(InstallPackages, SaysBeforehandWhatItTakes) {
  const std::string log = (folder_ / "log").string();
  fake("id", "echo 0\n");
  fake("dpkg-query", "[ \"$4\" = there ] && echo 'install ok installed'\n");
  fake("apt-cache",
       "printf 'Package: chromium\\nInstalled-Size: 290242\\n\\nPackage: clasp\\nInstalled-Size: 3000\\n'\n");
  fake("apt-get",
       "echo \"$@\" >> " + log +
           "\ncase \"$*\" in *--assume-no*) echo 'Need to get 72.1 MB/76.1 MB of archives.'\n"
           "echo 'After this operation, 329 MB of additional disk space will be used.'; exit 1 ;; esac\n");
  const ProgramResult result = install("there chromium clasp");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output,
            "installing: chromium clasp\n  download: 72.1 MB/76.1 MB\n"
            "  disk space: 329 MB, with all that they need\n  chromium alone: 297 MB\n");
  const ProgramResult calls = testing::run_program({"cat", log});
  EXPECT_EQ(calls.output,
            "update -q\ninstall -q --assume-no --no-install-recommends chromium clasp\n"
            "install -q -y --no-install-recommends chromium clasp\n");
  EXPECT_EQ(install("there").output, "") << "nothing to do, nothing to say";
}

TEST_F(InstallPackages, SaysWhatToInstallWhereItFails) {
  fake("id", "echo 0\n");
  fake("dpkg-query", "exit 1\n");
  fake("apt-get", "echo 'E: no network'; exit 100\n");
  const ProgramResult result = install("chromium");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.errors, "E: no network\ninstall-packages: apt-get failed; please install: chromium\n");
}

}  // namespace
}  // namespace bnnplan
