#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace bnnplan {

// Problem files (TOML), described in docs/formats.md, with the network they name beside them. Everything
// wrong is an InputError at file:line.
Problem read_problem(const std::filesystem::path& path);

// The same from text; `folder` is where the network file is looked for.
Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder);

// The problem as a file, without its network: reading it back gives an equal problem.
std::string problem_text(const Problem& problem);

// Writes the problem, and its network as problem.network_file beside it.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace bnnplan
