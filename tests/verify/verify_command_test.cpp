// `bnnplan verify`: answers, exit codes, proofs that check-proof follows from network and question, and
// errors.
#include <regex>

#include <gtest/gtest.h>

#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::verification {
namespace {

using testing::expect_bad_input;
using testing::expect_usage_error;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

// Four pixels; the class is "bright" if at least three of them are.
constexpr const char* bright_network =
    "bnn 2\n"
    "shape 4:2\n"
    "inputs\n"
    "  a\n"
    "  b\n"
    "  c\n"
    "  d\n"
    "numbers\n"
    "  >= 99.5 from 0 to 255 step 1\n"
    "  >= 99.5 from 0 to 255 step 1\n"
    "  >= 99.5 from 0 to 255 step 1\n"
    "  >= 99.5 from 0 to 255 step 1\n"
    "outputs\n"
    "  dark\n"
    "  bright\n"
    "scores lowest\n"
    "  ---- * 1 + 0\n"
    "  ++++ * 1 + -1\n"
    "end\n";

class VerifyCommand : public ::testing::Test {
 protected:
  ProgramResult verify(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"verify", network_, "--image", image_});
    return run_bnnplan(arguments);
  }

  TemporaryFolder folder_;
  std::string network_ = folder_.write("bright.bnn", bright_network);
  std::string image_ = folder_.write("dark.csv", "98,0,120,40\n");
};

