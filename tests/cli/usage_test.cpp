// Typing errors and missing words: one line that says what to type instead, exit code 1; and the help that
// people look for.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::corridor;
using testing::ProgramResult;
using testing::run_bnnplan;

void expect_usage(const std::vector<std::string>& arguments, const std::string& line) {
  const ProgramResult result = run_bnnplan(arguments);
  EXPECT_EQ(result.exit_code, 1) << line;
  EXPECT_EQ(result.output, "") << line;
  EXPECT_EQ(result.errors, "bnnplan: " + line + "\n");
}

TEST(Usage, AnUnknownOptionAndTheNearestOne) {
  expect_usage({"plan", corridor, "--engin", "search"},
               "unknown option '--engin', did you mean '--engine'? (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--engin=search"},
               "unknown option '--engin', did you mean '--engine'? (see bnnplan plan --help)");
  expect_usage(
      {"plan", "--jsn"},
      "unknown option '--jsn', did you mean '--json'? (see bnnplan plan --help)");  // not that PROBLEM lacks
  expect_usage({"plan", corridor, "-json"},
               "unknown option '-json', did you mean '--json'? (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--frobnicate"}, "unknown option '--frobnicate' (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "-x"}, "unknown option '-x' (see bnnplan plan --help)");
  expect_usage({"import", "fd-sat-plan", "a", "b", "c", "--outptu", "d.toml"},
               "unknown option '--outptu', did you mean '--output'? (see bnnplan import fd-sat-plan --help)");
  expect_usage(
      {"--engine", "search", "plan", corridor},
      "unknown option '--engine'; the options of a command come after its name (see bnnplan --help)");
  expect_usage({"--verison"}, "unknown option '--verison', did you mean '--version'? (see bnnplan --help)");
  expect_usage({"plan", corridor, "--\033[31m"}, "unknown option '--\\x1b[31m' (see bnnplan plan --help)");
}

TEST(Usage, AnUnknownCommandAndTheNearestOne) {
  expect_usage({"plna"}, "unknown command 'plna', did you mean 'plan'? (see bnnplan --help)");
  expect_usage({"chek", corridor}, "unknown command 'chek', did you mean 'check'? (see bnnplan --help)");
  expect_usage({"zzzzzzz"}, "unknown command 'zzzzzzz' (see bnnplan --help)");
  expect_usage({""}, "unknown command '' (see bnnplan --help)");
  expect_usage(
      {corridor},
      "'" + corridor + "' is not a command but a problem (.toml), for `bnnplan plan` (see bnnplan --help)");
  expect_usage({"import"},
               "'bnnplan import' alone, expected fd-sat-plan or onnx or npz or torch after it (see bnnplan "
               "import --help)");
  expect_usage({"import", "fdsat", "x", "-o", "y.toml"},
               "'fdsat' after 'bnnplan import', expected fd-sat-plan or onnx or npz or torch (see bnnplan "
               "import --help)");
}

TEST(Usage, MissingAndUnexpectedArguments) {
  expect_usage({"check"},
               "PROBLEM is required, usage: bnnplan check PROBLEM PLAN [OPTIONS] (see bnnplan check --help)");
  expect_usage({"check", corridor},
               "PLAN is required, usage: bnnplan check PROBLEM PLAN [OPTIONS] (see bnnplan check --help)");
  expect_usage(
      {"encode", corridor},
      "--to is required, usage: bnnplan encode PROBLEM --to FORMAT [OPTIONS] (see bnnplan encode --help)");
  expect_usage({"plan", corridor, "again"}, "unexpected argument 'again' (see bnnplan plan --help)");
  expect_usage({"info", corridor, "-3"}, "unexpected argument '-3' (see bnnplan info --help)");
  expect_usage({"man", "x"}, "unexpected argument 'x' (see bnnplan man --help)");
}

