#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "formats/model_format.hpp"
#include "suite/suite_index.hpp"

namespace bnnplan {

enum class SuiteSource : std::uint8_t { shipped, published };

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
  std::filesystem::path folder;  // of the shipped models, or of the FD-SAT-Plan files
  std::filesystem::path output;  // folder to write to; made if it is not there
  const ModelFormat* format = nullptr;
  std::string packing;            // "", or how files are packed: "gz", "xz"
  std::string family;             // only this one, if not empty
  std::vector<std::string> only;  // only these problems, if not empty
  Limits limits;                  // of each problem
  std::function<void(const SuiteProgress&)> progress;
};

struct SuiteResult {
  std::vector<SuiteEntry> entries;  // the whole index, also what earlier runs wrote
  std::size_t made = 0, kept = 0;   // in this run; complete before it
  std::size_t unproved = 0;         // among the wanted ones
  bool interrupted = false;
};

// Writes the problems as files and, after each, the index `index.csv` beside them. What the index has
// already, proved and with its file complete, is not done again; so an interrupted run goes on where it was.
// Throws InputError for unknown names and whatever is wrong with models or folders.
SuiteResult make_suite(const SuiteOptions& options);

// The problems that the options name, in order. Throws InputError as make_suite.
std::vector<SuiteProblem> wanted_problems(const SuiteOptions& options);

// Moves what make_suite wrote into one folder, files and lines of the index, to another on the same file system. A file is there
// before its line. Throws InputError.
void take_suite_part(const std::filesystem::path& part, const std::filesystem::path& folder,
                     SuiteSource source);

// The files alone.
void move_suite_files(const std::filesystem::path& part, const std::filesystem::path& folder);

}  // namespace bnnplan
