#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

enum class References : std::uint8_t;  // problem/problem_file.hpp

// A participant of the comparison: one of our engines, or another solver on files we write.
struct Entrant {
  std::string name;  // "search", "clasp (opb)"
  bool ours = true;
  std::vector<std::string> arguments;  // for `bnnplan plan`
};

// Requires that the engine exists.
Entrant engine_entrant(const std::string& engine);

// A solver from "CMD ARGS", "FORMAT: CMD ARGS" or "FORMAT+ENCODING: CMD ARGS", the encoding being that of
// neurons. Throws InputError for an unknown format or encoding, a missing program, and if the format is
// neither given nor known for the program.
Entrant solver_entrant(const std::string& text);

// A problem with a horizon.
struct Task {
  std::string name;    // navigation_3x3_4
  std::string family;  // navigation_3x3
  std::string file;
  int horizon = 0;
  std::string digest;       // of the problem and its network; identifies what results are for
  References references{};  // what its problem file may refer to
  bool maximize = false;    // whether it has a reward, which is minus the cost
};

// From "FILE", "FILE@4,6" or "FILE@4-10"; without horizons, that of the file. Reads the problem. Throws
// InputError.
std::vector<Task> tasks_of(const std::string& text, References references = {});

// Shortens the families: a name ends before the first `end` after its first character, if there is one.
void cut_families(std::vector<Task>& tasks, const std::string& end);

// The settings that all runs share.
struct BenchSettings {
  double seconds = 60;  // of one run, wall time
  std::size_t memory_mebibytes = 2000;
  int repetitions = 1;
  bool warm_up = true;  // an unmeasured run of at most a second before the first of a pair
  // An entrant that fails on this many problems of a family in a row is not run on later ones; 0: all are
  // run.
  int give_up_after = 0;
  std::optional<int> core;  // to run on
  std::string program;      // bnnplan
};

}  // namespace bnnplan
