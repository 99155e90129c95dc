// `bnnplan plan --proof` and `bnnplan check-proof` as their users meet them.
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/random_problem.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::corridor;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

class ProofCommand : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  TemporaryFolder folder_;
};

TEST_F(ProofCommand, AProofIsWrittenAndAccepted) {
  for (const std::string version : {"1.2", "3.0"}) {
    for (const std::string name : {"p.pbp", "p.pbp.gz"}) {
      const std::string proof = path(name);
      const ProgramResult plan =
          run_bnnplan({"plan", corridor, "--engine", "neuron", "--proof", proof, "--proof-version", version});
      EXPECT_EQ(plan.exit_code, 0) << plan.errors;
      EXPECT_EQ(plan.errors, "");
      EXPECT_NE(plan.output.find("optimal plan of 7 steps, cost 5, proved\nengine neuron (plan by local), "),
                std::string::npos);
      EXPECT_NE(plan.output.find(" M propagations/s"), std::string::npos);
      EXPECT_NE(plan.output.find("proof in " + proof + ", see `bnnplan check-proof`\n"), std::string::npos);
      const ProgramResult check = run_bnnplan({"check-proof", corridor, proof});
      EXPECT_EQ(check.exit_code, 0) << check.output << check.errors;
      EXPECT_EQ(check.output.find("accepted: optimal, cost 5 ("), 0u) << check.output;
      // The same about the model in a file.
      ASSERT_EQ(run_bnnplan({"encode", corridor, "--to", "opb", "-o", path("m.opb")}).exit_code, 0);
      const ProgramResult by_model = run_bnnplan({"check-proof", path("m.opb"), proof});
      EXPECT_EQ(by_model.output.find("accepted: optimal, value 5 ("), 0u) << by_model.output;
      std::filesystem::copy_file(path("m.opb"), path("m.txt"),
                                 std::filesystem::copy_options::overwrite_existing);
      EXPECT_EQ(run_bnnplan({"check-proof", path("m.txt"), proof}).output, by_model.output)
          << "known by what it has, whatever its name";
      // But not about another horizon.
      const ProgramResult other = run_bnnplan({"check-proof", corridor, proof, "-H", "8"});
      EXPECT_EQ(other.exit_code, 20);
      EXPECT_EQ(other.output.find("refused: " + proof + ": line 2: the formula has "), 0u) << other.output;
    }
  }
}

// With enough conflicts that learned clauses are deleted on the way.
TEST_F(ProofCommand, ALongProofForgetsClauses) {
  const std::string sysadmin = BNNPLAN_SOURCE_DIR "/models/sysadmin_4.toml", proof = path("long.pbp");
  const ProgramResult plan =
      run_bnnplan({"plan", sysadmin, "-H", "9", "--engine", "neuron", "--proof", proof});
  ASSERT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_NE(plan.output.find("optimal plan of 9 steps, cost 12, proved"), std::string::npos) << plan.output;
  EXPECT_NE(read_text_file(proof).find("\ndel id "), std::string::npos);
  const ProgramResult check = run_bnnplan({"check-proof", sysadmin, proof, "-H", "9"});
  EXPECT_EQ(check.exit_code, 0) << check.errors;
  EXPECT_EQ(check.output.find("accepted: optimal, cost 12 ("), 0u) << check.output;
}

