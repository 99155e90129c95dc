#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "encode/neuron_encoding.hpp"
#include "formats/model_format.hpp"
#include "problem/problem.hpp"
#include "suite/suite_index.hpp"

namespace bnnplan {

// The 45 problems, by our own networks or by the published ones, or the ladder of new ones (ladder.hpp).
enum class SuiteSource : std::uint8_t { shipped, published, ladder };

// One of the 45 problems.
struct SuiteProblem {
  std::string family, instance;  // navigation, 3x3
  int horizon = 0;

  std::string name() const;  // navigation_3x3_4
};

// All of them in order. The published inventory instances are called 1 and 2 where ours are called 2 and 4.
std::vector<SuiteProblem> suite_problems(SuiteSource source);

struct SuiteProgress {
  std::size_t done = 0, all = 0;
  std::string name, activity;  // "planning", "writing", or what was found
  bool finished = false;       // this problem
};

struct SuiteOptions {
  SuiteSource source = SuiteSource::shipped;
  std::filesystem::path folder;  // of the shipped models, of the FD-SAT-Plan files, or of the four domains
  std::filesystem::path output;  // folder to write to; made if it is not there
  std::vector<const ModelFormat*> formats;
  NeuronEncoding neurons = NeuronEncoding::automatic;
  std::string packing;    // "", "gz" or "xz"
  bool gap_free = false;  // of WCNF, CNF and OPB files
  bool proof = false;
  std::vector<std::string> engines = {"auto"};  // whose times are in the index
  std::uint64_t seed = 1;                       // of the ladder
  std::string family;                           // only this one, if not empty
  std::vector<std::string> only;                // only these problems, if not empty; of the ladder any names
  std::string version;                          // of the program, for the index
  Limits limits;                                // of each engine on each problem
  std::function<void(const SuiteProgress&)> progress;
};

struct SuiteResult {
  std::vector<SuiteEntry> entries;       // the whole index, also what earlier runs wrote
  std::size_t made = 0, kept = 0;        // files, in this run; complete before it
  std::size_t unproved = 0, proofs = 0;  // wanted problems without a proved answer; with a checked proof
  bool interrupted = false;
};

// A problem of a suite, and how it is made. `make` throws InputError, and LimitReached if the watch says so.
struct WantedProblem {
  std::string name, family, seed;  // the seed of a problem of the ladder
  std::function<Problem(LimitWatch&)> make;
};

// The wanted problems in order. Throws InputError for unknown names and families.
std::vector<WantedProblem> wanted_problems(const SuiteOptions& options);

// Writes each problem as a problem file with its network, as a file of each format with its map, and, where one was wanted
// and found in time, with a proof that was checked from the problem file on; and, after each, the index `index.csv`. What the
// index has already, with its file complete, is not done again, but for problems that were given less time than now. Throws
// InputError, and std::logic_error if engines disagree or the checker refuses a proof.
SuiteResult make_suite(const SuiteOptions& options);

// Moves what make_suite wrote into one folder, files and lines of the index, to that of the options on the same file system. A
// file is there before its line. Throws InputError.
void take_suite_part(const std::filesystem::path& part, const SuiteOptions& options);

}  // namespace bnnplan
