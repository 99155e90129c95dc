#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// Which files a problem file may refer to: those in its folder and below, with links followed, or any. A
// problem file may be untrusted; it must not make us read arbitrary files.
enum class References : std::uint8_t { inside, anywhere };

// Does a path lead into the folder ("" is the current one) or below it, with all links followed?
bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& path);

// Problem files (TOML), described in docs/formats.md, with the network file they refer to. Every fault is an
// InputError at file:line.
Problem read_problem(const std::filesystem::path& path, References references = References::inside);

// The same from text; the network file is searched in `folder`.
Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      References references = References::inside);

// The same for a file that need not specify how its state changes: bits given neither by a network nor by a
// transition are assumed to stay unchanged, by a network that leave_open (open_transitions.hpp) makes. Also
// throws InputError if there is a network already.
Problem parse_open_problem(std::string_view text, std::string_view file_name,
                           const std::filesystem::path& folder, References references = References::inside);

// The problem as a file, without its network: reading it back gives an equal problem.
std::string problem_text(const Problem& problem);

// Reads that text back with the network it had, also for a problem still being built: nothing is read from a
// folder, and missing parts are not an error.
Problem restore_problem(std::string_view text, std::string_view name, std::optional<Network> network);

// Writes the problem, and its network as problem.network_file next to it.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace bnnplan
