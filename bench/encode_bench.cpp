// How fast problems become files: clauses written per second and peak memory, for the published networks if
// present and otherwise for random networks of the same shapes. Everything goes to /dev/null, so that the
// disk is not measured. An argument names the neuron encoding to use.
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/formats/clause_writer.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/simplify.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"

using namespace bnnplan;

namespace {

struct Case {
  const char* domain;
  const char* instance;
  int horizon;
  testing::RandomNetworkProblem stand_in;
};

Problem problem_of(const Case& entry) {
  if (!testing::published_present()) return testing::random_network_problem(1, entry.stand_in);
  Problem problem = read_fd_sat_plan(testing::published_folder(), entry.domain, entry.instance);
  set_horizon(problem, entry.horizon);
  return problem;
}

}  // namespace

int main(int argc, char** argv) {
  encoding::LoweringOptions options;
  if (argc > 1) {
    const auto named = encoding::neuron_encoding_named(argv[1]);
    if (!named) {
      fmt::print(stderr, "unknown encoding '{}'\n", argv[1]);
      return 1;
    }
    options.neurons.encoding = *named;
  }
  const std::vector<Case> cases{{"navigation", "3x3", 4, {9, 4, 1, 4, {36, 36}}},
                                {"navigation", "5x5", 10, {25, 4, 1, 10, {128, 128}}},
                                {"sysadmin", "5", 4, {15, 5, 5, 4, {128, 128, 128}}}};
  fmt::print("{:<18}{:>10}{:>12}{:>12}{:>10}{:>14}{:>12}\n", "problem", "neurons", "variables", "clauses",
             "seconds", "M clauses/s", "peak MiB");
  for (const Case& entry : cases) {
    const Problem problem = problem_of(entry);
    const model::ZeroOneModel model = model::simplify(model::unroll(problem)).model;
    encoding::CountingSink counter;
    encoding::lower(model, options, counter);
    double best = 1e9;
    for (int repetition = 0; repetition < 3; ++repetition) {
      const Stopwatch watch;
      OutputFile file("/dev/null");
      formats::write_wcnf(model, options, file);
      file.commit();
      best = std::min(best, watch.seconds());
    }
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    fmt::print("{:<18}{:>10}{:>12}{:>12}{:>10.3f}{:>14.1f}{:>12.0f}\n",
               fmt::format("{} {} H={}", entry.domain, entry.instance, problem.horizon), model.neurons.size(),
               counter.size().variables + model.layout.variable_count(), counter.size().clauses, best,
               static_cast<double>(counter.size().clauses) / best / 1e6,
               static_cast<double>(usage.ru_maxrss) / 1024);
  }
}
