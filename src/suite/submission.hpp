#pragma once

#include <filesystem>
#include <string>

#include "suite/suite.hpp"

namespace bnnplan {

enum class Competition : std::uint8_t { maxsat, pb };

struct SubmissionResult {
  SuiteResult suite;
  std::filesystem::path archive;
  bool pdf = false;         // the description could be compiled
  std::string pdf_refusal;  // why not
};

// What the MaxSAT Evaluation or the PB Competition asks for, in the folder of the options:
//   benchmarks/        the files, WCNF of 2022 or OPB, numbered without gaps, packed with xz, and their index
//   description.tex    what they are, how they are named, how hard they are as measured; authors to be added
//   description.pdf    the same, if there is a pdflatex
//   application/       for MaxSAT: the application for the incremental track, growing horizons, with makefile
//   README             what is where
// and an archive of all of this next to it. Formats, packing and numbering of the options are ignored.
// Resumes after an interruption, and writes description and archive once all files exist. Throws InputError,
// also if tar is missing.
SubmissionResult make_submission(Competition competition, SuiteOptions options);

// The description, generated from the index.
std::string description_text(Competition competition, const std::vector<SuiteEntry>& entries,
                             const std::string& version);

}  // namespace bnnplan
