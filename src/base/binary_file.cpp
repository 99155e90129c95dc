// Reads whole binary files. For formats with their own compression (npz and torch files are zip archives),
// which read_text_file would decompress or refuse. Pipes and devices are refused because these formats are
// read from the end.
#include "bnnplan/base/binary_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

std::string read_binary_file(const std::filesystem::path& path, std::size_t limit) {
  const auto fail = [&](std::string_view what) { throw InputError(path.string(), what); };
  const auto fail_with = [&](int error) { fail(fmt::format("cannot read: {}", std::strerror(error))); };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail_with(errno);
  if (S_ISDIR(status.st_mode)) fail_with(EISDIR);
  if (!S_ISREG(status.st_mode)) fail("cannot read: a pipe or a device, expected a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) fail_with(errno);
  std::string content;
  char buffer[1 << 16];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
    if (content.size() + got > limit) fail(fmt::format("too large: more than {} bytes", limit));
    content.append(buffer, got);
  }
  if (std::ferror(file.get()) != 0) fail_with(errno);
  return content;
}

}  // namespace bnnplan
