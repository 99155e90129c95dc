#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "network/network.hpp"

namespace bnnplan {

// What networks can be written as, for other tools.
enum class NetworkTarget { onnx, qonnx, npz, c };

// The bytes of such a file, in which every number is exact; it computes the same bits and classes. `name` is what C functions
// are called by. Throws InputError where the format cannot say what the network does.
std::string exported(const Network& network, NetworkTarget target, std::string_view name = "network");

// Writes it whole or not at all. C functions are called by the file: net.c has net_evaluate, or net_class.
void export_network(const std::filesystem::path& path, const Network& network, NetworkTarget target);

}  // namespace bnnplan
