// bnnplan bench as its users meet it, with engines of ours and solvers that are little scripts.
#include <algorithm>
#include <filesystem>

#include <bnnplan/bench.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/compare/run_record.hpp"
#include "support/run_bnnplan.hpp"
#include "support/run_program.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::comparison {
namespace {

using testing::corridor;
using testing::ProgramResult;
using testing::TemporaryFolder;

class Bench : public ::testing::Test {
 protected:
  ProgramResult bench(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"-o", (folder_ / "out").string()});
    return testing::run_bnnplan(arguments);
  }

  std::string file(const std::string& name) const { return read_text_file(folder_ / ("out/" + name)); }
  std::vector<RunRecord> runs() const { return parse_runs_csv(file("runs.csv"), "runs.csv"); }

  // RESULTS.md, which a tool makes from the runs.
  std::string page() const {
    const std::string out = (folder_ / "out").string();
    const ProgramResult made =
        testing::run_program({BNNPLAN_SOURCE_DIR "/tools/bench-tables", out + "/runs.csv", "-o", out});
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    return file("RESULTS.md");
  }

  // A program that answers like a solver.
  std::string solver(const std::string& name, const std::string& script) const {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(Bench, ComparesEngines) {
  const ProgramResult result = bench(
      {corridor + "@7,8", "--engine", "search,maxsat", "--repeat", "2", "--time-limit", "20", "--cold"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("\nsearch         2/2"), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find("0 of 8 runs, about "), std::string::npos);
  ASSERT_EQ(runs().size(), 8u);
  for (const RunRecord& run : runs()) {
    EXPECT_EQ(run.status, "optimal");
    EXPECT_EQ(run.cost, make_decimal(5, 0));
    EXPECT_GT(run.cpu_seconds, 0);
    EXPECT_GT(run.peak_mebibytes, 1);
  }
  const std::string text = page();
  EXPECT_NE(text.find("all answers agree"), std::string::npos) << text;
  EXPECT_NE(text.find("limits 20 s and 2000 MiB, 2 runs each, the median counts\n"), std::string::npos);
  EXPECT_NE(text.find("| search | 2/2 | 0."), std::string::npos) << text;
  for (const char* picture : {"cactus.svg", "scatter.svg", "horizon.svg"})
    EXPECT_EQ(file(picture).rfind("<svg ", 0), 0u) << picture;
}

TEST_F(Bench, TheHintIsACommandAlsoForAFolderWithBlanks) {
  const std::string folder = (folder_ / "two words").string();
  const ProgramResult result =
      testing::run_bnnplan({"bench", corridor, "--engine", "search", "--cold", "--any-core", "-o", folder});
  EXPECT_NE(result.output.find("bnnplan-tables '" + folder + "/runs.csv' -o '" + folder + "'\n"),
            std::string::npos)
      << result.output;
}

TEST_F(Bench, CostsStayExact) {
  const std::string problem =
      folder_.write("long.toml",
                    "horizon = 1\nminimize = \"12345678901234.567 a\"\ngoal = [\"x == "
                    "1\"]\ntransitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\n"
                    "x = \"bool\"\n[initial]\nx = false\n");
  ASSERT_EQ(bench({problem, "--engine", "search,maxsat", "--cold", "--time-limit", "20"}).exit_code, 0);
  EXPECT_NE(file("runs.csv").find(",optimal,12345678901234.567,12345678901234.567,"), std::string::npos)
      << file("runs.csv");
  EXPECT_NE(page().find("| 12345678901234.567 |"), std::string::npos);
}

TEST_F(Bench, GoesOnWhereItWasAndRefusesOtherRules) {
  const std::vector<std::string> once = {corridor, "--engine", "search", "--cold", "--time-limit", "20"};
  ASSERT_EQ(bench(once).exit_code, 0);
  const std::string before = file("runs.csv");
  const ProgramResult again = bench(once);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.errors, "") << "nothing to do";
  EXPECT_EQ(file("runs.csv"), before);
  // More of the same: only what is new is run. The last line is as an interruption may leave it.
  folder_.write("out/runs.csv", before + "\"corridor_7\",\"sea");
  const ProgramResult more =
      bench({corridor, "--engine", "search", "--cold", "--time-limit", "20", "--repeat", "3"});
  EXPECT_EQ(more.exit_code, 0) << more.errors;
  EXPECT_NE(more.errors.find("0 of 2 runs"), std::string::npos);
  EXPECT_EQ(file("runs.csv").rfind(before, 0), 0u) << "the old run is kept";
  EXPECT_EQ(runs().size(), 3u);
  const ProgramResult other = bench({corridor, "--engine", "search", "--cold", "--time-limit", "10"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.errors,
            (folder_ / "out/runs.csv").string() +
                ": these runs were made with seconds = 20.0, not 10.0: expected a fresh start or another "
                "folder\n");
  EXPECT_EQ(bench({corridor, "--engine", "search", "--cold", "--time-limit", "10", "--fresh"}).exit_code, 0);
  EXPECT_EQ(runs().size(), 1u);
}

TEST_F(Bench, ADisagreementIsLoud) {
  const std::string liar = solver("liar", "echo 's UNSATISFIABLE'\n");
  const ProgramResult result =
      bench({corridor, "--engine", "search", "--solver", "opb: " + liar, "--cold", "--time-limit", "20"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(
      result.errors.substr(result.errors.find("DISAGREEMENT")),
      "DISAGREEMENT: corridor_7: search has a plan of cost 5, but liar (opb) claims that there is none\n");
  EXPECT_NE(result.output.find("liar (opb)  0/1, 1 refuted"), std::string::npos)
      << "a wrong answer does not count: " << result.output;
  const std::string text = page();
  EXPECT_NE(
      text.find("**The entrants disagree:**\n\n- refuted: corridor_7: search has a plan of cost 5, but liar "
                "(opb) claims that there is none\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("| liar (opb) | 0/1, 1 refuted | 40.00 |"), std::string::npos) << text;
  EXPECT_NE(file("runs.csv").find(",infeasible,"), std::string::npos) << "what was claimed";
  // And also where the plan is that of an earlier comparison.
  EXPECT_EQ(bench({corridor, "--solver", "opb: " + liar, "--cold", "--time-limit", "20"}).exit_code, 3);
}

TEST_F(Bench, FailuresAreSaidAndLimitsKept) {
  const std::string crash = solver("crash", "echo boom >&2\nexit 7\n"), slow = solver("slow", "sleep 60\n");
  const ProgramResult result = bench({corridor, "--solver", "opb: " + crash, "--solver", "opb: " + slow,
                                      "--cold", "--time-limit", "0.6", "--repeat", "3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.errors.find(
                "failed: corridor_7: crash (opb): exit code 2: bnnplan: solver 'crash' gave no answer, "
                "exit code 7: boom"),
            std::string::npos)
      << result.errors;
  ASSERT_EQ(runs().size(), 2u) << "what is not solved is not repeated";
  for (const RunRecord& run : runs()) {
    if (run.entrant != "slow (opb)") continue;
    EXPECT_EQ(run.status, "unknown");
    EXPECT_EQ(run.message, "time limit");
    EXPECT_LT(run.seconds, 2.0);
  }
}

TEST_F(Bench, GivesUpOnAFamily) {
  // Solves the corridor of 7 steps, and nothing longer.
  const std::string weak = solver("weak", "echo run >>" + (folder_ / "asked").string() +
                                              "\n"
                                              "if grep -q 'horizon 7' $1; then exec clasp $1; fi\n"
                                              "echo s UNKNOWN\n");
  const std::string other = (folder_ / "corridor_b.toml").string();
  std::filesystem::copy_file(corridor, other);
  std::filesystem::copy_file(std::filesystem::path(corridor).replace_extension("bnn"),
                             folder_ / "corridor.bnn");
  const std::vector<std::string> common = {"--solver", "opb: " + weak, "--engine", "search",
                                           "--cold",   "--time-limit", "20"};
  const auto with = [&](std::vector<std::string> more) {
    std::filesystem::remove(folder_ / "asked");
    more.insert(more.end(), common.begin(), common.end());
    const ProgramResult result = bench(more);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    const std::string asked = read_text_file(folder_ / "asked");
    return std::count(asked.begin(), asked.end(), '\n');
  };
  EXPECT_EQ(with({corridor + "@7-11", "--give-up", "2"}), 3) << "7 is solved, 8 and 9 are not";
  const std::string text = page();
  EXPECT_NE(
      text.find("- an entrant that does not solve 2 problems of a family in a row is not run on its later "
                "ones, which count as not solved\n"),
      std::string::npos);
  EXPECT_NE(text.find("| corridor_11 | 5 | 0."), std::string::npos);
  EXPECT_NE(text.find("| not run |"), std::string::npos);
  EXPECT_NE(text.find("| weak (opb) | 1/5 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| search | 5/5 |"), std::string::npos) << "who solves is not stopped";
  EXPECT_EQ(with({corridor + "@7-11", "--give-up", "3"}), 1) << "continues from there";
  EXPECT_EQ(with({corridor + "@8-9", other + "@7-8", "--give-up", "1", "--fresh"}), 3) << "two families";
  EXPECT_EQ(with({corridor + "@8-9", other + "@7-8", "--give-up", "1", "--family-end", "_", "--fresh"}), 1);
  EXPECT_EQ(page().find("## By family"), std::string::npos) << "one family";
  EXPECT_EQ(with({corridor + "@8-9", "--fresh"}), 2) << "no entrant is given up unless asked for";
}

TEST_F(Bench, RunsAreTiedToOneCore) {
  const std::string seen = (folder_ / "cores").string();
  const std::string solver_file =
      solver("looks", "grep Cpus_allowed_list /proc/self/status > " + seen + "\necho 's UNSATISFIABLE'\n");
  const std::vector<std::string> run = {corridor, "--solver", "opb: " + solver_file, "--cold", "--time-limit",
                                        "20",     "--fresh"};
  std::vector<std::string> tied = run;
  tied.insert(tied.end(), {"--core", "0"});
  EXPECT_EQ(bench(tied).exit_code, 0);
  EXPECT_EQ(read_text_file(seen), "Cpus_allowed_list:\t0\n");
  EXPECT_EQ(bench(run).exit_code, 0);
  const std::string own = read_text_file(seen);
  EXPECT_EQ(own.find_first_of(",-"), std::string::npos) << "one core, if none is named: " << own;
  tied = run;
  tied.insert(tied.end(), {"--core", "0", "--any-core"});
  EXPECT_EQ(bench(tied).exit_code, 1) << "one or the other";
}

TEST_F(Bench, IsAFunctionOfTheLibrary) {
  BenchOptions options;
  options.problems = {corridor};
  options.engines = {"search"};
  options.cold = true;
  options.program = BNNPLAN_PROGRAM;
  options.folder = folder_ / "out";
  const BenchResult result = bnnplan::bench(options);
  ASSERT_EQ(result.scores.size(), 1u);
  EXPECT_EQ(result.scores[0].solved, 1u);
  EXPECT_EQ(result.runs.size(), 1u);
  EXPECT_TRUE(result.disagreements.empty() && result.failures.empty() && !result.interrupted);
  options.core = 0;
  options.any_core = true;
  EXPECT_THROW(bnnplan::bench(options), OptionError);
  options.any_core = false;
  options.engines = {"external"};
  EXPECT_THROW(bnnplan::bench(options), OptionError);
}

TEST_F(Bench, SaysWhatIsWrong) {
  const auto error = [&](std::vector<std::string> arguments) {
    const ProgramResult result = bench(arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.errors;
  };
  EXPECT_EQ(error({corridor, corridor, "--engine", "search"}),
            "bnnplan: problem corridor_7 is given twice\n");
  EXPECT_EQ(error({corridor, "--engine", "search,search"}), "bnnplan: search is given twice\n");
  EXPECT_EQ(error({corridor, "--solver", "no-such-solver"}),
            "bnnplan: solver 'no-such-solver' was not found\n");
  EXPECT_EQ(bench({corridor, "--engine", "external"}).exit_code, 1);
  EXPECT_EQ(bench({corridor, "--time-limit", "0"}).exit_code, 1);
  folder_.write("out", "a file");
  EXPECT_NE(error({corridor, "--engine", "search"}).find("cannot create this folder"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan::comparison
