// The main of unit_tests and release_tests. With --list-for-ctest FILE it writes the tests as ctest reads them instead of running
// them: a suite is one test, FOLDER.SUITE, because starting a sanitized program takes longer than most cases do. Suites that
// tests/slow_suites.txt names are a test for each case, FOLDER.SUITE.CASE, so that two cores share them; the seconds given there
// let ctest begin with the longest.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

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

int list_for_ctest(const std::string& program, const std::string& file) {
  const std::map<std::string, std::string> slow = slow_suites();
  std::ofstream list(file);
  const auto add = [&](const std::string& name, const std::string& filter, const std::string& properties) {
    list << "add_test([==[" << name << "]==] \"" << program << "\" [==[--gtest_filter=" << filter
         << "]==] --gtest_brief=0)\nset_tests_properties([==[" << name
         << "]==] PROPERTIES SKIP_REGULAR_EXPRESSION \"\\\\[  PASSED  \\\\] 0 tests\"" << properties << ")\n";
  };
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    const std::string folder =
        std::filesystem::path(suite.GetTestInfo(0)->file()).parent_path().filename().string();
    const std::string name = folder + "." + suite.name();
    const auto found = slow.find(name);
    if (found == slow.end()) {
      add(name, std::string(suite.name()) + ".*", "");
      continue;
    }
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const std::string test = suite.GetTestInfo(j)->name();
      add(name + "." + test, std::string(suite.name()) + "." + test, " COST " + found->second);
    }
  }
  list.close();
  return list ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "--list-for-ctest")
    return list_for_ctest(std::filesystem::absolute(argv[0]).string(), argv[2]);
  if (argc > 1) {
    std::cerr << argv[0] << ": unknown argument " << argv[1] << '\n';
    return 1;
  }
  return RUN_ALL_TESTS();
}
