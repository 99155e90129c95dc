// The program as its users meet it: output, one-line errors, exit codes.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "support/published.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::cli {
namespace {

using testing::corridor;
using testing::corridor_plan;
using testing::expect_bad_input;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

// Bad input: exit code 2, nothing on standard output, exactly this one line on standard error.
TEST(Program, HelpAndVersion) {
  EXPECT_EQ(run_bnnplan({"--version"}).output, "bnnplan " BNNPLAN_VERSION "\n");
  for (const std::string command : {"plan", "check", "encode", "decode", "import", "info"}) {
    EXPECT_NE(run_bnnplan({"--help"}).output.find("  " + command), std::string::npos);
    const ProgramResult help = run_bnnplan({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.output.find("Usage: bnnplan " + command), std::string::npos) << help.output;
  }
}

TEST(Program, CheckAcceptsAndRefuses) {
  const ProgramResult accepted = run_bnnplan({"check", corridor, corridor_plan});
  EXPECT_EQ(accepted.exit_code, 0);
  EXPECT_NE(accepted.output.find("valid plan, 7 steps, cost 5\n"), std::string::npos);
  EXPECT_EQ(accepted.errors, "");
  const ProgramResult refused = run_bnnplan({"check", corridor, corridor_plan, "-H", "8"});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_EQ(refused.output, "refused: the plan has 7 steps, the horizon is 8\n");
  const TemporaryFolder folder;
  const std::string plan = (folder / "p.json").string();
  ASSERT_EQ(run_bnnplan({"plan", corridor, "--solver", "clasp", "-o", plan}).exit_code, 0);
  EXPECT_NE(run_bnnplan({"check", corridor, plan})
                .output.find("\nthe file claims: optimal, as clasp claimed (which is not checked here)\n"),
            std::string::npos);
}

// Integer columns have the bits that the problem gives them; whatever is wrong with the data, the plan comes
// first.
TEST(Program, PlanLooksUpDataOfIntegers) {
  const TemporaryFolder folder;
  const std::string problem = BNNPLAN_SOURCE_DIR "/models/inventory_2.toml";
  const auto plan_with = [&](const std::string& data, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"plan", problem, "--data", folder.write("d.csv", data)});
    return run_bnnplan(more);
  };
  const std::string header = "threshold-met,stock,month,order,note,threshold-met',stock'\n";
  const ProgramResult integers = plan_with(header + "1,0,0,1,7,1,5\n1,5,1,0,9,1,2\n");
  EXPECT_EQ(integers.exit_code, 0) << integers.errors;
  EXPECT_NE(integers.output.find(": the network is wrong on 0 of 2 transitions\n"), std::string::npos)
      << integers.output;
  EXPECT_NE(integers.output.find("2 of the plan's 5 transitions are in the data"), std::string::npos);
  const std::string name = (folder / "d.csv").string();
  for (const auto& [data, wrong] : std::vector<std::pair<std::string, std::string>>{
           {header + "1,16,0,0,0,1,0\n", ":2: 16 in column 'stock', expected 0 to 15\n"},
           {header + "5,0,0,0,0,1,0\n", ":2: 5 in column 'threshold-met', expected 0 or 1\n"},
           {"stock,threshold-met,order,stock',threshold-met'\n", ":1: no input column 'month'\n"},
           {"stock.0,threshold-met,month,order,stock',threshold-met'\n0,0,0,0,0,0\n",
            ":1: no column 'stock.1', which the network has\n"}}) {
    const ProgramResult refused = plan_with(data);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.output.find("optimal plan of 5 steps"), std::string::npos) << refused.output;
    EXPECT_EQ(refused.errors, name + wrong);
    const ProgramResult json = plan_with(data, {"--json"});
    EXPECT_EQ(json.exit_code, 2);
    EXPECT_NE(json.output.find("\"status\": \"optimal\""), std::string::npos) << json.output;
    EXPECT_EQ(json.output.find("\"evidence\""), std::string::npos) << json.output;
  }
}

