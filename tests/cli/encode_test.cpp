// encode and decode as a user runs them.
#include <filesystem>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::corridor;
using testing::expect_bad_input;
using testing::expect_usage_error;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

TEST(EncodeCommand, EveryFormatAndBackThroughASolver) {
  const TemporaryFolder folder;
  for (const std::string format : {"wcnf", "wcnf-classic", "cnf", "opb", "lp", "mps", "mzn"}) {
    const std::string file = (folder / ("m." + format)).string();
    const ProgramResult result = run_bnnplan({"encode", corridor, "--to", format, "-o", file});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_NE(read_text_file(file).find("cost = (value + offset) / scale with offset 0 and scale 1"),
              std::string::npos)
        << format;
    EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", format, "-o", "-"}).output, read_text_file(file))
        << format;
  }
  const ProgramResult solved = testing::run_program({"clasp", "--quiet=1", (folder / "m.opb").string()});
  const ProgramResult decoded = run_bnnplan({"decode", corridor, folder.write("answer", solved.output)});
  EXPECT_EQ(decoded.exit_code, 0);
  EXPECT_NE(decoded.output.find("\nvalid plan, 7 steps, cost 5, optimal as the solver claims\n"),
            std::string::npos)
      << decoded.output;
  const ProgramResult json = run_bnnplan({"decode", corridor, (folder / "answer").string(), "--json"});
  EXPECT_NE(json.output.find("\"status\""), std::string::npos);
  const ProgramResult checked = run_bnnplan({"check", corridor, folder.write("plan.json", json.output)});
  EXPECT_EQ(checked.exit_code, 0) << checked.output << checked.errors;
}

TEST(EncodeCommand, CostBound) {
  const auto answer = [](const std::string& bound) {
    const TemporaryFolder folder;
    const std::string file = (folder / "m.cnf").string();
    EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "cnf", "--cost-at-most", bound, "-o", file}).exit_code,
              0);
    return testing::run_program({"cadical", "-q", file}).exit_code;
  };
  EXPECT_EQ(answer("5"), 10);
  EXPECT_EQ(answer("5.9"), 10) << "rounded down to what a cost can be";
  EXPECT_EQ(answer("4.9"), 20);
  EXPECT_EQ(answer("-0.5"), 20);
}

TEST(EncodeCommand, StatisticsByPart) {
  const ProgramResult result = run_bnnplan({"encode", corridor, "--to", "wcnf", "--stats"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* part : {"\ninitial ", "\ngoal ", "\nglobal ", "\nknown ", "\nlayer 1 ", "\nlayer 2 ",
                           "\ntotal ", "\nsimplified "}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << part;
  }
}

TEST(EncodeCommand, Refuses) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "wcnf"}).exit_code, 1) << "neither --output nor --stats";
  EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "xml", "-o", "-"}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"encode", corridor, "--to", "wcnf", "--neurons", "magic", "-o", "-"}).exit_code, 1);
  EXPECT_EQ(
      run_bnnplan({"encode", corridor, "--to", "opb", "--simplify", "--no-simplify", "-o", "-"}).exit_code,
      1);
  expect_usage_error({"encode", corridor, "--to", "cnf", "--cost-at-most", "few", "-o", "-"},
                     "--cost-at-most is 'few', expected a number");
  expect_usage_error({"encode", corridor, "--to", "cnf", "--cost-at-most", "99999999999999999999", "-o", "-"},
                     "--cost-at-most is '99999999999999999999', which is too large");
  expect_bad_input({"encode", corridor, "--to", "cnf", "-o", folder.path().string()},
                   folder.path().string() + ": cannot write: Is a directory");
  expect_bad_input({"encode", corridor, "--to", "cnf", "-o", "/dev/full"},
                   "/dev/full: cannot write: No space left on device");
  const std::string timeless =
      folder.write("timeless.toml", "transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n");
  expect_bad_input({"encode", timeless, "--to", "cnf", "-o", "-"},
                   timeless + ": the problem states no horizon: give one with -H N");
}

