// The program: one command line, one place where errors become one line and an exit code.
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/usage.hpp"

namespace {

int complain(std::string_view message, int exit_code) {
  bnnplan::cli::print_message(fmt::format("{}\n", bnnplan::printable(message, 2000)));
  return exit_code;
}

// Where the caller closed standard input, output or error, a file of ours would take that number, and what is
// printed would go into it. Standard output is then one that cannot be written to, which is an error as
// usual.
void open_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) == -1 &&
        ::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
  }
}

// What the option parser has to say, by the one way that notices when it cannot be written.
int print_help(const std::string& text) {
  try {
    bnnplan::cli::print(text);
    return bnnplan::cli::exit_success;
  } catch (const bnnplan::InputError& error) {
    return complain(error.what(), bnnplan::cli::exit_bad_input);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bnnplan;
  using namespace bnnplan::cli;
  open_standard_streams();
  end_cleanly_on_signals();
  int exit_code = exit_success;
  CLI::App app("bnnplan finds provably optimal plans in worlds learned as binarized neural networks.",
               "bnnplan");
  app.set_version_flag("-v,-V,--version", version_text(), "Print the version and exit");
  app.require_subcommand(1);
  add_plan_command(app, exit_code);
  add_check_command(app, exit_code);
  add_check_proof_command(app, exit_code);
  add_encode_command(app, exit_code);
  add_decode_command(app, exit_code);
  add_import_command(app, exit_code);
  add_export_command(app, exit_code);
  add_eval_command(app, exit_code);
  add_info_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_run_command(app, exit_code);
  add_compile_command(app, exit_code);
  add_learn_command(app, exit_code);
  add_discover_command(app, exit_code);
  add_suite_command(app, exit_code);
  add_maxsat_command(app, exit_code);
  add_pb_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_report_command(app, exit_code);
  add_bench_command(app, exit_code);
  add_completion_command(app, exit_code);
  add_man_command(app, exit_code);
  add_version_command(app, exit_code);
  add_help_command(app, exit_code);
  app.footer(
      "`bnnplan COMMAND --help` says more about a command.\n"
      "Exit codes: 0 success, 1 usage, 2 bad input, 3 internal error, 10 plan not proved optimal,\n"
      "11 nothing found within the limits, 20 refused or no plan exists, 21 another reward in the domain.");
  if (argc < 2) {
    print_message(overview(app));
    return exit_usage;
  }
  if (const std::string unknown = unknown_command(app, argv[1]); !unknown.empty())
    return complain("bnnplan: " + unknown, exit_usage);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    std::ostringstream text;
    app.exit(request, text);
    return print_help(text.str());
  } catch (const CLI::ParseError& error) {
    return complain("bnnplan: " + usage_error(app, error), exit_usage);
  } catch (const OptionError& error) {
    return complain("bnnplan: " + usage_error(app, error), exit_usage);
  } catch (const InputError& error) {
    return complain((error.file().empty() ? "bnnplan: " : "") + error.text(OptionStyle::command_line),
                    exit_bad_input);
  } catch (const std::bad_alloc&) {
    return complain("bnnplan: out of memory", exit_internal_error);
  } catch (const std::system_error& error) {
    // Threads are memory as well, and limited like it.
    const bool exhausted = error.code() == std::errc::resource_unavailable_try_again;
    return complain(exhausted ? "bnnplan: out of memory or threads"
                              : fmt::format("bnnplan: internal error: {}", error.what()),
                    exit_internal_error);
  } catch (const std::exception& error) {
    return complain(fmt::format("bnnplan: internal error: {}", error.what()), exit_internal_error);
  }
  return exit_code;
}