TEST_F(ProofCommand, JsonNamesTheProof) {
  const ProgramResult plan = run_bnnplan(
      {"plan", corridor, "--engine", "neuron", "--proof", path("p.pbp"), "--json", "-o", path("plan.json")});
  const auto json = nlohmann::json::parse(plan.output);
  EXPECT_EQ(json["proof"], path("p.pbp"));
  EXPECT_GT(json["statistics"]["propagations"], 0);
  EXPECT_EQ(run_bnnplan({"check", corridor, path("plan.json")}).exit_code, 0);
  EXPECT_FALSE(nlohmann::json::parse(run_bnnplan({"plan", corridor, "--engine", "neuron", "--json"}).output)
                   .contains("proof"));
  const auto checked = [&](const std::vector<std::string>& more, int exit_code) {
    std::vector<std::string> arguments{"check-proof", corridor, path("p.pbp"), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult check = run_bnnplan(arguments);
    EXPECT_EQ(check.exit_code, exit_code) << check.output << check.errors;
    return nlohmann::json::parse(check.output);
  };
  const auto accepted = checked({}, 0), refused = checked({"-H", "8"}, 20);
  EXPECT_EQ(accepted["claim"], "optimal");
  EXPECT_EQ(accepted["cost"], 5);
  EXPECT_GT(accepted["steps"], 0);
  EXPECT_TRUE(accepted["accepted"] && accepted["refusal"].is_null());
  EXPECT_EQ(refused["accepted"], false);
  EXPECT_EQ(refused["refusal"].get<std::string>().find("line 2: the formula has "), 0u);
  EXPECT_TRUE(refused["claim"].is_null() && refused["cost"].is_null());
}

TEST_F(ProofCommand, InfeasibleAndAnyPlan) {
  EXPECT_EQ(
      run_bnnplan({"plan", corridor, "-H", "4", "--engine", "neuron", "--proof", path("no.pbp")}).exit_code,
      20);
  EXPECT_EQ(
      run_bnnplan({"check-proof", corridor, path("no.pbp"), "-H", "4"}).output.find("accepted: infeasible ("),
      0u);
  EXPECT_EQ(
      run_bnnplan({"plan", corridor, "--first", "--engine", "neuron", "--proof", path("any.pbp")}).exit_code,
      0);
  EXPECT_EQ(
      run_bnnplan({"check-proof", corridor, path("any.pbp")}).output.find("accepted: a solution exists ("),
      0u);
}

TEST_F(ProofCommand, AnAlteredProofIsRefused) {
  ASSERT_EQ(run_bnnplan({"plan", corridor, "--engine", "neuron", "--proof", path("p.pbp")}).exit_code, 0);
  const std::string text = read_text_file(path("p.pbp"));
  const auto refused = [&](const std::string& altered) {
    folder_.write("altered.pbp", altered);
    const ProgramResult check = run_bnnplan({"check-proof", corridor, path("altered.pbp")});
    EXPECT_EQ(check.exit_code, 20) << check.output;
    EXPECT_EQ(check.output.find("refused: " + path("altered.pbp") + ": "), 0u) << check.output;
  };
  refused(text.substr(0, text.rfind("conclusion")));  // without its end
  refused(text.substr(0, text.size() / 2) + "\n");    // cut off
  std::string other = text;                           // another initial state
  const std::size_t solution = other.find("\no ") + 3;
  if (other[solution] == '~') {
    other.erase(solution, 1);
  } else {
    other.insert(solution, "~");
  }
  refused(other);
  refused("");
}

TEST_F(ProofCommand, UsageAndBadInput) {
  const auto usage = [&](const std::vector<std::string>& arguments, const std::string& line) {
    const ProgramResult result = run_bnnplan(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.errors, "bnnplan: " + line + " (see bnnplan " + arguments[0] + " --help)\n");
  };
  usage({"plan", corridor, "--engine", "maxsat", "--proof", path("p")},
        "--proof is for --engine auto, search or neuron");
  usage({"plan", corridor, "--engine", "neuron", "--proof", "-"}, "--proof: '-', expected a file");
  usage({"plan", corridor, "--engine", "neuron", "--proof", ""}, "--proof: '', expected a file");
  usage({"plan", corridor, "--engine", "neuron", "--proof-version", "3.0"},
        "--proof-version requires --proof");
  usage({"plan", corridor, "--engine", "neuron", "--proof", path("p"), "--proof-version", "2"},
        "--proof-version: '2', expected one of 1.2, 3.0");
  usage({"plan", corridor, "--engine", "neuron", "--proof", path("p"), "--repair", "d.rddl", "i.rddl"},
        "--proof excludes --repair");
  usage({"check-proof", corridor}, "PROOF is required, usage: bnnplan check-proof SUBJECT PROOF [OPTIONS]");
  const auto bad = [&](std::vector<std::string> arguments, const std::string& line) {
    const ProgramResult result = run_bnnplan(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, line + "\n");
  };
  const std::string nowhere = path("no/p.pbp");
  bad({"plan", corridor, "--engine", "neuron", "--proof", nowhere},
      nowhere + ": cannot write: No such file or directory");
  bad({"plan", corridor, "--engine", "neuron", "--proof", "/dev/full"},
      "/dev/full: cannot write: No space left on device");
  bad({"check-proof", corridor, nowhere}, nowhere + ": cannot read: No such file or directory");
  bad({"check-proof", "none.toml", corridor}, "none.toml: cannot read: No such file or directory");
  const std::string model = folder_.write("m.opb", "+1 x1 >= 1 ;\n+9223372036854775807 x1 +1 x2 >= 1 ;\n");
  bad({"check-proof", model, corridor}, model + ":2: number too large: it does not fit into 64 bits");
  bad({"check-proof", model, corridor, "-H", "3"},
      model + ": -H is for problems, an OPB file has a fixed horizon");
}

TEST_F(ProofCommand, WhatIsStoppedLeavesNoProof) {
  const std::string problem = BNNPLAN_SOURCE_DIR "/models/navigation_8x8.toml";  // takes minutes
  const ProgramResult limited =
      run_bnnplan({"plan", problem, "--engine", "neuron", "--proof", path("p.pbp"), "--time-limit", "0.3"});
  EXPECT_TRUE(limited.exit_code == 10 || limited.exit_code == 11) << limited.output;
  EXPECT_EQ(limited.errors, "bnnplan: no proof, " + path("p.pbp") + " is not written\n");
  const std::string proof = path("p.pbp");
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDOUT_FILENO);  // then the plan cannot be printed
    ::close(STDERR_FILENO);
    ::execl(BNNPLAN_PROGRAM, BNNPLAN_PROGRAM, "plan", problem.c_str(), "--engine", "neuron", "--proof",
            proof.c_str(), "--time-limit", "60", nullptr);
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(name.find(".pbp"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace bnnplan::engines
