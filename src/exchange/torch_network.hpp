#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/exchange/tensor.hpp"

namespace bnnplan::exchange {

// A network from a PyTorch state dict (.pt, .pth): linear layers and batch normalisations in file order.
ImportedNetwork read_torch_network(const std::filesystem::path& path, const ImportOptions& options);
ImportedNetwork torch_network(std::vector<NamedTensor> tensors, const std::string& file,
                              const ImportOptions& options);

}  // namespace bnnplan::exchange
