#pragma once

#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace bnnplan::testing {

// Runs the program that is tested. For test programs with PROGRAM in their CMakeLists.txt.
inline ProgramResult run_bnnplan(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BNNPLAN_PROGRAM);
  return run_program(arguments);
}

}  // namespace bnnplan::testing
