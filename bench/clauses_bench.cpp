// Planning by clauses on published problems within its reach: the maxsat engine with its own encoding and
// with others, and clasp (core-guided) on the WCNF of the first. Processor time of the whole process, for
// clasp without the time to write the file. A problem not proved within the time limit counts as the limit.
//
//   clauses_bench [--seconds S] [--only DOMAIN] [ENCODING...]          by default: auto, published
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bnnplan/base/child_process.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/published.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bnnplan;

struct Range {
  const char *domain, *instance;
  int first_horizon, last_horizon;
};
const std::vector<Range> ranges{{"navigation", "3x3", 4, 10}, {"navigation", "4x4", 5, 7},
                                {"inventory", "1", 5, 8},     {"inventory", "2", 5, 8},
                                {"sysadmin", "4", 2, 2},      {"cellda", "y", 8, 8}};

double children_seconds() {
  struct rusage usage {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Timed {
  double seconds = 0;
  bool proved = false;
};

Timed timed(const std::vector<std::string>& command, double limit, const std::string& proof) {
  ChildRequest request;
  // The limit is on processor time; the shell only sets it.
  request.command = {"sh", "-c", fmt::format("ulimit -t {}; exec \"$@\"", static_cast<int>(limit)), "sh"};
  request.command.insert(request.command.end(), command.begin(), command.end());
  const double before = children_seconds();
  const ChildResult result = run_child(request);
  Timed timed;
  timed.proved = result.end == ChildEnd::exited && result.output.find(proof) != std::string::npos;
  timed.seconds = timed.proved ? children_seconds() - before : limit;
  return timed;
}

}  // namespace

int main(int argc, char** argv) {
  double limit = 60;
  std::string only;
  std::vector<std::string> encodings;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--seconds" && i + 1 < argc) {
      limit = std::atof(argv[++i]);
    } else if (std::string(argv[i]) == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else {
      encodings.emplace_back(argv[i]);
    }
  }
  if (encodings.empty()) encodings = {"auto", "published"};
  if (!testing::published_present()) {
    fmt::print("the published files are not at {} (set BNNPLAN_PUBLISHED)\n",
               testing::published_folder().string());
    return 0;
  }
  const testing::TemporaryFolder folder;
  std::vector<std::string> names;
  for (const std::string& encoding : encodings) names.push_back("maxsat " + encoding);
  names.push_back("clasp " + encodings[0]);
  fmt::print("{:<20}", "problem");
  for (const std::string& name : names) fmt::print(" {:>17}", name);
  fmt::print("\n");
  std::vector<double> sums(names.size());
  std::vector<int> proved(names.size());
  for (const Range& range : ranges) {
    if (!only.empty() && only != range.domain) continue;
    const auto file = folder / fmt::format("{}_{}.toml", range.domain, range.instance);
    Problem problem = read_fd_sat_plan(testing::published_folder(), range.domain, range.instance);
    problem.network_file = file.stem().string() + ".bnn";
    write_problem(file, problem);
    for (int horizon = range.first_horizon; horizon <= range.last_horizon; ++horizon) {
      fmt::print("{:<20}", fmt::format("{} H={}", problem.name, horizon));
      const std::string steps = std::to_string(horizon);
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& encoding = encodings[i < encodings.size() ? i : 0];
        Timed result;
        if (i < encodings.size()) {
          result = timed({BNNPLAN_PROGRAM, "plan", file.string(), "-H", steps, "--engine", "maxsat",
                          "--neurons", encoding},
                         limit, "proved\n");
        } else {
          const std::string wcnf = (folder / "model.wcnf").string();
          testing::run_program({BNNPLAN_PROGRAM, "encode", file.string(), "-H", steps, "--to", "wcnf-classic",
                                "--neurons", encoding, "-o", wcnf});
          result = timed({"clasp", "--opt-strategy=usc", wcnf}, limit, "s OPTIMUM FOUND");
        }
        sums[i] += result.seconds;
        proved[i] += result.proved ? 1 : 0;
        fmt::print(" {:>17}", result.proved ? fmt::format("{:.2f}", result.seconds) : "-");
        std::fflush(stdout);
      }
      fmt::print("\n");
    }
  }
  fmt::print("{:<20}", "proved, seconds");
  for (std::size_t i = 0; i < names.size(); ++i)
    fmt::print(" {:>17}", fmt::format("{}, {:.1f}", proved[i], sums[i]));
  fmt::print("\n");
  return 0;
}
