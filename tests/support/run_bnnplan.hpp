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

}  // namespace bnnplan::testing
