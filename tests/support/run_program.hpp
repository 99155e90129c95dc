#pragma once

#include <string>
#include <vector>

namespace bnnplan::testing {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal if it was killed
  std::string output, errors;
};

// Runs a program with its arguments, without a shell, and waits for it.
ProgramResult run_program(const std::vector<std::string>& arguments);

}  // namespace bnnplan::testing
