#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::engines {

// How to call a solver: what it reads, and its arguments, in which {model} is the file to solve, {solution}
// the file to write its answer to (without it, the solver prints the answer), and {arguments} those given by
// the user.
struct KnownSolver {
  std::string_view program;  // case is ignored
  std::string_view format;   // of formats/model_format.hpp
  std::span<const std::string_view> arguments;
};

// The one table of known solvers.
std::span<const KnownSolver> known_solvers();
// Looks up the last component of the path, whole or up to a separator (open-wbo_release, clasp-3.3.5);
// nullptr if unknown.
const KnownSolver* find_known_solver(std::string_view path);
std::string known_solver_names();  // "clasp, cbc, ..."

// A command as typed, split at blanks; '...' and "..." keep their contents together. Throws InputError for an
// unclosed quote or if there is no word at all.
std::vector<std::string> command_words(std::string_view command);

// The words to run: the user's own if they contain {model}, else as in the table, else with the model
// appended.
std::vector<std::string> solver_arguments(const std::vector<std::string>& words,
                                          const std::string& model_file, const std::string& solution_file);

}  // namespace bnnplan::engines
