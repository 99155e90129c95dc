#include "fuzz_target.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace bnnplan::fuzz {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
  std::abort();
}

bool accepted(const Reader& reader, std::string_view input) {
  try {
    reader.try_input(input);
    return true;
  } catch (const InputError& error) {
    const std::string_view line = error.what();
    require(!line.empty() && line == printable(line, line.size()), "a refusal is one printable line");
    return false;
  }
}

std::pair<std::string_view, std::string_view> halves(std::string_view input) {
  constexpr std::string_view separator = "\n===\n";
  const auto cut = input.find(separator);
  if (cut == std::string_view::npos) return {input, input};
  return {input.substr(0, cut + 1), input.substr(cut + separator.size())};
}

const std::filesystem::path& scratch_folder() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      const bool in_memory = ::access("/dev/shm", W_OK) == 0;
      std::string name = in_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string();
      name += "/bnnplan-fuzz-XXXXXX";
      require(::mkdtemp(name.data()) != nullptr, "a scratch folder can be made");
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace bnnplan::fuzz
