#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/network/network.hpp"

namespace bnnplan {

// The lines of a network's names in its file, for messages about them.
struct NetworkNameLines {
  std::string file;
  std::vector<std::size_t> inputs, outputs;  // lines, from 1
};

// Network files (.bnn), described in docs/formats.md. Reading refuses everything that is not exactly a
// network (wrong shapes, duplicate names, junk after the end) with InputError at file:line. Neurons may be
// given with their batch normalisation, as trained; they are folded exactly while reading.
Network read_network(const std::filesystem::path& path, NetworkNameLines* lines = nullptr);
Network parse_network(std::string_view text, std::string_view file_name, NetworkNameLines* lines = nullptr);

// Can a file contain this name? One line, not empty, without leading or trailing blanks, not beginning with
// #.
bool is_network_name(std::string_view name);

// Uses the oldest version that can express the network: bnn 1 if it has only bits and no record; otherwise
// bnn 2. Requires names that is_network_name accepts.
std::string network_text(const Network& network);
void write_network(const std::filesystem::path& path, const Network& network);

}  // namespace bnnplan
