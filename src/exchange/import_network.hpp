#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::exchange {

// Formats of other tools that networks are read from.
enum class NetworkSource { onnx, npz, torch };

// The network of such a file, folded exactly: the same function of every input. Throws InputError if it is
// not a binarized network, if the file is damaged or hostile, and if a fact is missing from both the file and
// `options`. Facts taken from options are noted in the network's record.
Network import_network(NetworkSource source, const std::filesystem::path& path, const ImportOptions& options);
// The same from the bytes of such a file; `name` stands for it in errors.
Network import_network(NetworkSource source, std::string_view bytes, const std::string& name,
                       const ImportOptions& options);

}  // namespace bnnplan::exchange
