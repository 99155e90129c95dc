// The options by which commands take a problem: its file, and -H for another horizon.
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

void print(std::string_view text) { write_text_file("-", text); }

}  // namespace bnnplan
