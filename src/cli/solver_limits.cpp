// The limits of the commands that are solvers by themselves: maxsat and pb.
#include "cli/options.hpp"

namespace bnnplan {

void SolverLimits::add_to(CLI::App& command) {
  command.add_option("--time-limit", seconds, "Stop after this many seconds of wall time")
      ->check(positive_number())
      ->type_name("S");
  command.add_option("--memory-limit", memory_mebibytes, "Stop when using more memory than this")
      ->check(whole_number(1, most_mebibytes))
      ->type_name("MIB");
  command.add_option("--seed", seed, "Seed of the solver")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
}

Limits SolverLimits::after(double seconds_used) const {
  Limits limits;
  limits.seconds = time_left(seconds, seconds_used);
  if (memory_mebibytes) limits.memory_bytes = *memory_mebibytes << 20;
  limits.seed = seed;
  return limits;
}

}  // namespace bnnplan
