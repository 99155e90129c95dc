#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::comparison {

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

// What is to be compared, and how.
struct BenchOptions {
  std::vector<std::string> problems;          // as tasks_of takes them
  std::vector<std::string> engines, solvers;  // solvers as solver_entrant takes them; neither: all engines
  double seconds = 60;                        // of one run, wall time
  std::size_t memory_mebibytes = 2000;        // of one run
  int repetitions = 1;
  // An entrant that fails on this many problems of a family in a row is not run on later ones.
  std::optional<int> give_up_after;
  std::string family_end;   // as cut_families takes it; empty: families are not cut
  bool cold = false;        // otherwise an unmeasured run of at most a second precedes the first of a pair
  std::optional<int> core;  // to run on; nothing: the last one
  bool any_core = false;    // runs are not tied to a core
  References references{};  // what problem files may refer to
  std::filesystem::path folder;   // of the runs; created if it does not exist
  bool fresh = false;             // discard the runs that are there
  std::filesystem::path program;  // bnnplan, which is started for each run
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const std::string& text)> progress;  // before each run: what is next, and the time left
};

}  // namespace bnnplan::comparison
