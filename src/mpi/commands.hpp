#pragma once

#include <CLI/CLI.hpp>

#include "bnnplan/mpi/mpi_ranks.hpp"

namespace bnnplan::mpi {

// Each adds a command, whose callback runs on all ranks and sets the same exit code on all of them.
void add_plan_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code);
void add_suite_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code);
void add_bench_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code);
void add_verify_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code);

}  // namespace bnnplan::mpi
