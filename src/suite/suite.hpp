#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/formats/model_format.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/suite/suite_index.hpp"

namespace bnnplan::suite {

// The 45 problems, with our own networks or the published ones, or the ladder of new ones (ladder.hpp).
enum class SuiteSource : std::uint8_t { shipped, published, ladder };

// One of the 45 problems.
struct SuiteProblem {
  std::string family, instance;  // navigation, 3x3
  int horizon = 0;

  std::string name() const;  // navigation_3x3_4
};

// All of them in order. The published inventory instances are called 1 and 2, ours 2 and 4.
std::vector<SuiteProblem> suite_problems(SuiteSource source);

struct SuiteProgress {
  std::size_t done = 0, all = 0;
  std::string name, activity;  // "planning", "writing", or the result
  bool finished = false;       // with this problem
};

struct SuiteOptions {
  SuiteSource source = SuiteSource::shipped;
  std::filesystem::path folder;  // of the shipped models, of the FD-SAT-Plan files, or of the four domains
  std::filesystem::path output;  // folder to write to; created if it does not exist
  std::vector<std::string> formats = {"wcnf"};  // names of model_formats()
  encoding::NeuronEncoding neurons = encoding::NeuronEncoding::automatic;
  std::string packing;    // "", "gz" or "xz"
  bool gap_free = false;  // of WCNF, CNF and OPB files
  bool proof = false;
  std::vector<std::string> engines = {"auto"};  // the engines whose times are in the index
  std::uint64_t seed = 1;                       // of the ladder
  std::string family;                           // only this one, if not empty
  std::vector<std::string> only;    // only these problems, if not empty; for the ladder, any valid names
  std::string version;              // of the program, for the index
  Limits limits = whole_machine();  // of each engine on each problem
  std::function<void(const SuiteProgress&)> progress;
};

struct SuiteResult {
  std::vector<SuiteEntry> entries;       // the whole index, including what earlier runs wrote
  std::size_t made = 0, kept = 0;        // files written in this run; complete before it
  std::size_t unproved = 0, proofs = 0;  // wanted problems without a proved answer; with a checked proof
  bool interrupted = false;
};

// A problem of a suite, and how to make it. `make` throws InputError, and LimitReached if a limit is reached.
struct WantedProblem {
  std::string name, family, seed;  // the seed of a problem of the ladder
  std::function<Problem(LimitWatch&)> make;
};

// The wanted problems in order. Throws InputError for unknown names and families.
std::vector<WantedProblem> wanted_problems(const SuiteOptions& options);

// Writes each problem as a problem file with its network, as a file of each format with its map, and, if one
// was wanted and found in time, with a proof that was checked against the problem file; and, after each, the
// index `index.csv`. Entries that are already in the index, with a complete file, are not made again, except
// for problems that had less time than now. Throws InputError, and std::logic_error if engines disagree or
// the checker refuses a proof.
SuiteResult make_suite(const SuiteOptions& options);

// Moves what make_suite wrote into one folder, files and lines of the index, to that of the options on the
// same file system. A file is moved before its line. Throws InputError.
void take_suite_part(const std::filesystem::path& part, const SuiteOptions& options);

}  // namespace bnnplan::suite
