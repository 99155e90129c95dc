#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bnnplan {

// The raw bytes of a file; nothing is decompressed. Throws InputError for anything that is not a readable
// regular file, and for files larger than `limit` bytes.
std::string read_binary_file(const std::filesystem::path& path, std::size_t limit = std::size_t{1} << 30);

}  // namespace bnnplan
