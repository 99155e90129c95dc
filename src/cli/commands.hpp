#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "base/text_style.hpp"
#include "engines/engine.hpp"
#include "problem/problem.hpp"
#include "problem/problem_file.hpp"

namespace bnnplan {

class Simulator;

// Exit codes, the same for all commands (README.md lists them).
enum ExitCode : int {
  exit_success = 0,
  exit_usage = 1,
  exit_bad_input = 2,
  exit_internal_error = 3,
  exit_plan = 10,          // a plan that is not proved optimal
  exit_unknown = 11,       // a limit was hit before anything was found
  exit_infeasible = 20,    // there is no plan
  exit_refused = 20,       // a plan or a proof
  exit_other_reward = 21,  // a valid plan, but the model promises another reward than the domain gives
  // Of the maxsat command, as the MaxSAT Evaluation asks.
  exit_maxsat_unknown = 0,
  exit_maxsat_satisfiable = 10,
  exit_maxsat_unsatisfiable = 20,
  exit_maxsat_optimum = 30,
};

// Each adds one command to the program; running it leaves its exit code in `exit_code`.
void add_bench_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_check_proof_command(CLI::App& app, int& exit_code);
void add_compile_command(CLI::App& app, int& exit_code);
void add_completion_command(CLI::App& app, int& exit_code);
void add_decode_command(CLI::App& app, int& exit_code);
void add_encode_command(CLI::App& app, int& exit_code);
void add_help_command(CLI::App& app, int& exit_code);  // the last: it knows the others
void add_import_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_learn_command(CLI::App& app, int& exit_code);
void add_man_command(CLI::App& app, int& exit_code);
void add_maxsat_command(CLI::App& app, int& exit_code);
void add_plan_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_suite_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);
std::string version_text();  // "bnnplan 1.2.3"

// The options that name a problem, shared by the commands that take one.
struct ProblemOptions {
  std::string file;
  std::optional<std::int64_t> horizon;
  bool outside = false;  // whether the problem may name files outside its folder

  void add_to(CLI::App& command, const std::string& name = "PROBLEM",
              const std::string& help = "Problem file (.toml), - for standard input");
  Problem read()
      const;  // from standard input if the file is "-", with the horizon replaced, if one was given
  Problem read_with_horizon()
      const;  // the same; throws InputError if neither the file nor -H states a horizon
};

// The problem of this file, or from standard input if it is "-".
Problem read_problem_argument(const std::string& file, bool outside);

// The simulator of a domain and an instance that were named on the command line.
Simulator read_domain(const std::string& domain, const std::string& instance);

// --allow-outside, for all commands that read problem files.
void add_outside_option(CLI::App& command, bool& outside);
References references_of(bool outside);

// The exit code of `plan` and `decode`.
int exit_code_of(Status status, bool any_plan_will_do = false);

// How text on standard output may look; `colour` is auto, always or never, the value of this option.
bool output_is_terminal();
TextStyle output_style(const std::string& colour);
void add_colour_option(CLI::App& command, std::string& colour);

// Checks of options: one of these words; numbers from `lowest` to `highest`, in decimal; numbers above 0,
// finite; numbers in a range.
CLI::Validator one_of(std::vector<std::string> words);
CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest);
CLI::Validator positive_number();
CLI::Validator number_from(double lowest, double highest);
constexpr std::int64_t most_mebibytes = std::int64_t{1} << 40;
constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t largest_seed = std::numeric_limits<std::int64_t>::max();

// Writes results to standard output; throws InputError if they cannot be written.
void print(std::string_view text);

// Writes progress and messages to standard error, at once. Nothing else happens where that cannot be written.
void print_message(std::string_view text);

}  // namespace bnnplan
