// Saving a failure, so that a bug report can be checked with `bnnplan check NAME.toml NAME.json`.
#include "bnnplan/report/reproduction.hpp"

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::reporting {

std::filesystem::path save_reproduction(const std::filesystem::path& folder, const Problem& problem,
                                        const Plan& plan) {
  std::string name;
  std::filesystem::path path;
  for (int number = 1; path.empty() || std::filesystem::exists(path); ++number) {
    name = fmt::format("bnnplan-failure-{}", number);
    path = folder / (name + ".toml");
  }
  Problem saved = problem;
  saved.network_file = name + ".bnn";
  write_problem(path, saved);
  write_text_file(folder / (name + ".json"), plan_json(problem, plan));
  return path;
}

}  // namespace bnnplan::reporting
