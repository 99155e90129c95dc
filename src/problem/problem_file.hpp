#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace bnnplan {

// Which files a problem file may name: those in its folder and below, links followed, or any. A problem file
// may come from somebody else; it is not to make us read whatever it likes.
enum class References : std::uint8_t { inside, anywhere };

// Whether a path ends in the folder ("" is the current one) or below it, when all links are followed.
bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& path);

// Problem files (TOML), described in docs/formats.md, with the network they name beside them. Everything
// wrong is an InputError at file:line.
Problem read_problem(const std::filesystem::path& path, References references = References::inside);

// The same from text; `folder` is where the network file is looked for.
Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      References references = References::inside);

// The same of a file that does not have to say how its state changes: bits that neither a network nor a transition gives are
// taken to stay as they are, by a network that leave_open (open_transitions.hpp) makes. Throws InputError as well if there is a
// network already.
Problem parse_open_problem(std::string_view text, std::string_view file_name,
                           const std::filesystem::path& folder, References references = References::inside);

// The problem as a file, without its network: reading it back gives an equal problem.
std::string problem_text(const Problem& problem);

// Reads that text back with the network it had, also of a problem that is still being built: nothing is looked for in a folder,
// and what is missing is not an error.
Problem restore_problem(std::string_view text, std::string_view name, std::optional<Network> network);

// Writes the problem, and its network as problem.network_file beside it.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace bnnplan
