// What each technique of the embedded MaxSAT solver is worth: every family of formulas with everything on,
// with each technique alone switched off, and with the other strategy. Prints how many formulas were solved
// within the time limit and the total seconds, unsolved ones at the limit. All times are processor times,
// which other load on the machine affects least.
//
//   maxsat_bench [--seconds S] [--only CONFIGURATION] [FILE.wcnf...]   files instead of generated families
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/time.h>

#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "support/formula_families.hpp"

namespace {

using namespace bnnplan;
using bnnplan::testing::Random;

std::atomic<bool> time_is_up = false;

// Sets time_is_up after this many seconds of processor time.
void start_timer(double seconds) {
  time_is_up = false;
  struct sigaction action {};
  action.sa_handler = [](int) { time_is_up = true; };
  ::sigaction(SIGPROF, &action, nullptr);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

struct Configuration {
  std::string name;
  maxsat::MaxSatOptions options;
};

std::vector<Configuration> configurations() {
  std::vector<Configuration> result = {{"everything", {}}};
  const auto without = [&](const std::string& name, bool maxsat::MaxSatOptions::*option) {
    maxsat::MaxSatOptions options;
    options.*option = false;
    result.push_back({"no " + name, options});
  };
  without("at-most-one", &maxsat::MaxSatOptions::at_most_one_detection);
  without("stratification", &maxsat::MaxSatOptions::stratification);
  without("hardening", &maxsat::MaxSatOptions::hardening);
  without("weight-aware", &maxsat::MaxSatOptions::weight_aware_extraction);
  without("minimisation", &maxsat::MaxSatOptions::core_minimisation);
  without("exhaustion", &maxsat::MaxSatOptions::core_exhaustion);
  maxsat::MaxSatOptions cores;
  cores.boosting.reset();
  result.push_back({"no boosting", cores});
  maxsat::MaxSatOptions improve;
  improve.strategy = maxsat::MaxSatStrategy::improve;
  result.push_back({"improve", improve});
  return result;
}

struct Family {
  std::string name;
  std::vector<formats::Wcnf> formulas;
};

std::vector<Family> families() {
  std::vector<Family> result;
  const auto add = [&](const std::string& name, int count,
                       const std::function<formats::Wcnf(Random&)>& make) {
    Random random(result.size() + 1);
    Family family{name, {}};
    for (int i = 0; i < count; ++i) family.formulas.push_back(make(random));
    result.push_back(std::move(family));
  };
  using namespace bnnplan::testing;
  add("3-sat w=1", 8, [](Random& r) { return random_three_sat(r, 100, 3.0, 1); });
  add("3-sat w<=50", 8, [](Random& r) { return random_three_sat(r, 90, 3.0, 50); });
  add("max-2-sat", 8, [](Random& r) { return max_two_sat(r, 60, 220, 10); });
  add("max-cut", 8, [](Random& r) { return max_cut(r, 40, 100, 10); });
  add("cover w=1", 8, [](Random& r) { return vertex_cover(r, 100, 260, 1); });
  add("cover w<=50", 8, [](Random& r) { return vertex_cover(r, 130, 400, 50); });
  add("cover dense", 8, [](Random& r) { return vertex_cover(r, 60, 900, 50); });
  add("set cover", 8, [](Random& r) { return set_cover(r, 150, 60, 20); });
  add("huge weights", 8, [](Random& r) { return set_cover(r, 150, 60, std::int64_t{1} << 50); });
  add("scheduling", 8, [](Random& r) { return scheduling(r, 16, 6, 40, 6); });
  add("circuit w=1", 8, [](Random& r) { return unrolled_circuit(r, 40, 10, 1); });
  add("circuit w<=8", 8, [](Random& r) { return unrolled_circuit(r, 40, 10, 8); });
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  std::string only;
  std::vector<Family> measured;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else {
      measured.push_back({argument.substr(argument.rfind('/') + 1), {formats::read_wcnf(argument)}});
    }
  }
  if (measured.empty()) measured = families();
  fmt::print("{:<18}", "family");
  for (const Configuration& configuration : configurations()) {
    if (only.empty() || only == configuration.name) fmt::print("{:>20}", configuration.name);
  }
  fmt::print("\n");
  for (const Family& family : measured) {
    fmt::print("{:<18}", family.name);
    for (const Configuration& configuration : configurations()) {
      if (!only.empty() && only != configuration.name) continue;
      double sum = 0;
      int solved = 0;
      for (const formats::Wcnf& formula : family.formulas) {
        maxsat::MaxSatRequest request;
        request.options = configuration.options;
        request.limits.interrupt = &time_is_up;
        start_timer(seconds);
        const std::clock_t start = std::clock();
        const maxsat::MaxSatOutcome outcome = maxsat::solve_maxsat(formula, request);
        sum += std::min(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, seconds);
        if (outcome.status == Status::optimal || outcome.status == Status::infeasible) ++solved;
      }
      fmt::print("{:>20}", fmt::format("{}/{} {:.2f} s", solved, family.formulas.size(), sum));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  return 0;
}
