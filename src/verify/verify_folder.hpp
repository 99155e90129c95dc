#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "verify/verify.hpp"

namespace bnnplan {

struct LabelledFile {
  std::filesystem::path file;
  std::size_t label = 0;
};

// The inputs in a folder (.png, .npy, .csv, .txt), in the order of their names, with their classes: NAME_labelCLASS.png
// in the folder itself, or NAME.png in a folder of the class's name within it. Throws InputError for a file whose class
// is none of the network's, and if there is no such file at all.
std::vector<LabelledFile> labelled_files(const std::filesystem::path& folder, const Network& network);

struct FolderRow {
  LabelledFile input;
  VerifyOutcome outcome;
  double seconds = 0;
};

struct FolderSummary {
  std::size_t inputs = 0;
  std::size_t right = 0;    // classified as their label as they are
  std::size_t robust = 0;   // proved: none within epsilon, or none at all
  std::size_t refuted = 0;  // one was found
  std::size_t unknown = 0;  // neither
  std::size_t proved = 0;   // without an epsilon: the nearest, proved
  mpq_class distances = 0;  // the sum of these
  double seconds = 0;
  bool stopped = false;  // by an interrupt, before all inputs were looked at
};

// Asks the query about each of the files; its values and label are theirs. The limits are for each of them, the
// interrupt for all.
FolderSummary verify_files(const Network& network, const std::vector<LabelledFile>& files, VerifyQuery query,
                           const VerifyRequest& request, bool transpose_pictures,
                           const std::function<void(const FolderRow&)>& told);

// For people: a row of a table, the line above the table, and what is to be said below it.
std::string folder_headline();
std::string folder_row_text(const Network& network, const VerifyQuery& query, const FolderRow& row);
std::string folder_summary_text(const VerifyQuery& query, const FolderSummary& summary);

}  // namespace bnnplan
