// bnnplan learn as its users meet it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/network/network_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::learning {
namespace {

using testing::ProgramResult;
using testing::TemporaryFolder;

ProgramResult learn(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "learn");
  return testing::run_bnnplan(arguments);
}

const std::string corridor_data =
    "left,right,c1,c2,c3,c1',c2',c3'\n"
    "0,0,1,0,0,1,0,0\n0,0,0,1,0,0,1,0\n0,0,0,0,1,0,0,1\n"
    "1,0,1,0,0,1,0,0\n1,0,0,1,0,1,0,0\n1,0,0,0,1,0,1,0\n"
    "0,1,1,0,0,0,1,0\n0,1,0,1,0,0,0,1\n0,1,0,0,1,0,0,1\n";

TEST(LearnCommand, WritesNetworkReportAndCurve) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data);
  const std::string network = (folder / "n.bnn").string(), report = (folder / "r.json").string(),
                    curve = (folder / "c.svg").string();
  const ProgramResult result =
      learn({data, "--hidden", "24,24", "--stop-at-zero", "--test-share", "0", "--epochs", "100", "--report",
             report, "--curve", curve, "-o", network});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("(5:24:24:3, density 1.000; gradient, dense, epoch "), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("train    0 of 9 transitions wrong (0 %), 0 of 27 bits (0 %)\n"),
            std::string::npos);
  EXPECT_EQ(result.output.find("test "), std::string::npos);
  EXPECT_EQ(read_network(network).inputs.front(), "left");
  EXPECT_EQ(read_network(network).outputs.back(), "c3'");
  const auto written = nlohmann::json::parse(read_text_file(report));
  EXPECT_EQ(written["errors"]["train"]["wrong_bits"], 0);
  EXPECT_EQ(written["errors"]["train"]["bits"], 27);
  EXPECT_EQ(written["network"], network);
  EXPECT_EQ(written["history"].back()["best"], true);
  EXPECT_EQ(written["diagnosis"], "");
  const ProgramResult json = learn({data, "--technique", "cover", "--json", "-o", network});
  EXPECT_EQ(nlohmann::json::parse(json.output)["tried"][0]["train"]["wrong_transitions"], 0) << json.output;
  EXPECT_EQ(read_text_file(curve).rfind("<svg", 0), 0u);
}

// Into a pipe or a file: a line for each tenth, however many epochs there are.
TEST(LearnCommand, ProgressOffATerminalIsTenLines) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data);
  const auto progress = [&](const char* epochs, const char* restarts) {
    const ProgramResult result = learn({data, "--hidden", "4", "--epochs", epochs, "--restarts", restarts,
                                        "-o", (folder / "n.bnn").string()});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.errors;
  };
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string many = progress("40", "1");
  EXPECT_EQ(lines(many), 10) << many;
  EXPECT_EQ(many.find("epoch 4/40  loss "), 0u) << many;
  EXPECT_NE(many.find("\nepoch 40/40  loss "), std::string::npos) << many;
  const std::string few = progress("3", "1");
  EXPECT_EQ(lines(few), 3) << few;
  EXPECT_EQ(few.find("epoch 1/3  loss "), 0u) << few;
  const std::string again = progress("15", "2");
  EXPECT_EQ(lines(again), 10) << again;
  EXPECT_NE(again.find("\nrun 2/2  epoch 15/15  loss "), std::string::npos) << again;
}

TEST(LearnCommand, ThreadsDoNotMatterAndQuietIsQuiet) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data);
  for (const char* threads : {"1", "2"}) {
    const ProgramResult result = learn({data, "--hidden", "10", "--epochs", "3", "--quiet", "--threads",
                                        threads, "-o", (folder / threads).string()});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.errors, "");
  }
  EXPECT_EQ(read_text_file(folder / "1"), read_text_file(folder / "2"));
}

TEST(LearnCommand, MoreDataAndOtherData) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data);
  const std::string more = folder.write("more.csv", "c3',c2',c1',c3,c2,c1,right,left\n0,1,0,0,0,1,1,0\n");
  const ProgramResult result = learn({data, "--hidden", "8", "--epochs", "2", "--distinct", "--also", more,
                                      "--evaluate", more, "-o", (folder / "n.bnn").string()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("\nalso     "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\nevaluate "), std::string::npos);
}

TEST(LearnCommand, WarnsOfContradictions) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", "a,y'\n0,1\n0,1\n0,0\n1,0\n");
  const ProgramResult result =
      learn({data, "--hidden", "4", "--epochs", "1", "--quiet", "-o", (folder / "n.bnn").string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors,
            data +
                ": warning: 1 of 4 transitions contradicts more frequent ones with the same inputs; no "
                "network can learn it\n");
}

TEST(LearnCommand, NoOptionIsNeeded) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data), network = (folder / "n.bnn").string();
  const ProgramResult result = learn({data, "--test-share", "0", "-o", network});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors.rfind("cover, few inputs: 5:", 0), 0u) << result.errors;
  EXPECT_NE(result.output.find("cover, few inputs"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("train    0 of 9 transitions wrong (0 %)"), std::string::npos)
      << result.output;
  const Network learned = read_network(network);
  ASSERT_TRUE(model_record(learned));
  EXPECT_EQ(model_record(learned)->data_file, "d.csv");
  EXPECT_EQ(model_record(learned)->transitions, 9u);
  EXPECT_EQ(record_claim(learned),
            "its file says: wrong on 0 of 9 training transitions (learned from 9 transitions)");
  EXPECT_NE(testing::run_bnnplan({"info", network}).output.find("learned by: cover, few inputs, seed 0"),
            std::string::npos);
}