TEST(Program, AnswersAreObjectsIfAskedFor) {
  const ProgramResult info = run_bnnplan({"info", BNNPLAN_SOURCE_DIR "/models/corridor.toml", "--json"});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_EQ(text_of(parse_json(info.output, "info"), "problem"), "corridor");
  const ProgramResult run = run_bnnplan({"run", BNNPLAN_SOURCE_DIR "/domains/sysadmin.rddl",
                                         BNNPLAN_SOURCE_DIR "/domains/sysadmin_4.rddl", "--policy", "random",
                                         "--episodes", "2", "--steps", "3", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const JsonValue told = parse_json(run.output, "run");
  ASSERT_EQ(told.find("policies")->array()->size(), 1u) << run.output;
  EXPECT_EQ(text_of(told.find("policies")->array()->front(), "policy"), "random");
}

TEST(Program, InfoDescribesEveryKindOfFile) {
  EXPECT_EQ(run_bnnplan({"info", corridor}).output.substr(0, 23), "problem       corridor\n");
  EXPECT_EQ(run_bnnplan({"info", BNNPLAN_SOURCE_DIR "/models/corridor.bnn"}).output.substr(0, 21),
            "network       7:15:5\n");
  EXPECT_EQ(run_bnnplan({"info", corridor_plan}).output.substr(0, 22), "plan          7 steps\n");
}

TEST(Program, ImportWritesProblemAndNetwork) {
  BNNPLAN_NEEDS_PUBLISHED();
  const TemporaryFolder folder;
  const std::string output = (folder / "n.toml").string();
  const ProgramResult result = run_bnnplan({"import", "fd-sat-plan", testing::published_folder().string(),
                                            "navigation", "3x3", "-H", "4", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(folder / "n.bnn"));
  const std::string plan =
      folder.write("p.json", R"({"steps": [{"actions": {"move-east": 1}}, {"actions": {"move-north": 1}},
      {"actions": {"move-north": 1}}, {"actions": {"move-west": 1}}]})");
  const ProgramResult checked = run_bnnplan({"check", output, plan});
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_NE(checked.output.find("valid plan, 4 steps, cost 4\n"), std::string::npos);
}

TEST(Program, ImportRefuses) {
  const TemporaryFolder folder;
  const std::string here = folder.path().string();
  expect_bad_input({"import", "fd-sat-plan", here, "navigation", "3x3", "-o", here + "/x.json"},
                   here + "/x.json: the output must be named *.toml: the network goes beside it as *.bnn");
  expect_bad_input(
      {"import", "fd-sat-plan", here, "navigation", "3x3", "-o", here + "/x.toml"},
      here + "/translation/pvariables_navigation_3x3.txt: cannot read: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.toml")) << "nothing half-written";
}

TEST(Program, BadInputIsOneLineAndExitTwo) {
  const TemporaryFolder folder;
  const std::string here = folder.path().string();
  expect_bad_input({"check", here + "/no.toml", corridor_plan},
                   here + "/no.toml: cannot read: No such file or directory");
  expect_bad_input({"check", here, corridor_plan}, here + ": cannot read: Is a directory");
  expect_bad_input({"check", corridor, here + "/no.json"},
                   here + "/no.json: cannot read: No such file or directory");
  const std::string binary = folder.write("binary", std::string_view("\x7f"
                                                                     "ELF\0\0",
                                                                     6));
  expect_bad_input({"info", binary}, binary + ": not a text file: it has a zero byte at offset 4");
  const std::string other = folder.write("other.json", R"({"steps": [{"actions": {"jump": 1}}]})");
  expect_bad_input({"check", corridor, other},
                   other + ": \"actions\" of step 1: unknown action variable 'jump'");
  const std::string escape = folder.write("escape.toml", "\"\\u001b[31m\" = 3\n");
  expect_bad_input({"info", escape}, escape + ":1: unknown key '\\x1b[31m'");
  const std::string timeless =
      folder.write("timeless.toml", "transitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n");
  const std::string empty = folder.write("empty.json", R"({"steps": []})");
  expect_bad_input({"check", timeless, empty},
                   empty + ": the plan has no steps, and the problem states no horizon");
}

TEST(Program, EveryTruncationOfEveryFileIsHandled) {
  const TemporaryFolder folder;
  for (const std::string name : {"corridor.toml", "corridor.bnn", "corridor.plan.json"}) {
    const std::string text = read_text_file(std::filesystem::path(BNNPLAN_SOURCE_DIR) / "models" / name);
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 40) {
      const ProgramResult result = run_bnnplan({"info", folder.write(name, text.substr(0, length))});
      EXPECT_TRUE(result.exit_code == 2 || (result.exit_code == 0 && name == "corridor.toml"))
          << name << " cut at " << length << ": exit code " << result.exit_code;
      EXPECT_LE(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
    }
  }
}

}  // namespace
}  // namespace bnnplan::cli
