#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bnnplan {

// 64 bits of FNV-1a in hexadecimal digits: to notice changes, not to withstand attacks.
std::string fingerprint(std::string_view text);

// The same of the bytes of a file, as they are on the disk. Throws InputError where it cannot be read.
std::string file_fingerprint(const std::filesystem::path& path);

}  // namespace bnnplan