TEST(Usage, ValuesOfOptions) {
  expect_usage({"plan", corridor, "--engine", "serach"},
               "--engine: 'serach', expected one of auto, search, neuron, maxsat, external; did you mean "
               "'search'? (see bnnplan plan --help)");
  expect_usage({"maxsat", "x", "--strategy", "foo"},
               "--strategy: 'foo', expected one of core, improve (see bnnplan maxsat --help)");
  expect_usage({"plan", corridor, "--engine"},
               "--engine lacks a value, expected --engine ENGINE (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "-H"},
               "--horizon lacks a value, expected --horizon N (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "-H", "7", "-H", "8"},
               "--horizon is given more than once (see bnnplan plan --help)");
  expect_usage(
      {"plan", corridor, "--repair", "domain"},
      "--repair lacks a value, expected --repair DOMAIN.rddl INSTANCE.rddl (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--first=maybe"}, "--first takes no value (see bnnplan plan --help)");
  for (const char* share : {"2", "-1", "abc", "nan"})
    expect_usage({"learn", "x.csv", "--hidden", "3", "-o", "x", "--test-share", share},
                 "--test-share: '" + std::string(share) +
                     "', expected a number from 0 to 0.99 (see bnnplan learn --help)");
  for (const char* limit : {"0", "-1", "abc", "inf", "1e999"})
    expect_usage(
        {"plan", corridor, "--time-limit", limit},
        "--time-limit: '" + std::string(limit) + "', expected a number above 0 (see bnnplan plan --help)");
  for (const char* horizon : {"many", "0", "-3", "99999999999999999999", "010", "1e3", "7.0"})
    expect_usage({"check", corridor, "p", "-H", horizon},
                 "--horizon: '" + std::string(horizon) +
                     "', expected a whole number from 1 to 1000000 (see bnnplan check --help)");
}

TEST(Usage, TheEngineThatOtherOptionsAskFor) {
  const testing::TemporaryFolder folder;
  const ProgramResult proved = run_bnnplan({"plan", corridor, "--proof", (folder / "p.pbp").string()});
  EXPECT_EQ(proved.exit_code, 0) << proved.errors;
  EXPECT_NE(proved.output.find("\nengine search, "), std::string::npos) << proved.output;
  const ProgramResult solved = run_bnnplan({"plan", corridor, "--solver", "clasp"});
  EXPECT_EQ(solved.exit_code, 0) << solved.errors;
  EXPECT_NE(solved.output.find("\nengine external, "), std::string::npos) << solved.output;
  expect_usage({"plan", corridor, "--engine", "maxsat", "--proof", "p"},
               "--proof is for --engine auto, search or neuron (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--engine", "search", "--solver", "clasp"},
               "--solver is for --engine external (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--proof", "p", "--solver", "clasp"},
               "--proof is for --engine auto, search or neuron (see bnnplan plan --help)");
  expect_usage({"plan", corridor, "--engine", "external"},
               "--engine external requires --solver (see bnnplan plan --help)");
}

TEST(Help, WithoutAWordAnOverview) {
  const ProgramResult result = run_bnnplan({});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors.find("bnnplan finds provably optimal plans"), 0u) << result.errors;
  for (const char* part :
       {"\n  bnnplan plan PROBLEM [OPTIONS]\n", "\n  bnnplan check PROBLEM PLAN [OPTIONS]\n",
        "`bnnplan help COMMAND` says more about one.\n"})
    EXPECT_NE(result.errors.find(part), std::string::npos) << result.errors;
  EXPECT_LT(std::count(result.errors.begin(), result.errors.end(), '\n'), 24) << "it fits a terminal";
}

TEST(Help, AsAWordAndAsAnOption) {
  EXPECT_EQ(run_bnnplan({"help"}).output, run_bnnplan({"--help"}).output);
  EXPECT_EQ(run_bnnplan({"help"}).exit_code, 0);
  EXPECT_EQ(run_bnnplan({"help", "plan"}).output, run_bnnplan({"plan", "--help"}).output);
  EXPECT_EQ(run_bnnplan({"help", "plan"}).output.find("Find an optimal plan"), 0u);
  EXPECT_EQ(run_bnnplan({"help", "import", "fd-sat-plan"}).output,
            run_bnnplan({"import", "fd-sat-plan", "--help"}).output);
  EXPECT_EQ(run_bnnplan({"help", "help"}).exit_code, 0);
  const ProgramResult unknown = run_bnnplan({"help", "plna"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_EQ(unknown.errors,
            "bnnplan: COMMAND: unknown command 'plna', did you mean 'plan'? (see bnnplan help --help)\n");
  EXPECT_EQ(run_bnnplan({"help", "plan", "check"}).errors,
            "bnnplan: COMMAND: there is no 'plan check' (see bnnplan help --help)\n");
  EXPECT_NE(run_bnnplan({"help", "help"}).output.find("Usage: bnnplan help [OPTIONS] [COMMAND...]"),
            std::string::npos);
}

TEST(Help, Version) {
  for (const char* word : {"version", "--version", "-v", "-V"}) {
    const ProgramResult result = run_bnnplan({word});
    EXPECT_EQ(result.exit_code, 0) << word;
    EXPECT_EQ(result.output, "bnnplan " BNNPLAN_VERSION "\n") << word;
  }
}

}  // namespace
}  // namespace bnnplan::cli