TEST_F(VerifyCommand, NearestByEachNorm) {
  ProgramResult result = verify({"--label", "dark", "--minimal", "l0"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("nearest: the nearest input classified otherwise is at l0 distance 2\n"), 0u)
      << result.output;
  result = verify({"--label", "dark", "--minimal", "l1"});
  EXPECT_NE(result.output.find("l1 distance 62\n2 inputs changed:\n  a: 98 -> 100\n  d: 40 -> 100\n"),
            std::string::npos)
      << result.output;
  result = verify({"--label", "dark", "--minimal", "l2"});
  EXPECT_NE(result.output.find("squared l2 distance 3604 (its root is 60.03)"), std::string::npos);
  result = verify({"--label", "dark", "--minimal", "linf", "--json"});
  const JsonValue json = parse_json(result.output, "output");
  EXPECT_NE(result.output.find("\"status\": \"nearest\",\n \"norm\": \"linf\",\n \"label\": \"dark\""),
            std::string::npos);
  EXPECT_NE(result.output.find("\"distance\": 60,\n \"class\": \"bright\""), std::string::npos)
      << result.output;
}

TEST_F(VerifyCommand, RobustOrNot) {
  EXPECT_EQ(verify({"--label", "dark", "--epsilon", "59", "--norm", "linf"}).exit_code, 0);
  const ProgramResult refuted = verify({"--label", "dark", "--epsilon", "60", "--norm", "linf"});
  EXPECT_EQ(refuted.exit_code, 22);
  EXPECT_EQ(refuted.output.find("not robust: an input classified otherwise at linf distance 60\n"), 0u);
  const ProgramResult robust =
      verify({"--label", "dark", "--target", "bright", "--epsilon", "1.5", "--norm", "l0"});
  EXPECT_EQ(robust.exit_code, 0);
  EXPECT_EQ(robust.output.find("robust: no input within l0 distance 1.5 is of class bright\n"), 0u)
      << robust.output;
}

TEST_F(VerifyCommand, AlreadyOtherwise) {
  const ProgramResult result = verify({"--label", "bright", "--minimal", "l0"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output.find("the given input is already classified otherwise\n"), 0u) << result.output;
}

TEST_F(VerifyCommand, ProofsAndModels) {
  const std::string proof = (folder_ / "a.pbp").string(), opb = (folder_ / "a.opb").string();
  const std::vector<std::string> question{"--label", "dark", "--minimal", "l1"};
  std::vector<std::string> arguments = question;
  arguments.insert(arguments.end(), {"--proof", proof, "--opb", opb});
  EXPECT_EQ(verify(arguments).exit_code, 0);
  arguments = {"check-proof", network_, proof, "--image", image_};
  arguments.insert(arguments.end(), question.begin(), question.end());
  const ProgramResult accepted = run_bnnplan(arguments);
  EXPECT_EQ(accepted.exit_code, 0) << accepted.output << accepted.errors;
  EXPECT_EQ(accepted.output.find("accepted: optimal, distance 62 ("), 0u) << accepted.output;
  EXPECT_EQ(run_bnnplan({"check-proof", opb, proof}).exit_code, 0);
  const ProgramResult solved = run_bnnplan({"pb", opb});
  EXPECT_EQ(solved.exit_code, 30);
  arguments.back() = "l0";  // the proof of another question
  EXPECT_EQ(run_bnnplan(arguments).exit_code, 20);
}

TEST_F(VerifyCommand, ProofOfRobustness) {
  const std::string proof = (folder_ / "a.pbp").string();
  const std::vector<std::string> question{"--label", "dark", "--epsilon", "61", "--norm", "l1"};
  std::vector<std::string> arguments = question;
  arguments.insert(arguments.end(), {"--proof", proof});
  EXPECT_EQ(verify(arguments).exit_code, 0);
  arguments = {"check-proof", network_, proof, "--image", image_};
  arguments.insert(arguments.end(), question.begin(), question.end());
  const ProgramResult accepted = run_bnnplan(arguments);
  EXPECT_EQ(accepted.output.find("accepted: infeasible ("), 0u) << accepted.output;
  arguments[8] = "62";
  EXPECT_EQ(run_bnnplan(arguments).exit_code, 20);
}

TEST_F(VerifyCommand, NothingIsWrittenWithoutAnAnswer) {
  const std::string proof = (folder_ / "a.pbp").string();
  const ProgramResult result =
      verify({"--label", "dark", "--epsilon", "60", "--norm", "linf", "--proof", proof});
  EXPECT_EQ(result.exit_code, 22);
  EXPECT_EQ(result.errors,
            "bnnplan: there is nothing to prove, or it was not proved: " + proof + " is not written\n");
  EXPECT_FALSE(std::filesystem::exists(proof));
}

TEST_F(VerifyCommand, AllInputsOfAFolder) {
  std::filesystem::create_directories(folder_ / "all/bright");
  folder_.write("all/a_labeldark.txt", "98 0 120 40");
  folder_.write("all/b_labeldark.csv", "0 0 0 0");
  folder_.write("all/notes.md", "no input");
  folder_.write("all/bright/c.csv", "0,0,0,0");
  const std::string all = (folder_ / "all").string();
  ProgramResult result = run_bnnplan({"verify", network_, "--all", all, "--epsilon", "2", "--norm", "l0"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::string table = std::regex_replace(result.output, std::regex(" +[0-9]+[.][0-9]+\n"), " T\n");
  table = std::regex_replace(table, std::regex("[0-9.]+ s"), "T s");
  EXPECT_EQ(
      table,
      "input                             label     answer      class       distance       bound   seconds\n"
      "a_labeldark.txt                   dark      not robust  bright             2           2 T\n"
      "b_labeldark.csv                   dark      robust      -                  -           - T\n"
      "c.csv                             bright    not robust  dark               0           0 T\n"
      "3 inputs, 2 classified as labelled (66.7 %)\n"
      "proved robust: 1 (33.3 %), not robust: 2, unknown: 0\n"
      "T s, T s per input\n");
  result = run_bnnplan({"verify", network_, "--all", all, "--minimal", "l0"});
  EXPECT_NE(result.output.find(
                "nearest proved: 3, none at all: 0, found but not proved the nearest: 0, unknown: 0\n"
                "mean distance of those proved: 1.667\n"),
            std::string::npos)
      << result.output;
  const auto expect = [&](const std::string& folder, const std::string& line) {
    expect_bad_input({"verify", network_, "--all", folder, "--minimal", "l0"}, line);
  };
  expect(all + "/notes.md", all + "/notes.md: is not a folder");
  std::filesystem::create_directories(folder_ / "empty");
  const std::string empty = (folder_ / "empty").string();
  expect(empty, empty + ": there is no input in this folder (.png, .npy, .csv or .txt)");
  folder_.write("empty/a.csv", "0 0 0 0");
  expect(empty,
         empty + "/a.csv: its class is unknown: expected NAME_labelCLASS, or a folder named after the class");
  std::filesystem::rename(folder_ / "empty/a.csv", folder_ / "empty/a_labelgrey.csv");
  expect(empty, empty + "/a_labelgrey.csv: the network has no class 'grey', which the name states");
}

TEST_F(VerifyCommand, Errors) {
  const auto expect = [&](std::vector<std::string> arguments, const std::string& line) {
    arguments.insert(arguments.begin(), {"verify", network_});
    expect_usage_error(arguments, line);
  };
  expect({"--minimal", "l0"}, "--image is missing: the input that is asked about");
  expect({"--image", image_, "--minimal", "l0"}, "--label is missing: the class that the input has");
  expect({"--image", image_, "--label", "dark"},
         "nothing is asked: --minimal NORM or --epsilon E --norm NORM is missing");
  expect({"--image", image_, "--label", "dark", "--epsilon", "1"}, "--epsilon needs --norm");
  expect({"--image", image_, "--label", "dark", "--epsilon", "x", "--norm", "l0"},
         "--epsilon: 'x', expected a number from 0 on");
  expect({"--image", image_, "--label", "dark", "--epsilon", "-1/2", "--norm", "l0"},
         "--epsilon: '-1/2', expected a number from 0 on");
  expect_bad_input({"verify", network_, "--image", image_, "--label", "grey", "--minimal", "l0"},
                   "bnnplan: --label: the network has no class 'grey', its classes are dark, bright");
  expect_bad_input(
      {"verify", network_, "--image", image_, "--label", "dark", "--target", "dark", "--minimal", "l0"},
      "bnnplan: the target is the label");
  const std::string short_one = folder_.write("t.csv", "1 2 3"),
                    too_large = folder_.write("u.csv", "1 2 3 256");
  for (const std::vector<std::string>& asked :
       std::vector<std::vector<std::string>>{{"--label", "dark", "--minimal", "l0"},
                                             {"--explain", "minimal"},
                                             {"--equal", network_, "--minimal", "l0"}}) {
    std::vector<std::string> arguments{"verify", network_, "--image", short_one};
    arguments.insert(arguments.end(), asked.begin(), asked.end());
    expect_bad_input(arguments, short_one + ": the input has 3 numbers, but the network takes 4");
    arguments[3] = too_large;
    expect_bad_input(arguments, too_large + ": input 4 ('d') is 256, but it has to be from 0 to 255");
  }
}

// Numbers without a common unit: the message names the file that has them.
TEST_F(VerifyCommand, TooFine) {
  const std::string distances = ": distances are too fine: in their common unit they do not fit into 46 bits";
  const std::string image = folder_.write("fine_labeldark.csv", "98.0000000000000000001,0,120,40\n");
  const std::vector<std::string> nearest = {"--image", image, "--label", "dark", "--minimal", "l1"};
  std::vector<std::string> arguments = {"verify", network_};
  arguments.insert(arguments.end(), nearest.begin(), nearest.end());
  expect_bad_input(arguments, image + distances);
  std::vector<std::string> check = {"check-proof", network_, folder_.write("p.pbp", "")};
  check.insert(check.end(), nearest.begin(), nearest.end());
  expect_bad_input(check, image + distances);
  expect_bad_input({"verify", network_, "--image", image, "--equal", network_, "--minimal", "l1"},
                   image + distances);
  expect_bad_input({"verify", network_, "--image", image, "--label", "dark", "--epsilon", "1000", "--norm",
                    "l1", "--count", "values"},
                   image + distances);
  const std::string query = folder_.write(
      "q.toml", "assume = ['a + 0.0000000000000000000001 b <= 1']\nprove = ['score[bright] <= 3']\n");
  const std::string numbers =
      ": numbers are too fine: in their common unit a condition does not fit into 61 bits";
  expect_bad_input({"verify", network_, query}, query + numbers);
  std::filesystem::create_directory(folder_ / "all");
  std::filesystem::copy(image, folder_ / "all");
  const auto all = run_bnnplan({"verify", network_, "--all", (folder_ / "all").string(), "--minimal", "l1"});
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_EQ(all.errors, (folder_ / "all" / "fine_labeldark.csv").string() + distances + "\n");
}

}  // namespace
}  // namespace bnnplan::verification
