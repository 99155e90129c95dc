#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

// How to call a solver: what it reads, and its arguments, in which {model} is the file to solve, {solution}
// the file it shall write its answer to (where there is none, it prints it), and {arguments} those the user
// gave.
struct KnownSolver {
  std::string_view program;  // compared without case
  std::string_view format;   // of formats/model_format.hpp
  std::span<const std::string_view> arguments;
};

// The one table of known solvers.
std::span<const KnownSolver> known_solvers();
// By the last part of the path, as it is or up to a separator (open-wbo_release, clasp-3.3.5); nullptr if
// unknown.
const KnownSolver* find_known_solver(std::string_view path);
std::string known_solver_names();  // "clasp, cbc, ..."

// A command as a person writes it, cut at blanks; '...' and "..." keep what is in them together. Throws
// InputError for a quote that is not closed and for no word at all.
std::vector<std::string> command_words(std::string_view command);

// The words to run: those of the user if they say {model}, else as the table has it, else with the model at
// the end.
std::vector<std::string> solver_arguments(const std::vector<std::string>& words,
                                          const std::string& model_file, const std::string& solution_file);

}  // namespace bnnplan
