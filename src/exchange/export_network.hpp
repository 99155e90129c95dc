#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// The formats that networks can be written in for other tools.
enum class NetworkTarget { onnx, qonnx, npz, c };

// The bytes of such a file. Every number in it is exact, and it computes the same bits and classes. `name` is
// the prefix of C functions. Throws InputError if the format cannot express the network.
std::string exported(const Network& network, NetworkTarget target, std::string_view name = "network");

// Writes the file completely or not at all. C functions are named after the file: net.c has net_evaluate, or
// net_class.
void export_network(const std::filesystem::path& path, const Network& network, NetworkTarget target);

}  // namespace bnnplan::exchange
