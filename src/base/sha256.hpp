#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bnnplan {

// SHA-256 as 64 hexadecimal digits, as sha256sum prints it: for files that other people are to recognise.
// (What only we compare has a fingerprint, fingerprint.hpp.) The second function throws InputError.
std::string sha256(std::string_view bytes);
std::string file_sha256(const std::filesystem::path& path);

}  // namespace bnnplan
