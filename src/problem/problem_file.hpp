#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace bnnplan {

// Which files a problem file may name: those in its folder and below, links followed, or any. A problem file
// may come from somebody else; it is not to make us read whatever it likes.
enum class References : std::uint8_t { inside, anywhere };

// Problem files (TOML), described in docs/formats.md, with the network they name beside them. Everything
// wrong is an InputError at file:line.
Problem read_problem(const std::filesystem::path& path, References references = References::inside);

// The same from text; `folder` is where the network file is looked for.
Problem parse_problem(std::string_view text, std::string_view file_name, const std::filesystem::path& folder,
                      References references = References::inside);

// The problem as a file, without its network: reading it back gives an equal problem.
std::string problem_text(const Problem& problem);

// Writes the problem, and its network as problem.network_file beside it.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace bnnplan
