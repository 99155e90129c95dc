#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "bnnplan/verify/verify.hpp"

namespace bnnplan::verification {

struct LabelledFile {
  std::filesystem::path file;
  std::size_t label = 0;
};

// The inputs in a folder (.png, .npy, .csv, .txt), in the order of their names, with their classes:
// NAME_labelCLASS.png in the folder itself, or NAME.png in a subfolder named after the class. Throws
// InputError for a file whose class is not one of the network's, and if there is no such file at all.
std::vector<LabelledFile> labelled_files(const std::filesystem::path& folder, const Network& network);

struct FolderRow {
  LabelledFile input;
  VerifyOutcome outcome;
  double seconds = 0;
};

struct FolderSummary {
  std::size_t inputs = 0;
  std::size_t right = 0;    // classified as their label
  std::size_t robust = 0;   // proved: no counterexample within epsilon, or none at all
  std::size_t refuted = 0;  // a counterexample was found
  std::size_t unknown = 0;  // neither
  std::size_t proved = 0;   // without an epsilon: the nearest, proved
  mpq_class distances = 0;  // the sum of their distances
  double seconds = 0;
  bool stopped = false;  // by an interrupt, before all inputs were processed
};

// Asks the query about each file, with the file's values and label. The limits apply to each file, the
// interrupt to all.
FolderSummary verify_files(const Network& network, const std::vector<LabelledFile>& files, VerifyQuery query,
                           const VerifyRequest& request, bool transpose_pictures,
                           const std::function<void(const FolderRow&)>& told);

// Text: a row of a table, the line above the table, and the summary below it.
std::string folder_headline();
std::string folder_row_text(const Network& network, const VerifyQuery& query, const FolderRow& row);
std::string folder_summary_text(const VerifyQuery& query, const FolderSummary& summary);

}  // namespace bnnplan::verification
