#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bnnplan/exchange/graph_value.hpp"
#include "bnnplan/exchange/import_options.hpp"

namespace bnnplan::exchange {

// A network from an ONNX file. Its graph is evaluated node by node, exactly; anything that is not a binarized
// network is an InputError that names the node and the reason. docs/exchange.md lists what is supported.
ImportedNetwork read_onnx_network(const std::filesystem::path& path, const ImportOptions& options);
ImportedNetwork onnx_network(std::string_view bytes, const std::string& file, const ImportOptions& options,
                             const GraphLimits& limits = {});

}  // namespace bnnplan::exchange
