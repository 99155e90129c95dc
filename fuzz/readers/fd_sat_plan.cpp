// The files of FD-SAT-Plan. The input is all eight, each after a line "=== kind". An accepted problem reads
// back the same from the problem file that `import` would write.
#include "bnnplan/problem/fd_sat_plan.hpp"

#include <map>
#include <string>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

// The parts by the first letters of their kinds, so that mutations of the rest do no harm.
std::map<std::string, std::string> parts_of(std::string_view input) {
  std::map<std::string, std::string> parts;
  LineReader lines(input);
  std::string* part = nullptr;
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("=== ")) {
      part = &parts[std::string(line.substr(4, 1))];
    } else if (part != nullptr) {
      *part += line;
      *part += '\n';
    }
  }
  return parts;
}

}  // namespace

void try_fd_sat_plan(std::string_view input) {
  static const std::map<std::string, std::string> files = {{"b", "bnn/bnn"},
                                                           {"n", "normalization/normalization"},
                                                           {"p", "translation/pvariables"},
                                                           {"i", "translation/initial"},
                                                           {"g", "translation/goals"},
                                                           {"c", "translation/constraints"},
                                                           {"t", "translation/transitions"},
                                                           {"r", "translation/reward"}};
  for (const char* folder : {"bnn", "normalization", "translation"})
    std::filesystem::create_directories(scratch_folder() / folder);
  std::map<std::string, std::string> parts = parts_of(input);
  for (const auto& [kind, file] : files) write_text_file(scratch_folder() / (file + "_d_i.txt"), parts[kind]);
  const Problem problem = read_fd_sat_plan(scratch_folder(), "d", "i");
  write_problem(scratch_folder() / "p.toml", problem);
  require(read_problem(scratch_folder() / "p.toml") == problem, "an imported problem reads back the same");
}

}  // namespace bnnplan::fuzz