TEST(DecodeCommand, SaysWhatTheAnswerViolates) {
  const TemporaryFolder folder;
  const std::string wrong = folder.write("wrong", "s OPTIMUM FOUND\nv " + std::string(191, '0') + "\n");
  const ProgramResult result = run_bnnplan({"decode", corridor, wrong});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(
      result.errors,
      wrong + ": the answer is not a plan: initial state: the plan says cell-2 = 0, the problem says 1\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("none", "s UNSATISFIABLE\n")}).exit_code, 20);
  EXPECT_EQ(run_bnnplan({"decode", corridor, (folder / "none").string()}).output,
            "no plan exists, as the solver claims\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("unknown", "s UNKNOWN\n")}).exit_code, 11);
  EXPECT_EQ(run_bnnplan({"decode", corridor, (folder / "unknown").string()}).output,
            "the solver found no plan and no proof\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("junk", "hello\n")}).exit_code, 2);
}

// A layer of 200 neurons that each read 200 inputs: all subsets of 100 are more than there are atoms in the
// galaxy. In rows too.
TEST(EncodeCommand, DirectIsRefusedByItsSize) {
  const TemporaryFolder folder;
  std::string network = "bnn 1\nshape 200:200\ninputs\n", states = "[state]\n", sum, stays;
  for (int i = 0; i < 200; ++i) network += fmt::format("  x{}\n", i);
  network += "outputs\n";
  for (int i = 0; i < 200; ++i) {
    network += fmt::format("  x{}'\n", i);
    states += fmt::format("x{} = \"bool\"\n", i);
    stays += fmt::format("\"x{0}' == x{0}\", ", i);
    sum += fmt::format("{}x{}", i == 0 ? "" : " + ", i);
  }
  network += "layer\n";
  for (std::size_t i = 0; i < 200; ++i)
    network += fmt::format("  {}-{} >= 100\n", std::string(i, '+'), std::string(199 - i, '+'));
  folder.write("wide.bnn", network + "end\n");
  const std::string head = "horizon = 2\n",
                    wide = folder.write("wide.toml", head + "network = \"wide.bnn\"\n" + states);
  const std::string out = (folder / "wide.wcnf").string();
  const auto errors = [&](const std::string& problem, const std::string& format) {
    const ProgramResult result =
        run_bnnplan({"encode", problem, "--to", format, "--neurons", "direct", "-o", out});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(out));
    return result.errors;
  };
  for (const char* format : {"wcnf", "cnf"}) {
    EXPECT_EQ(errors(wide, format),
              "bnnplan: the encoding 'direct' takes about 10^59 clauses for 200 neurons of up to 200 inputs, "
              "more than fit into memory: try the encoding 'auto'\n");
  }
  const std::string rows = folder.write(
      "rows.toml", head + "transitions = [" + stays + "]\ngoal = [\"" + sum + " >= 100\"]\n" + states);
  EXPECT_EQ(errors(rows, "wcnf"),
            "bnnplan: the encoding 'direct' takes about 10^59 clauses for a neuron of up to 200 inputs, more "
            "than fit into memory: try the encoding 'auto'\n");
}

// What our solver says to the corridor in this format, with `edit` done to it by sed.
std::string answer_to_corridor(const TemporaryFolder& folder, const std::vector<std::string>& options,
                               const std::string& edit) {
  const std::string model = (folder / "model.wcnf").string();
  std::vector<std::string> arguments{"encode", corridor, "--to", "wcnf", "-o", model};
  arguments.insert(arguments.end(), options.begin(), options.end());
  EXPECT_EQ(run_bnnplan(arguments).exit_code, 0);
  return folder.write(
      "answer", std::regex_replace(run_bnnplan({"maxsat", model}).output, std::regex("\no 5"), "\n" + edit));
}

TEST(DecodeCommand, TheClaimedValueMustBeThatOfThePlan) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--no-simplify"}}) {
    const std::string honest = answer_to_corridor(folder, options, "o 7\no +5");
    EXPECT_EQ(run_bnnplan({"decode", corridor, honest}).exit_code, 0);
    const std::string liar = answer_to_corridor(folder, options, "o 4");
    const ProgramResult result = run_bnnplan({"decode", corridor, liar});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, liar + ": the answer claims the value 4, but its plan has 5\n");
  }
  const std::string two = answer_to_corridor(folder, {}, "s UNSATISFIABLE");
  EXPECT_NE(run_bnnplan({"decode", corridor, two}).errors.find("a status that contradicts the one in line"),
            std::string::npos);
  const std::string silent = folder.write("silent", "s OPTIMUM FOUND\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, silent}).errors,
            silent + ": the answer claims a solution but does not print it\n");
}

