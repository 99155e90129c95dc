// encode and decode as a user runs them.
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

const std::string corridor = BNNPLAN_SOURCE_DIR "/models/corridor.toml";

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
  const auto expect_bad_input = [](const std::vector<std::string>& arguments, const std::string& line) {
    const ProgramResult result = run_bnnplan(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors, line + "\n");
  };
  expect_bad_input({"encode", corridor, "--to", "cnf", "--cost-at-most", "few", "-o", "-"},
                   "bnnplan: bad cost 'few' for --cost-at-most, expected a number");
  expect_bad_input({"encode", corridor, "--to", "cnf", "--cost-at-most", "99999999999999999999", "-o", "-"},
                   "bnnplan: cost '99999999999999999999' for --cost-at-most is too large");
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
  EXPECT_EQ(result.errors,
            wrong + ": the answer is no plan: initial state: the plan says cell-2 = 0, the problem says 1\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("none", "s UNSATISFIABLE\n")}).exit_code, 20);
  EXPECT_EQ(run_bnnplan({"decode", corridor, (folder / "none").string()}).output,
            "no plan exists, as the solver claims\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("unknown", "s UNKNOWN\n")}).exit_code, 11);
  EXPECT_EQ(run_bnnplan({"decode", corridor, (folder / "unknown").string()}).output,
            "the solver found no plan and no proof\n");
  EXPECT_EQ(run_bnnplan({"decode", corridor, folder.write("junk", "hello\n")}).exit_code, 2);
}

}  // namespace
}  // namespace bnnplan
