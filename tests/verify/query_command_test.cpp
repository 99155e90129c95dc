// The other questions of `bnnplan verify`: answers, exit codes, proofs, pictures, and options that do not go
// together.
#include <gtest/gtest.h>

#include "bnnplan/base/binary_file.hpp"
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

// Four pixels; "bright" if at least `least` of them are.
std::string network_text(int bias, const std::string& weights = "++++") {
  std::string numbers;
  for (int i = 0; i < 4; ++i) numbers += "  >= 99.5 from 0 to 255 step 1\n";
  return "bnn 2\nshape 4:2\ninputs\n  a\n  b\n  c\n  d\nnumbers\n" + numbers +
         "outputs\n  dark\n  bright\nscores lowest\n  ---- * 1 + 0\n  " + weights + " * 1 + " +
         std::to_string(bias) + "\nend\n";
}

class QueryCommand : public ::testing::Test {
 protected:
  ProgramResult ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"verify", network_});
    return run_bnnplan(arguments);
  }
  static bool says(const ProgramResult& result, const std::string& text) {
    return result.output.find(text) != std::string::npos;
  }

  TemporaryFolder folder_;
  std::string network_ = folder_.write("bright.bnn", network_text(-1));
  std::string same_ = folder_.write("same.bnn", network_text(-2));
  std::string other_ = folder_.write("other.bnn", network_text(-5));
  std::string image_ = folder_.write("dark.csv", "98,0,120,40\n");
};

