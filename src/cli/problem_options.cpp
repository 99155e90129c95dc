// The options by which commands take a problem: its file, and -H for another horizon.
#include <cstdio>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "problem/problem_file.hpp"

namespace bnnplan {

void ProblemOptions::add_to(CLI::App& command, const std::string& name, const std::string& help) {
  command.add_option(name, file, help)->required();
  add_outside_option(command, outside);
  command.add_option("-H,--horizon", horizon, "Number of steps, instead of the one in the problem file")
      ->check(whole_number(1, horizon_limit))
      ->type_name("N");
}

Problem ProblemOptions::read() const {
  Problem problem = read_problem(file, references_of(outside));
  if (horizon) set_horizon(problem, *horizon);
  return problem;
}

Problem ProblemOptions::read_with_horizon() const {
  Problem problem = read();
  if (problem.horizon == 0) throw InputError(file, "the problem states no horizon: give one with -H N");
  return problem;
}

void add_outside_option(CLI::App& command, bool& outside) {
  command.add_flag(
      "--allow-outside", outside,
      "Follow a problem file to a network outside its folder (by .., a link or an absolute path)");
}

References references_of(bool outside) { return outside ? References::anywhere : References::inside; }

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
