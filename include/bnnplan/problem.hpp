#pragma once

// Problems: state, actions, constraints, goal, reward, horizon, and the network that gives the next state.
//
//   Problem                       plain data (problem/problem.hpp) of Variable, VariableList,
//                                 LinearConstraint and Objective
//   read_problem(file)            from a TOML file (docs/formats.md) and the network it names
//   parse_problem(text, ...)      the same from memory
//   write_problem(file, problem)  both files; problem_text(problem) is the first of them as text
//   read_fd_sat_plan(...)         a published problem from the files of FD-SAT-Plan
//   set_horizon(problem, steps)   the same problem, longer or shorter
//   connect_network, validate     for a Problem that is built in memory, after it is filled
//   cost_in_units, worth_text     costs are integers inside; these make them what the user reads
//
//   bnnplan::Problem problem = bnnplan::read_problem("models/corridor.toml");
//   bnnplan::set_horizon(problem, 9);

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/problem/expression.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan {

struct ReadOptions {
  bool allow_outside = false;           // follow the file to a network outside its folder
  std::optional<std::int64_t> horizon;  // instead of the one in the file
};
std::vector<Option> options_of(ReadOptions& options);

// parse_problem and read_problem with these options.
Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      const ReadOptions& options);
Problem read_problem(const std::filesystem::path& path, const ReadOptions& options);

namespace describing {

Option horizon_option(std::optional<std::int64_t>& horizon);
Option outside_option(bool& allowed);

}  // namespace describing

}  // namespace bnnplan
