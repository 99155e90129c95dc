// The extended suite: files, maps, proofs and figures of a few small problems in every format; starting
// again.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "bnnplan/base/sha256.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "bnnplan/suite/suite.hpp"
#include "support/input_error_of.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::suite {
namespace {

using testing::input_error_of;
using testing::run_bnnplan;
using testing::TemporaryFolder;

const std::vector<std::string> small = {"navigation-known_n3_h5_s1", "random_n6_a4_g4_w8_l2_h2_s1",
                                        "perturbation_n8_w6_l2_s2"};

SuiteOptions extended_options(const std::filesystem::path& output) {
  SuiteOptions options;
  options.source = SuiteSource::ladder;
  options.folder = BNNPLAN_SOURCE_DIR "/domains";
  options.output = output;
  options.only = small;
  options.version = "1.0";
  options.limits.seconds = 60;
  return options;
}

std::int64_t number(const SuiteEntry& entry, const std::string& column) {
  return std::stoll(entry.at(column));
}

TEST(ExtendedSuite, EveryFormatWithMapsFiguresAndProofs) {
  const TemporaryFolder folder;
  SuiteOptions options = extended_options(folder.path());
  options.formats.clear();
  for (const formats::ModelFormat& format : formats::model_formats())
    options.formats.emplace_back(format.name);
  options.proof = true;
  options.engines = {"search", "neuron", "maxsat"};
  const SuiteResult result = make_suite(options);
  EXPECT_EQ(result.made, small.size() * formats::model_formats().size());
  EXPECT_EQ(result.entries.size(), result.made);
  EXPECT_EQ(result.unproved, 0u);
  EXPECT_EQ(result.proofs, small.size());
  EXPECT_TRUE(parse_suite_index(read_text_file(folder / "index.csv"), "index.csv") == result.entries);
  for (const SuiteEntry& entry : result.entries) {
    SCOPED_TRACE(entry.at("file"));
    const std::filesystem::path file = folder / entry.at("file");
    EXPECT_EQ(entry.at("sha256"), file_sha256(file));
    EXPECT_EQ(number(entry, "bytes"), static_cast<std::int64_t>(std::filesystem::file_size(file)));
    EXPECT_EQ(entry.at("version"), "1.0");
    EXPECT_EQ(entry.at("status"), "optimal");
    EXPECT_NE(entry.at("times").find("search "), std::string::npos);
    EXPECT_NE(entry.at("times").find(";neuron "), std::string::npos);
    const std::string problem = folder / (entry.at("name") + ".toml"), proof = folder / entry.at("proof");
    const auto checked = run_bnnplan({"check-proof", problem, proof});
    EXPECT_EQ(checked.exit_code, 0) << checked.output;
    EXPECT_NE(checked.output.find("optimal, cost " + entry.at("optimum")), std::string::npos)
        << checked.output;
    if (entry.at("format") == "opb") {
      EXPECT_EQ(run_bnnplan({"check-proof", file.string(), proof}).exit_code, 0);
    }
    // The optimum in the file's own value, by a solver that knows nothing else.
    if (entry.at("format") == "wcnf" || entry.at("format") == "wcnf-classic") {
      const formats::Wcnf formula = formats::read_wcnf(file);
      EXPECT_EQ(std::to_string(*maxsat::solve_maxsat(formula).cost), entry.at("value"));
      EXPECT_EQ(number(entry, "hard"), static_cast<std::int64_t>(formula.hard.size()));
      EXPECT_EQ(number(entry, "soft"), static_cast<std::int64_t>(formula.soft.size()));
      EXPECT_EQ(number(entry, "clauses"), number(entry, "hard"));
      EXPECT_GE(number(entry, "variables"), number(entry, "used"));
    }
    if (entry.at("format") == "opb") {
      const auto run = run_bnnplan({"pb", file.string()});
      EXPECT_NE(run.output.rfind("o " + entry.at("value") + "\n"), std::string::npos) << run.output;
      EXPECT_EQ(number(entry, "hard"), number(entry, "clauses") + number(entry, "cardinalities") +
                                           number(entry, "equations") + number(entry, "weighted"));
    }
  }
  // Again: nothing to do. With a file damaged: that one.
  EXPECT_EQ(make_suite(options).kept, result.made);
  std::ofstream(folder / result.entries[3].at("file"), std::ios::app) << "* damaged\n";
  const SuiteResult mended = make_suite(options);
  EXPECT_EQ(mended.made, 1u);
  EXPECT_TRUE(mended.entries == result.entries);
}

TEST(ExtendedSuite, FilesWithoutGapsDecodeByTheirMaps) {
  const TemporaryFolder folder;
  for (const char* packing : {"", "gz", "xz"}) {
    SuiteOptions options = extended_options(folder.path());
    options.formats = {"wcnf", "wcnf-classic", "opb"};
    options.gap_free = true;
    options.packing = packing;
    options.neurons = packing == std::string("gz") ? encoding::NeuronEncoding::published
                                                   : encoding::NeuronEncoding::automatic;
    const SuiteResult result = make_suite(options);
    for (const SuiteEntry& entry : result.entries) {
      if (!entry.at("file").ends_with(*packing == '\0' ? std::string("f") : "." + std::string(packing)) &&
          *packing != '\0')
        continue;
      SCOPED_TRACE(entry.at("file"));
      EXPECT_EQ(entry.at("used"), entry.at("variables")) << "there are gaps";
      const std::string file = folder / entry.at("file"), map = folder / entry.at("map");
      const auto solved = run_bnnplan({entry.at("format") == "opb" ? "pb" : "maxsat", file});
      ASSERT_EQ(solved.exit_code, 30) << solved.errors;
      const std::string answer = folder.write("answer.txt", solved.output);
      const std::string problem = folder / (entry.at("name") + ".toml");
      const auto decoded = run_bnnplan({"decode", problem, answer, "--map", map});
      EXPECT_EQ(decoded.exit_code, 0) << decoded.output << decoded.errors;
      EXPECT_NE(decoded.output.find("cost " + entry.at("optimum") + ","), std::string::npos)
          << decoded.output;
    }
    EXPECT_EQ(result.made, 3 * small.size());
  }
}

TEST(ExtendedSuite, EveryFileIsValidToTheLetter) {
  if (testing::run_program({"python3", "--version"}).exit_code != 0) GTEST_SKIP() << "no python3 here";
  const TemporaryFolder folder;
  SuiteOptions options = extended_options(folder.path());
  options.formats = {"wcnf", "wcnf-classic", "cnf", "opb"};
  std::vector<std::string> command = {"python3", BNNPLAN_SOURCE_DIR "/tests/formats/strict_validator.py"};
  for (const bool gap_free : {false, true}) {
    options.gap_free = gap_free;
    options.packing = gap_free ? "xz" : "";
    make_suite(options);
  }
  // Of the 45 problems only their OPB files: those of clauses are millions of lines.
  const auto suite =
      run_bnnplan({"suite", "--only", "navigation_3x3_4,inventory_2_5", "--to", "opb", "-o",
                   (folder / "suite").string(), "--models", BNNPLAN_SOURCE_DIR "/models", "--pack", "xz"});
  ASSERT_EQ(suite.exit_code, 0) << suite.errors;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    const std::string name = entry.path().string();
    if (name.find(".wcnf") != std::string::npos || name.find(".cnf") != std::string::npos ||
        name.find(".opb") != std::string::npos) {
      if (name.find(".map") == std::string::npos) command.push_back(name);
    }
  }
  ASSERT_EQ(command.size(), 2 + 2 * 4 * small.size() + 2);
  const auto run = testing::run_program(command);
  EXPECT_EQ(run.exit_code, 0) << run.output << run.errors;
}

