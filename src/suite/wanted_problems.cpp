// The problems of a suite: the 45 of the literature, with our own networks or the published ones, or the
// ladder.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/suite/ladder.hpp"
#include "bnnplan/suite/suite.hpp"

namespace bnnplan::suite {

namespace {

struct Family {
  const char *name, *shipped, *published;  // its instances
  int first_horizon, last_horizon;
};

constexpr Family families[] = {{"navigation", "3x3", "3x3", 4, 10}, {"navigation", "4x4", "4x4", 4, 10},
                               {"navigation", "5x5", "5x5", 4, 10}, {"inventory", "2", "1", 5, 8},
                               {"inventory", "4", "2", 5, 8},       {"sysadmin", "4", "4", 2, 4},
                               {"sysadmin", "5", "5", 2, 4},        {"cellda", "x", "x", 8, 12},
                               {"cellda", "y", "y", 8, 12}};

WantedProblem one_of_the_45(const SuiteProblem& problem, const SuiteOptions& options) {
  const auto read = [problem, folder = options.folder, source = options.source](LimitWatch&) {
    Problem made = source == SuiteSource::published
                       ? read_fd_sat_plan(folder, problem.family, problem.instance)
                       : read_problem(folder / fmt::format("{}_{}.toml", problem.family, problem.instance));
    set_horizon(made, problem.horizon);
    return made;
  };
  return {problem.name(), problem.family, "", read};
}

WantedProblem one_of_the_ladder(const LadderProblem& problem, const SuiteOptions& options) {
  const std::string name = problem.name();
  const auto make = [problem, domains = options.folder](LimitWatch& watch) {
    return make_ladder_problem(problem, domains, watch);
  };
  return {name, name.substr(0, name.find('_')), fmt::format("{}", problem.seed), make};
}

void check_name(const std::string& name, const std::vector<std::string>& known, const char* what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw InputError(
      fmt::format("no {} '{}' in the suite{}", what, printable(name), did_you_mean(name, known)));
}

std::vector<WantedProblem> wanted_of_the_ladder(const SuiteOptions& options) {
  std::vector<WantedProblem> wanted;
  if (options.only.empty()) {
    for (const LadderProblem& problem : ladder_problems(options.seed))
      wanted.push_back(one_of_the_ladder(problem, options));
  } else {
    for (const std::string& name : options.only)
      wanted.push_back(one_of_the_ladder(parse_ladder_name(name), options));
  }
  if (options.family.empty()) return wanted;
  std::erase_if(wanted, [&](const WantedProblem& problem) {
    return problem.family != options.family &&
           problem.family.substr(0, problem.family.find('-')) != options.family;
  });
  if (wanted.empty())
    throw InputError(
        fmt::format("no problem of the extended suite is of the family '{}'", printable(options.family)));
  return wanted;
}

}  // namespace

std::string SuiteProblem::name() const { return fmt::format("{}_{}_{}", family, instance, horizon); }

std::vector<SuiteProblem> suite_problems(SuiteSource source) {
  std::vector<SuiteProblem> problems;
  for (const Family& family : families) {
    for (int horizon = family.first_horizon; horizon <= family.last_horizon; ++horizon) {
      problems.push_back(
          {family.name, source == SuiteSource::published ? family.published : family.shipped, horizon});
    }
  }
  return problems;
}

std::vector<WantedProblem> wanted_problems(const SuiteOptions& options) {
  if (options.source == SuiteSource::ladder) return wanted_of_the_ladder(options);
  std::vector<WantedProblem> wanted;
  std::vector<std::string> names, family_names;
  for (const SuiteProblem& problem : suite_problems(options.source)) {
    wanted.push_back(one_of_the_45(problem, options));
    names.push_back(problem.name());
    family_names.push_back(problem.family);
  }
  if (!options.family.empty()) check_name(options.family, family_names, "family");
  for (const std::string& name : options.only) check_name(name, names, "problem");
  std::erase_if(wanted, [&](const WantedProblem& problem) {
    const bool named =
        std::find(options.only.begin(), options.only.end(), problem.name) != options.only.end();
    return (!options.family.empty() && problem.family != options.family) || (!options.only.empty() && !named);
  });
  if (wanted.empty())
    throw InputError("no problem of the suite is of that family and has one of those names");
  return wanted;
}

}  // namespace bnnplan::suite