TEST_F(QueryCommand, Equal) {
  const std::string proof = (folder_ / "a.pbp").string();
  ProgramResult result = ask({"--equal", same_, "--proof", proof});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("equal: proved on all inputs\n"), 0u) << result.output;
  result = run_bnnplan({"check-proof", network_, proof, "--equal", same_});
  EXPECT_EQ(result.output.find("accepted: infeasible ("), 0u) << result.output << result.errors;
  EXPECT_EQ(run_bnnplan({"check-proof", network_, proof, "--equal", other_}).exit_code, 20);
  result = ask({"--equal", same_, "--equal-by", "scores", "--json"});
  EXPECT_EQ(result.exit_code, 22);
  EXPECT_EQ(result.output.find("{\"status\": \"different\",\n \"input\": ["), 0u) << result.output;
  parse_json(result.output, "output");
  result = ask({"--equal", other_, "--image", image_, "--minimal", "l1"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(says(result,
                   "different: an input at l1 distance 62, and none is nearer\n2 inputs changed:\n"
                   "  a: 98 -> 100\n  d: 40 -> 100\n"))
      << result.output;
  result = ask({"--equal", other_, "--image", image_, "--epsilon", "59", "--norm", "linf"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(says(result, "equal: proved within linf distance 59\n")) << result.output;
}

TEST_F(QueryCommand, Monotone) {
  ProgramResult result = ask({"--monotone", "a", "--output", "bright"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("monotone: the score of bright in a is increasing, proved "
                               "on all inputs\n"),
            0u)
      << result.output;
  result = ask({"--monotone", "a", "--output", "dark", "--json"});
  EXPECT_EQ(result.exit_code, 22);
  EXPECT_TRUE(says(result, "\"status\": \"not monotone\",\n \"input\": \"a\",\n \"output\": \"dark\""))
      << result.output;
  parse_json(result.output, "output");
  result = ask({"--monotone", "d", "--output", "dark", "--monotone-by", "class", "--image", image_,
                "--epsilon", "10", "--norm", "linf"});
  EXPECT_EQ(result.exit_code, 22);
  EXPECT_TRUE(says(result, "  d: 99 -> 100\nwith the other inputs at\n1 input changed:\n  a: 98 -> 100\n"))
      << result.output;
  expect_bad_input({"verify", network_, "--monotone", "e", "--output", "dark"},
                   "bnnplan: --monotone: the network has no input 'e', did you mean 'a'?");
  expect_usage_error({"verify", network_, "--monotone", "a"},
                     "--output is missing: the output that --monotone asks about");
}

TEST_F(QueryCommand, ExplainWithPictures) {
  const std::string png = (folder_ / "a.png").string(), page = (folder_ / "a.html").string();
  ProgramResult result =
      ask({"--image", image_, "--explain", "smallest", "--picture", png, "--report", page, "--show"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("a smallest explanation: class dark is fixed by 2 inputs of 4\n"), 0u)
      << result.output;
  EXPECT_TRUE(read_binary_file(png).starts_with("\x89PNG"));
  EXPECT_NE(read_text_file(page).find("<figcaption>explanation</figcaption>"), std::string::npos);
  result = ask({"--image", image_, "--explain", "minimal", "--epsilon", "10", "--json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(says(result, "\"size\": 0")) << result.output;
  expect_bad_input({"verify", network_, "--image", image_, "--explain", "minimal", "--label", "bright"},
                   "bnnplan: the input is not classified as the label: there is nothing to explain");
}

TEST_F(QueryCommand, Count) {
  // b and d may flip by linf 100, and a: a is 100 to 198 in 99 ways, b 100 in one, d 100 to 140 in 41.
  const std::vector<std::string> region{"--image",   image_, "--label", "dark",
                                        "--epsilon", "60",   "--norm",  "linf"};
  std::vector<std::string> arguments = region;
  arguments.insert(arguments.end(), {"--count", "patterns"});
  ProgramResult result = ask(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("1 of 8 patterns of input bits of the region are classified otherwise\n"), 0u)
      << result.output;
  arguments.back() = "values";
  arguments.push_back("--json");
  result = ask(arguments);
  parse_json(result.output, "output");
  // a: 100..158, d: 100, c: 100..180, b: 0..60
  EXPECT_TRUE(
      says(result, "\"counted\": \"values\",\n \"lower\": \"" + std::to_string(59 * 1 * 81 * 61) + "\""))
      << result.output;
}

TEST_F(QueryCommand, FilesAndProofs) {
  const std::string query =
      folder_.write("q.toml", "assume = ['a + b + c <= 250']\nprove = ['score[bright] <= 3']\n");
  const std::string proof = (folder_ / "a.pbp").string();
  ProgramResult result = ask({query, "--proof", proof});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.find("proved: it holds for all inputs in question\n"), 0u) << result.output;
  result = run_bnnplan({"check-proof", network_, proof, "--query", query});
  EXPECT_EQ(result.output.find("accepted: infeasible ("), 0u) << result.output << result.errors;
  const std::string least =
      folder_.write("l.toml", "find = ['score[bright] > score[dark]']\nminimize = 'a + b + c + d'\n");
  result = ask({least, "--proof", proof});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output.find("least: 300, and none has less\n"), 0u) << result.output;
  result = run_bnnplan({"check-proof", network_, proof, "--query", least});
  EXPECT_EQ(result.output.find("accepted: optimal, value 300 ("), 0u) << result.output;
}

TEST_F(QueryCommand, VnnLib) {
  std::string text;
  for (const char* name : {"X_0", "X_1", "X_2", "X_3", "Y_0", "Y_1"})
    text += std::string("(declare-const ") + name + " Real)\n";
  for (const char* name : {"X_0", "X_1", "X_2"})
    text += std::string("(assert (>= ") + name + " 0))(assert (<= " + name + " 99))\n";
  const std::string query = folder_.write("q.vnnlib", text + "(assert (>= Y_1 Y_0))\n");
  const std::string result_file = (folder_ / "result.txt").string();
  ProgramResult result = ask({query, "--result", result_file});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "unsat\n");
  EXPECT_EQ(read_text_file(result_file), "unsat\n");
  const std::string sat = folder_.write("s.vnnlib", text + "(assert (<= Y_1 Y_0))\n");
  result = ask({sat, "--result", result_file});
  EXPECT_EQ(result.exit_code, 22);
  EXPECT_EQ(result.output, "sat\n");
  EXPECT_EQ(read_text_file(result_file).find("sat\n((X_0 49.5)\n(X_1 49.5)\n"), 0u)
      << read_text_file(result_file);
}

TEST_F(QueryCommand, PicturesOfAChange) {
  const std::string page = (folder_ / "a.html").string();
  const ProgramResult result =
      ask({"--image", image_, "--label", "dark", "--minimal", "linf", "--show", "--report", page});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(says(result, "\nor  ch  di\n")) << result.output;
  const std::string html = read_text_file(page);
  for (const char* part : {"<figcaption>original", "<figcaption>changed", "<figcaption>difference",
                           "<tr><td>bright</td><td>-3.000</td><td>1.000</td></tr>", "linf distance 60"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  const std::string wide = folder_.write(
      "wide.bnn",
      "bnn 2\nshape 3:1\ninputs\n  a\n  b\n  c\noutputs\n  x\nscores lowest\n  +++ * 1 + 0\nend\n");
  const std::string three = folder_.write("three.csv", "0 1 0");
  expect_bad_input({"verify", wide, "--image", three, "--label", "x", "--minimal", "l0", "--show"},
                   three + ": the 3 inputs of the network are not a picture");
}

TEST_F(QueryCommand, WhatDoesNotGoTogether) {
  EXPECT_EQ(ask({"--equal", same_, "--explain", "minimal", "--image", image_}).exit_code, 1);
  EXPECT_EQ(ask({"q.toml", "--image", image_}).exit_code, 1);
  expect_usage_error({"check-proof", network_, "p.pbp", "--query", "q.toml", "--image", image_},
                     "--image excludes --query");
  expect_usage_error({"verify", network_, "--image", image_, "--explain", "minimal", "--minimal", "l0"},
                     "--minimal excludes --explain");
  expect_usage_error({"verify", network_, "--equal", same_, "--epsilon", "1", "--norm", "linf"},
                     "--image is missing: --minimal and --epsilon ask about what is near an input");
  expect_bad_input(
      {"verify", network_, "--image", image_, "--label", "dark", "--minimal", "l0", "--count", "values"},
      "bnnplan: counting needs a region: an epsilon and a norm");
  expect_bad_input({"verify", network_, "--image", image_, "--label", "dark", "--minimal", "l0", "--result",
                    (folder_ / "r.txt").string()},
                   "bnnplan: --result is for questions in VNN-LIB");
}

}  // namespace
}  // namespace bnnplan::verification