// Not the epoch of the last training: of many tries that says nothing.
TEST(LearnCommand, SaysWhichWayWon) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", corridor_data), network = (folder / "n.bnn").string();
  const ProgramResult result = learn({data, "--technique", "gradient", "--test-share", "0", "-o", network});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("; gradient 32, density 0.25, "), std::string::npos) << result.output;
  EXPECT_NE(learn({data, "--smallest", "--technique", "cover", "--test-share", "0", "-o", network})
                .output.find(", made smaller, the best of "),
            std::string::npos);
}

TEST(LearnCommand, SaysWhatIsWrongAndWhatToTry) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", "a,x,x'\n0,0,0\n0,1,1\n1,0,0\n1,0,1\n1,0,1\n1,1,1\n"),
                    network = (folder / "n.bnn").string();
  const ProgramResult result = learn({data, "--technique", "cover", "--test-share", "0", "-o", network});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("wrong on 1 of 6 training transitions, by output:\n  x': 1; 1 of them where "),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("1 of the 1 wrong ones contradict other lines with the same inputs"),
            std::string::npos);
  EXPECT_NE(result.output.find("to try: a column that distinguishes the contradicting lines"),
            std::string::npos);
}

TEST(LearnCommand, BadInput) {
  const TemporaryFolder folder;
  const std::string data = folder.write("d.csv", "a,y'\n0,7\n"), output = (folder / "n.bnn").string();
  const ProgramResult bad = learn({data, "--hidden", "4", "-o", output});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_EQ(bad.errors, data +
                            ":2: 7 in column 'y'', expected 0 or 1 (for an integer, specify its bits: "
                            "y=N)\n");
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(
      learn({data, "--bits", "y=3", "--hidden", "4", "--epochs", "1", "--quiet", "-o", output}).exit_code, 0);
  EXPECT_EQ(read_network(output).outputs, (std::vector<std::string>{"y.0'", "y.1'", "y.2'"}));
  const ProgramResult missing = learn({(folder / "none.csv").string(), "--hidden", "4", "-o", output});
  EXPECT_EQ(missing.exit_code, 2);
  std::string wide = "65536";
  for (int i = 0; i < 63; ++i) wide += ",65536";
  const ProgramResult huge = learn({data, "--bits", "y=3", "--hidden", wide, "-o", output});
  EXPECT_EQ(huge.exit_code, 2);
  EXPECT_EQ(huge.errors.rfind("bnnplan: training this network takes at least 8064 GiB, the machine has ", 0),
            0u)
      << huge.errors;
  EXPECT_EQ(learn({data, "--bits", "y=3", "--hidden", wide + ",4", "-o", output}).errors,
            "bnnplan: --hidden has 65 layers, expected at most 64 (see bnnplan learn --help)\n");
  // Before training, not after it.
  const std::string nowhere = (folder / "no/n.svg").string();
  const ProgramResult unwritable =
      learn({data, "--bits", "y=3", "--hidden", "4", "--curve", nowhere, "-o", output});
  EXPECT_EQ(unwritable.exit_code, 2);
  EXPECT_EQ(unwritable.errors, nowhere + ": cannot write: No such file or directory\n");
  EXPECT_EQ(learn({data, "--bits", "y=3", "--hidden", "4", "--smallest", "-o", output}).exit_code, 1);
  EXPECT_EQ(learn({data, "--bits", "y=3", "--hidden", "4", "--technique", "cover", "-o", output}).errors,
            "bnnplan: --technique cover chooses the number of neurons itself: expected no --hidden "
            "(see bnnplan learn --help)\n");
  EXPECT_EQ(learn({data, "--hidden", "0", "-o", output}).exit_code, 1);  // no neurons
  EXPECT_EQ(learn({data, "--hidden", "4,x", "-o", output}).exit_code, 1);
  EXPECT_EQ(learn({data, "--hidden", "4", "--test-share", "1", "-o", output}).exit_code, 1);
}

}  // namespace
}  // namespace bnnplan::learning
