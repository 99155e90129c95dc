#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "encode/neuron_encoding.hpp"
#include "formats/model_format.hpp"
#include "suite/ladder.hpp"
#include "suite/suite.hpp"

namespace bnnplan {

// One line of the index of an extended suite, by column: a problem, a file of it, and what is known of its optimum.
// extended_columns() says what there is; a column without a value is empty.
using ExtendedEntry = std::map<std::string, std::string>;
const std::vector<std::string>& extended_columns();

// Comma-separated values with a header; the second throws InputError at file:line for anything that the first does not
// write.
std::string extended_index_text(const std::vector<ExtendedEntry>& entries);
std::vector<ExtendedEntry> parse_extended_index(std::string_view text, std::string_view file_name);

struct ExtendedOptions {
  std::filesystem::path domains;  // folder of the four domains
  std::filesystem::path output;   // folder to write to; made if it is not there
  std::vector<const ModelFormat*> formats;
  NeuronEncoding neurons = NeuronEncoding::automatic;
  std::string packing;    // "", "gz" or "xz"
  bool gap_free = false;  // of WCNF, CNF and OPB files
  bool proof = false;
  std::vector<std::string> engines = {"auto"};  // whose times are in the index
  std::uint64_t seed = 1;
  std::string family;             // only this one, if not empty
  std::vector<std::string> only;  // these problems instead of the ladder, if not empty; any names
  std::string version;            // of the program, for the index
  Limits limits;                  // of each engine on each problem
  std::function<void(const SuiteProgress&)> progress;
};

struct ExtendedResult {
  std::vector<ExtendedEntry> entries;    // the whole index, also what earlier runs wrote
  std::size_t made = 0, kept = 0;        // files, in this run; complete before it
  std::size_t unproved = 0, proofs = 0;  // wanted problems without an optimum; with a checked proof
  bool interrupted = false;
};

// The wanted problems in order. Throws InputError for unknown names and families.
std::vector<LadderProblem> wanted_ladder(const ExtendedOptions& options);

// Writes each problem as a problem file with its network, as a file of each format with its map, and, where one was wanted
// and found in time, with a proof that was checked from the problem file on; and, after each, the index `index.csv`. What the
// index has already, with its file complete, is not done again, but for problems that were given less time than now. Throws
// InputError, and std::logic_error if engines disagree or the checker refuses a proof.
ExtendedResult make_extended_suite(const ExtendedOptions& options);

// Moves what make_extended_suite wrote into one folder to another, as take_suite_part does. Lines of the index are in the order of
// the wanted problems then. Throws InputError.
void take_extended_part(const std::filesystem::path& part, const std::filesystem::path& folder,
                        const std::vector<LadderProblem>& wanted);

}  // namespace bnnplan
