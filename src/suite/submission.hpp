#pragma once

#include <filesystem>
#include <string>

#include "suite/suite.hpp"

namespace bnnplan {

enum class Competition : std::uint8_t { maxsat, pb };

struct SubmissionResult {
  SuiteResult suite;
  std::filesystem::path archive;
  bool pdf = false;         // the description could be made
  std::string pdf_refusal;  // or why not
};

// What the MaxSAT Evaluation or the PB Competition asks for, in the folder of the options:
//   benchmarks/        the files, WCNF of 2022 or OPB, numbered without gaps and packed by xz, and their index
//   description.tex    what they are, how they are named, how hard they are as measured; authors are to be filled in
//   description.pdf    the same, if there is a pdflatex
//   application/       for MaxSAT: the application for the incremental track, growing horizons, with a makefile
//   README             what is where
// and an archive of it all beside these. Formats, packing and numbering of the options are not used. Goes on where it was
// interrupted, and makes description and archive when all files are there. Throws InputError, also where there is no tar.
SubmissionResult make_submission(Competition competition, SuiteOptions options);

// The description, from the index.
std::string description_text(Competition competition, const std::vector<SuiteEntry>& entries,
                             const std::string& version);

}  // namespace bnnplan
