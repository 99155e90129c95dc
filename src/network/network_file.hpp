#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "network/network.hpp"

namespace bnnplan {

// Where the names of a network are in its file, for messages about them.
struct NetworkNameLines {
  std::string file;
  std::vector<std::size_t> inputs, outputs;  // lines, from 1
};

// Network files (.bnn), described in docs/formats.md. Reading refuses everything that is not exactly a
// network (wrong shapes, duplicate names, junk after the end) with InputError at file:line. Neurons may be
// given with their batch normalisation, as trained; they are folded exactly on the way in.
Network read_network(const std::filesystem::path& path, NetworkNameLines* lines = nullptr);
Network parse_network(std::string_view text, std::string_view file_name, NetworkNameLines* lines = nullptr);

// Whether a file can have this name: one line, not empty, without blanks at its ends, not beginning with #.
bool is_network_name(std::string_view name);

// The oldest version that has what this network has: bnn 1 for bits all through, without a record; else bnn 2.
// Requires names that is_network_name allows.
std::string network_text(const Network& network);
void write_network(const std::filesystem::path& path, const Network& network);

}  // namespace bnnplan
