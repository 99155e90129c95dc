// What a submission has in it.
#include "suite/submission.hpp"

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::run_program;
using testing::TemporaryFolder;

TEST(Submission, OfBothCompetitions) {
  for (const Competition competition : {Competition::maxsat, Competition::pb}) {
    const bool maxsat = competition == Competition::maxsat;
    const TemporaryFolder folder;
    SuiteOptions options;
    options.source = SuiteSource::ladder;
    options.folder = BNNPLAN_SOURCE_DIR "/domains";
    options.output = folder / "kit";
    options.only = {"sysadmin-known_n3_h3_s1", "perturbation_n8_w6_l2_s2"};
    options.version = "1.0";
    options.limits.seconds = 60;
    const SubmissionResult result = make_submission(competition, options);
    EXPECT_EQ(result.suite.made, 2u);
    const std::string description = read_text_file(folder / "kit/description.tex");
    for (const SuiteEntry& entry : result.suite.entries) {
      EXPECT_EQ(entry.at("numbering"), "gap-free");
      EXPECT_TRUE(entry.at("file").ends_with(maxsat ? ".wcnf.xz" : ".opb.xz")) << entry.at("file");
      const std::size_t row =
          description.find(entry.at("name").substr(0, entry.at("name").find('_')) + "\\_n");
      ASSERT_NE(row, std::string::npos);
      EXPECT_NE(description.find(" & " + entry.at("value") + " & auto ", row), std::string::npos)
          << description;
    }
    EXPECT_NE(description.find("AUTHORS AND AFFILIATIONS TO BE FILLED IN"), std::string::npos);
    EXPECT_EQ(result.pdf, std::filesystem::exists(folder / "kit/description.pdf")) << result.pdf_refusal;
    EXPECT_EQ(result.pdf, result.pdf_refusal.empty());
    const auto listed = run_program({"tar", "-tf", result.archive.string()});
    ASSERT_EQ(listed.exit_code, 0) << listed.errors;
    for (const std::string file : {"README\n", "description.tex\n", "benchmarks/index.csv\n",
                                   maxsat ? "benchmarks/perturbation_n8_w6_l2_s2.gapfree.wcnf.xz\n"
                                          : "benchmarks/perturbation_n8_w6_l2_s2.gapfree.opb.xz\n"})
      EXPECT_NE(listed.output.find(file), std::string::npos) << file << listed.output;
    EXPECT_EQ(listed.output.find("application/ipamirgrowinghorizons/growing_horizons.c") != std::string::npos,
              maxsat);
    if (!maxsat) continue;
    const std::filesystem::path application = folder / "kit/application/ipamirgrowinghorizons";
    EXPECT_EQ(read_text_file(application / "growing_horizons.c"),
              read_text_file(BNNPLAN_SOURCE_DIR "/examples/growing_horizons.c"));
    EXPECT_EQ(read_text_file(application / "ipamir.h"),
              read_text_file(BNNPLAN_SOURCE_DIR "/src/ipamir/ipamir.h"));
  }
}

}  // namespace
}  // namespace bnnplan
