#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/run_program.hpp"

namespace bnnplan::testing {

// Runs the program that is tested. For test programs with PROGRAM in their CMakeLists.txt.
inline ProgramResult run_bnnplan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BNNPLAN_PROGRAM);
  return run_program(arguments);
}

// It prints this line alone, to standard error, and ends with exit code 2.
inline void expect_bad_input(const std::vector<std::string>& arguments, const std::string& line) {
  const ProgramResult result = run_bnnplan(arguments);
  EXPECT_EQ(result.exit_code, 2) << line;
  EXPECT_EQ(result.output, "") << line;
  EXPECT_EQ(result.errors, line + "\n");
}

// The same for options that are wrong: exit code 1, and the page that says more.
inline void expect_usage_error(const std::vector<std::string>& arguments, const std::string& line) {
  const ProgramResult result = run_bnnplan(arguments);
  EXPECT_EQ(result.exit_code, 1) << line;
  EXPECT_EQ(result.output, "") << line;
  EXPECT_EQ(result.errors, "bnnplan: " + line + " (see bnnplan " + arguments[0] + " --help)\n");
}

}  // namespace bnnplan::testing
