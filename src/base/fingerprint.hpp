#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bnnplan {

// 64 bits of FNV-1a as hexadecimal digits: to notice changes, not to withstand attacks.
std::string fingerprint(std::string_view text);

// The same for the bytes of a file as stored on disk. Throws InputError if the file cannot be read.
std::string file_fingerprint(const std::filesystem::path& path);

}  // namespace bnnplan