TEST(ExtendedSuite, MoreTimeForWhatIsOpen) {
  const TemporaryFolder folder;
  SuiteOptions options = extended_options(folder.path());
  options.only = {"random_n64_a32_g64_w128_l2_h6_s1"};
  options.formats = {"opb"};
  options.limits.seconds = 0.2;
  const SuiteResult open = make_suite(options);
  ASSERT_EQ(open.unproved, 1u);
  EXPECT_TRUE(open.entries[0].at("optimum").empty());
  EXPECT_EQ(open.entries[0].at("limit"), "0.2");
  EXPECT_EQ(make_suite(options).made, 0u);
  options.limits.seconds = 0.3;
  EXPECT_EQ(make_suite(options).entries[0].at("limit"), "0.3");
}

TEST(ExtendedSuite, WhatIsWrongIsSaid) {
  const TemporaryFolder folder;
  SuiteOptions options = extended_options(folder.path());
  options.formats = {"lp"};
  options.gap_free = true;
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            "numbers without gaps are for wcnf, wcnf-classic, cnf and opb, not for lp");
  options.gap_free = false;
  options.engines = {"magic"};
  EXPECT_EQ(input_error_of([&] { make_suite(options); }), "no engine 'magic'");
  options.engines = {"auto"};
  options.family = "chess";
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            "no problem of the extended suite is of the family 'chess'");
  const auto listed =
      run_bnnplan({"suite", "--extended", "--list", "--seed", "5", "--family", "perturbation"});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_EQ(listed.output.find("perturbation_n16_w16_l2_s5\n"), 0u) << listed.output;
  EXPECT_EQ(run_bnnplan({"suite", "--extended"}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"suite", "--seed", "2", "-o", "x"}).exit_code, 1);
}

}  // namespace
}  // namespace bnnplan::suite
