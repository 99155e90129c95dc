// The main of unit_tests and release_tests. With --list-for-ctest FILE it writes the tests as ctest reads
// them instead of running them. In unit_tests a suite is one test, FOLDER.SUITE, because starting a sanitized
// program takes longer than most cases do. Suites that tests/slow_suites.txt names are a test for each case,
// FOLDER.SUITE.CASE, so that two cores share them, and so are all with --each-case, which is for
// release_tests: limits of memory are measured in a process of one's own. The seconds given in that file let
// ctest begin with the longest.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

constexpr int exit_all_skipped = 77;

// "FOLDER.SUITE SECONDS" a line; lines that begin with # are remarks.
std::map<std::string, std::string> slow_suites() {
  std::map<std::string, std::string> seconds;
  std::ifstream file(BNNPLAN_SOURCE_DIR "/tests/slow_suites.txt");
  for (std::string line; std::getline(file, line);) {
    const auto space = line.find(' ');
    if (!line.starts_with('#') && space != std::string::npos)
      seconds[line.substr(0, space)] = line.substr(space + 1);
  }
  return seconds;
}

int list_for_ctest(const std::string& program, const std::string& file, bool each_case) {
  const std::map<std::string, std::string> slow = slow_suites();
  std::ofstream list(file);
  const auto add = [&](const std::string& name, const std::string& filter, const std::string& properties) {
    list << "add_test([==[" << name << "]==] \"" << program << "\" [==[--gtest_filter=" << filter
         << "]==])\nset_tests_properties([==[" << name << "]==] PROPERTIES SKIP_RETURN_CODE "
         << exit_all_skipped << properties << ")\n";
  };
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    const std::string folder =
        std::filesystem::path(suite.GetTestInfo(0)->file()).parent_path().filename().string();
    const std::string name = folder + "." + suite.name();
    const auto found = slow.find(name);
    if (found == slow.end() && !each_case) {
      add(name, std::string(suite.name()) + ".*", "");
      continue;
    }
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const std::string test = suite.GetTestInfo(j)->name();
      add(name + "." + test, std::string(suite.name()) + "." + test,
          found == slow.end() ? "" : " COST " + found->second);
    }
  }
  list.close();
  return list ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc >= 3 && std::string_view(argv[1]) == "--list-for-ctest")
    return list_for_ctest(std::filesystem::absolute(argv[0]).string(), argv[2],
                          argc == 4 && std::string_view(argv[3]) == "--each-case");
  if (argc > 1) {
    std::cerr << argv[0] << ": unknown argument " << argv[1] << '\n';
    return 1;
  }
  const int failed = RUN_ALL_TESTS();
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  return failed == 0 && all.successful_test_count() == 0 && all.skipped_test_count() > 0 ? exit_all_skipped
                                                                                         : failed;
}