// An objective whose files state it in different ways: by literals in clauses (offset -3), by variables
// elsewhere; and a bit of it that simplification fixes.
TEST(DecodeCommand, TheValueMayBeThatOfAnyOfOurFormats) {
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("p.toml",
                   "horizon = 1\ntransitions = [\"x' == a\"]\nmaximize = \"3 x' + 2 b\"\n"
                   "constraints = [\"b == 1\"]\n"
                   "[state]\nx = \"bool\"\n[action]\na = \"bool\"\nb = \"bool\"\n[initial]\nx = 0\n");
  for (const char* format : {"wcnf", "wcnf-classic", "opb"}) {
    for (const char* simplify : {"--simplify", "--no-simplify"}) {
      SCOPED_TRACE(std::string(format) + simplify);
      const std::string model = (folder / "m").string() + (format == std::string("opb") ? ".opb" : ".wcnf");
      ASSERT_EQ(run_bnnplan({"encode", problem, "--to", format, simplify, "-o", model}).exit_code, 0);
      const ProgramResult solver = testing::run_program({"clasp", model});
      const ProgramResult answer = format == std::string("wcnf") ? run_bnnplan({"maxsat", model}) : solver;
      const std::string file = folder.write("answer", answer.output);
      const ProgramResult result = run_bnnplan({"decode", problem, file});
      EXPECT_EQ(result.exit_code, 0) << result.errors << answer.output;
      EXPECT_NE(result.output.find("reward 5, optimal as the solver claims"), std::string::npos)
          << result.output;
    }
  }
  const std::string liar = folder.write("liar", "o 77\ns OPTIMUM FOUND\nv 0 1 1 1\n");
  EXPECT_EQ(run_bnnplan({"decode", problem, liar}).errors,
            liar + ": the answer claims the value 77, but its plan has -5 or -3 or 0\n");
}

// A formula without costs has the value 0, whatever its plan costs; then nothing is claimed about costs.
TEST(DecodeCommand, AnAnswerToACnfClaimsNothingAboutCosts) {
  const TemporaryFolder folder;
  const std::string cnf = (folder / "m.cnf").string();
  ASSERT_EQ(run_bnnplan({"encode", corridor, "--to", "cnf", "-o", cnf}).exit_code, 0);
  const std::string answer = run_bnnplan({"maxsat", cnf}).output;
  ASSERT_NE(answer.find("o 0\n"), std::string::npos);
  const auto result = run_bnnplan({"decode", corridor, folder.write("answer", answer)});
  EXPECT_EQ(result.exit_code, 10) << result.errors;
  EXPECT_NE(result.output.find(", not claimed to be optimal\n"), std::string::npos) << result.output;
}

TEST(DecodeCommand, JsonSaysWhoClaims) {
  const TemporaryFolder folder;
  const std::string answer = answer_to_corridor(folder, {}, "o 5");
  EXPECT_NE(run_bnnplan({"decode", corridor, answer, "--json"}).output.find("\"claimed_by\": \"the solver\""),
            std::string::npos);
  EXPECT_NE(run_bnnplan({"decode", corridor, folder.write("none", "s UNSATISFIABLE\n"), "--json"})
                .output.find("\"claimed_by\": \"the solver\""),
            std::string::npos);
  const std::string aimless = folder.write(
      "aimless.toml", "horizon = 1\ntransitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n[initial]\nx = 0\n");
  const std::string any = folder.write("any", "s SATISFIABLE\nv 0 0\n");
  EXPECT_EQ(run_bnnplan({"decode", aimless, any, "--json"}).output.find("claimed_by"), std::string::npos);
  EXPECT_NE(
      run_bnnplan({"decode", aimless, any}).output.find("cost 0, optimal: the problem has no objective"),
      std::string::npos);
}

}  // namespace
}  // namespace bnnplan::cli
