// The program for clusters: every rank parses the same command line and does its part; rank 0 speaks.
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bnnplan/base/option.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/mpi/commands.hpp"
#include "bnnplan/ranks/agreement.hpp"

namespace bnnplan::mpi {

namespace {

void complain(std::string_view message) { cli::print_message(fmt::format("{}\n", printable(message, 2000))); }

// An error that stops one rank without the others knowing ends all of them: they would wait for it.
[[noreturn]] void end_job(int rank, std::string_view message) {
  complain(fmt::format("bnnplan-mpi: rank {}: {}", rank, message));
  MpiRanks::end_all(cli::exit_internal_error);
}

int run(int argc, char** argv, MpiRanks& ranks) {
  int exit_code = cli::exit_success;
  const bool tells = ranks.rank() == 0;
  CLI::App app("bnnplan-mpi plans by many processes on many machines: mpirun -n N bnnplan-mpi plan PROBLEM",
               "bnnplan-mpi");
  app.set_version_flag("-v,-V,--version", "bnnplan-mpi " BNNPLAN_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  add_plan_by_ranks(app, ranks, exit_code);
  add_suite_by_ranks(app, ranks, exit_code);
  add_bench_by_ranks(app, ranks, exit_code);
  add_verify_by_ranks(app, ranks, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    std::ostringstream text;
    app.exit(request, text);
    if (tells) cli::print(text.str());
    return cli::exit_success;
  } catch (const CLI::ParseError& error) {
    if (tells) complain(fmt::format("bnnplan-mpi: {}", error.what()));
    return cli::exit_usage;
  } catch (const OptionError& error) {
    if (tells) complain("bnnplan-mpi: " + error.text(OptionStyle::command_line));
    return cli::exit_usage;
  } catch (const ranks::InputErrorOfRank& error) {
    if (tells) complain(error.text);
    return cli::exit_bad_input;
  }
  return exit_code;
}

}  // namespace

}  // namespace bnnplan::mpi

int main(int argc, char** argv) {
  using namespace bnnplan;
  using namespace bnnplan::mpi;
  cli::end_cleanly_on_signals();
  MpiRanks ranks(argc, argv);
  try {
    return run(argc, argv, ranks);
  } catch (const std::bad_alloc&) {
    end_job(ranks.rank(), "out of memory");
  } catch (const std::exception& error) {
    end_job(ranks.rank(), error.what());
  }
}
