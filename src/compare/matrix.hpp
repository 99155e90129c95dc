#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

enum class References : std::uint8_t;  // problem/problem_file.hpp

// One of those who are compared: an engine of ours, or a solver on files we write.
struct Entrant {
  std::string name;  // "search", "clasp (opb)"
  bool ours = true;
  std::vector<std::string> arguments;  // of `bnnplan plan`
};

// An engine by its name, which must exist.
Entrant engine_entrant(const std::string& engine);

// A solver from "CMD ARGS", "FORMAT: CMD ARGS" or "FORMAT+ENCODING: CMD ARGS", the encoding that of neurons. Throws InputError
// for an unknown format or encoding, a program that is not there, and where the format is neither given nor known for the program.
Entrant solver_entrant(const std::string& text);

// A problem with a horizon.
struct Task {
  std::string name;    // navigation_3x3_4
  std::string family;  // navigation_3x3
  std::string file;
  int horizon = 0;
  std::string digest;       // of the problem and its network: results belong to these
  References references{};  // what its problem file may name
  bool maximize = false;    // whether it is about a reward, which is minus the cost
};

// From "FILE", "FILE@4,6" or "FILE@4-10"; without horizons that of the file. Reads the problem. Throws
// InputError.
std::vector<Task> tasks_of(const std::string& text, References references = {});

// The families are cut short: a name up to the first `end`, where it has one behind its first character.
void cut_families(std::vector<Task>& tasks, const std::string& end);

// What all runs have in common.
struct BenchSettings {
  double seconds = 60;  // of one run, wall time
  std::size_t memory_mebibytes = 2000;
  int repetitions = 1;
  bool warm_up = true;  // an unmeasured run of a second at most before the first of a pair
  // Who does not solve so many problems of a family in a row is not run on its later ones; 0: everybody is.
  int give_up_after = 0;
  std::optional<int> core;  // to run on
  std::string program;      // bnnplan
};

}  // namespace bnnplan
