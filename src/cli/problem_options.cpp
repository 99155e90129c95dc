// The options by which commands take a problem: its file, and -H for another horizon.
#include <cstdio>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "problem/problem_file.hpp"

namespace bnnplan {

void ProblemOptions::add_to(CLI::App& command) {
  command.add_option("PROBLEM", file, "Problem file (.toml)")->required();
  command.add_option("-H,--horizon", horizon, "Number of steps, instead of the one in the problem file")
      ->type_name("N");
}

Problem ProblemOptions::read() const {
  Problem problem = read_problem(file);
  if (horizon) set_horizon(problem, *horizon);
  return problem;
}

Problem ProblemOptions::read_with_horizon() const {
  Problem problem = read();
  if (problem.horizon == 0) throw InputError(file, "the problem states no horizon: give one with -H N");
  return problem;
}

int exit_code_of(Status status, bool any_plan_will_do) {
  switch (status) {
    case Status::optimal:
      return exit_success;
    case Status::plan:
      return any_plan_will_do ? exit_success : exit_plan;
    case Status::infeasible:
      return exit_infeasible;
    case Status::unknown:
      return exit_unknown;
  }
  __builtin_unreachable();
}

void print(std::string_view text) { write_text_file("-", text); }

void print_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace bnnplan
