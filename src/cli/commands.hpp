#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace bnnplan::cli {

// Each adds one command to the program; running it leaves its exit code in `exit_code`.
void add_bench_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_check_proof_command(CLI::App& app, int& exit_code);
void add_compile_command(CLI::App& app, int& exit_code);
void add_completion_command(CLI::App& app, int& exit_code);
void add_decode_command(CLI::App& app, int& exit_code);
void add_discover_command(CLI::App& app, int& exit_code);
void add_encode_command(CLI::App& app, int& exit_code);
void add_eval_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_help_command(CLI::App& app, int& exit_code);  // the last: it knows the others
void add_import_command(CLI::App& app, int& exit_code);
void add_import_network_commands(CLI::App& import, int& exit_code);  // below `import`
void add_info_command(CLI::App& app, int& exit_code);
void add_learn_command(CLI::App& app, int& exit_code);
void add_man_command(CLI::App& app, int& exit_code);
void add_maxsat_command(CLI::App& app, int& exit_code);
void add_pb_command(CLI::App& app, int& exit_code);
void add_plan_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_suite_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_version_command(CLI::App& app, int& exit_code);
std::string version_text();  // "bnnplan 1.2.3"

}  // namespace bnnplan::cli
