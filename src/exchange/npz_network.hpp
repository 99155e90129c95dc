#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/exchange/npy_file.hpp"

namespace bnnplan::exchange {

// A network from named NumPy arrays (the names are listed in docs/exchange.md): an .npz archive, or a folder
// of .npy files.
ImportedNetwork read_npz_network(const std::filesystem::path& path, const ImportOptions& options);
ImportedNetwork npz_network(std::vector<NamedArray> arrays, const std::string& file,
                            const ImportOptions& options);

}  // namespace bnnplan::exchange
