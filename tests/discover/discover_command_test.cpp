// bnnplan discover as its users meet it.
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::discovery {
namespace {

using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

const std::string source = BNNPLAN_SOURCE_DIR;

TEST(DiscoverCommand, NavigationIsProvedInTheWorldAndEverythingIsWritten) {
  const TemporaryFolder folder;
  const std::string found = (folder / "found").string();
  const ProgramResult result = run_bnnplan({"discover", source + "/domains/navigation.rddl",
                                            source + "/domains/navigation_3x3.rddl", "--prove", "-o", found});
  EXPECT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_NE(result.output.find("in the world: it holds, cost 4, and is proved optimal"), std::string::npos)
      << result.output;
  EXPECT_NE(result.errors.find("round 1, learned from 0 transitions: "), std::string::npos);
  EXPECT_EQ(read_text_file(found + "/index.html").rfind("<!doctype html>", 0), 0u);

  const ProgramResult told =
      run_bnnplan({"discover", source + "/domains/navigation.rddl", source + "/domains/navigation_3x3.rddl",
                   "--prove", "--json", "--quiet", "-o", (folder / "again").string()});
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_EQ(told.output.rfind("{\"world\": \"optimal\",\n \"model_status\": \"optimal\",\n", 0), 0u)
      << told.output;
  for (const char* field : {"\n \"cost\": 4,\n", "\n \"rounds\": [\n  {\"facts\": 0, ", "\n \"steps\": [\n"})
    EXPECT_NE(told.output.find(field), std::string::npos) << field << told.output;

  // What was written is what other commands read, and the record comes along.
  const ProgramResult plan = run_bnnplan({"plan", found + "/problem.toml", "--data", found + "/data.csv"});
  EXPECT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_NE(plan.output.find("the network is learned; its file says: wrong on 0 of "), std::string::npos)
      << plan.output;
  EXPECT_NE(plan.output.find("data.csv: the network is wrong on 0 of "), std::string::npos) << plan.output;
  EXPECT_NE(plan.output.find("4 of the plan's 4 transitions are in the data\n"), std::string::npos)
      << plan.output;
  const ProgramResult check = run_bnnplan({"check", found + "/problem.toml", found + "/plan.json", "--domain",
                                           source + "/domains/navigation.rddl", "--instance",
                                           source + "/domains/navigation_3x3.rddl", "--optimum"});
  EXPECT_EQ(check.exit_code, 0) << check.errors;
  EXPECT_NE(check.output.find("the domain's own optimum: reward -4, proved; this plan has it"),
            std::string::npos)
      << check.output;
  const ProgramResult json = run_bnnplan({"check", found + "/problem.toml", found + "/plan.json", "--domain",
                                          source + "/domains/navigation.rddl", "--instance",
                                          source + "/domains/navigation_3x3.rddl", "--optimum", "--json"});
  EXPECT_NE(json.output.find("\"domain_optimum\": \"-4\",\n \"gap\": \"0\""), std::string::npos)
      << json.output;
}

TEST(DiscoverCommand, AProgramIsTheWorld) {
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("door.toml",
                   "name = \"door\"\nhorizon = 2\nminimize = \"push + pull\"\ngoal = [\"open == 1\"]\n"
                   "constraints = [\"push + pull <= 1\"]\n"
                   "[action]\npush = \"bool\"\npull = \"bool\"\n[state]\nopen = \"bool\"\n"
                   "[initial]\nopen = false\n");
  const std::string world =
      folder.write("world.sh",
                   "while read line; do case \"$line\" in *'\"pull\": 1'*) n=1;; *'\"open\": 1'*) n=1;; "
                   "*) n=0;; esac; echo \"{\\\"state\\\": {\\\"open\\\": $n}}\"; done\n");
  const ProgramResult result = run_bnnplan({"discover", problem, "--world", "sh " + world, "--prove",
                                            "--quiet", "-o", (folder / "found").string()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_NE(result.output.find("in the world: it holds, cost 1, and is proved optimal"), std::string::npos)
      << result.output;
}

TEST(DiscoverCommand, WhatIsWrong) {
  const TemporaryFolder folder;
  const std::string out = (folder / "found").string();
  EXPECT_EQ(run_bnnplan({"discover", "x.rddl", "-o", out}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"discover", "x.toml", "y", "--world", "true", "-o", out}).exit_code, 1);
  const std::string problem = folder.write("p.toml",
                                           "horizon = 1\ngoal = [\"x == 1\"]\n[action]\na = "
                                           "\"bool\"\n[state]\nx = \"bool\"\n[initial]\nx = false\n");
  const ProgramResult ended = run_bnnplan({"discover", problem, "--world", "true", "-o", out});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.errors.find("the world 'true': exited"), std::string::npos) << ended.errors;
  const ProgramResult refuses =
      run_bnnplan({"discover", problem, "--world",
                   "sh " + folder.write("w.sh", "read line; echo '{\"illegal\": \"no\"}'\n"), "-o", out});
  EXPECT_EQ(refuses.exit_code, 2);
  EXPECT_NE(refuses.errors.find("the world refuses an action that the problem allows (no)"),
            std::string::npos)
      << refuses.errors;
}

}  // namespace
}  // namespace bnnplan::discovery
