// bnnplan-mpi as a user starts it, by mpirun. What ranks do is tested in tests/ranks, without MPI; here is
// that they do it over MPI.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/random_problem.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::mpi {
namespace {

namespace fs = std::filesystem;
using testing::ProgramResult;
using testing::TemporaryFolder;

// With time to save after a signal: mpirun kills a second later otherwise. But it waits as long after every
// exit code but 0.
const std::vector<std::string> with_time_to_save = {"--mca", "odls_base_sigkill_timeout", "6"};

std::vector<std::string> mpirun(int ranks, const std::vector<std::string>& arguments,
                                const std::vector<std::string>& options = {}) {
  std::vector<std::string> command = {MPIRUN,  "--oversubscribe",     "--allow-run-as-root",
                                      "--mca", "mpi_yield_when_idle", "1",
                                      "-n",    std::to_string(ranks)};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back(MPI_PROGRAM);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

ProgramResult by_ranks(int ranks, const std::vector<std::string>& arguments) {
  return testing::run_program(mpirun(ranks, arguments));
}

std::string source(const std::string& path) { return std::string(BNNPLAN_SOURCE_DIR) + "/" + path; }

// From the status to the steps, without times and counts.
std::string answer_of(const std::string& json) {
  const auto begin = json.find("\"status\""), end = json.find("\"bounds\"");
  EXPECT_NE(begin, std::string::npos) << json;
  std::string text = json.substr(begin, end - begin);
  const auto seconds = text.find("\"seconds\""), line = text.find('\n', seconds);
  if (seconds != std::string::npos) text.erase(seconds, line - seconds);
  const auto engine = text.find("\"engine\""), after = text.find('\n', engine);
  if (engine != std::string::npos) text.erase(engine, after - engine);
  return text;
}

std::string field(const std::string& json, const std::string& name) {
  const auto at = json.find("\"" + name + "\": ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 4;
  return json.substr(begin, json.find_first_of(",\n}", begin) - begin);
}

TEST(Mpi, ShippedProblemsForAnyNumberOfRanks) {
  for (const char* model : {"corridor", "navigation_3x3", "sysadmin_4", "inventory_2"}) {
    SCOPED_TRACE(model);
    const std::string problem = source(std::string("models/") + model + ".toml");
    const std::vector<std::string> horizon =
        std::string(model) == "corridor" ? std::vector<std::string>{} : std::vector<std::string>{"-H", "5"};
    std::vector<std::string> arguments = {"plan", problem, "--json"};
    arguments.insert(arguments.end(), horizon.begin(), horizon.end());
    std::vector<std::string> alone = arguments;
    alone.insert(alone.end(), {"--engine", "search"});
    const ProgramResult expected = testing::run_bnnplan(alone);
    std::string first;
    for (const int ranks : {1, 2, 4}) {
      const ProgramResult result = by_ranks(ranks, arguments);
      EXPECT_EQ(result.exit_code, expected.exit_code) << result.errors;
      EXPECT_EQ(field(result.output, "status"), field(expected.output, "status"));
      EXPECT_EQ(field(result.output, "cost"), field(expected.output, "cost"));
      if (ranks == 1) first = answer_of(result.output);
      EXPECT_EQ(answer_of(result.output), first);
    }
  }
}

TEST(Mpi, TheWholeTableAndAFileOfThePlan) {
  const TemporaryFolder folder;
  const std::string plan = (folder / "plan.json").string();
  const ProgramResult result = by_ranks(2, {"plan", source("models/corridor.toml"), "-o", plan});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("optimal"), std::string::npos) << result.output;
  EXPECT_EQ(testing::run_bnnplan({"check", source("models/corridor.toml"), plan}).exit_code, 0);
}

TEST(Mpi, WhatIsWrongIsSaidOnce) {
  const ProgramResult missing = by_ranks(2, {"plan", "nothing.toml"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.output, "");
  const std::string line = "nothing.toml: cannot read";
  const auto first = missing.errors.find(line);
  ASSERT_NE(first, std::string::npos) << missing.errors;
  EXPECT_EQ(missing.errors.find(line, first + 1), std::string::npos) << missing.errors;
  EXPECT_EQ(by_ranks(2, {"plan"}).exit_code, 1);
  const ProgramResult help = by_ranks(2, {"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("plan"), std::string::npos);
}

TEST(Mpi, FourRanksHaveRoomForWhatOneHasNot) {
  const TemporaryFolder folder;
  const Problem problem = testing::shift_register_problem(20, 21);
  const std::string file = (folder / "large.toml").string();
  write_problem(file, problem);
  const std::string limit = "52";  // MiB for each, of which some 24 are the program and MPI
  const ProgramResult one = by_ranks(1, {"plan", file, "--memory-limit", limit, "--json"});
  EXPECT_EQ(one.exit_code, 11) << one.output;
  EXPECT_NE(one.output.find("memory"), std::string::npos) << one.output;
  const ProgramResult four = by_ranks(4, {"plan", file, "--memory-limit", limit, "--json"});
  EXPECT_EQ(four.exit_code, 0) << four.output << four.errors;
}

// Starts a command; its output goes to a file, its messages nowhere.
pid_t start(const std::vector<std::string>& command, const std::string& output) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (std::freopen(output.c_str(), "w", stdout) == nullptr) ::_exit(126);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(126);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// A process whose command line has this word, and which is not mpirun.
std::optional<pid_t> process_with(const std::string& word, const std::string& program) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string number = entry.path().filename().string();
    if (!std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    std::string text;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    std::getline(file, text, '\n');  // fails without a word where the process has ended meanwhile
    if (text.substr(0, text.find('\0')) == program && text.find(word) != std::string::npos)
      return static_cast<pid_t>(std::stol(number));
  }
  return std::nullopt;
}

// Waits until there is one, and kills it. False after some seconds without one.
bool kill_one(const std::string& word, const std::string& program) {
  for (int tries = 0; tries < 2000; ++tries) {
    if (const auto found = process_with(word, program)) return ::kill(*found, SIGKILL) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::size_t lines_of(const fs::path& file) {
  if (!fs::exists(file)) return 0;
  const std::string text = read_text_file(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::vector<std::string> small_suite = {"--family", "sysadmin", "--to", "opb"};

std::vector<std::string> suite_into(const fs::path& folder) {
  std::vector<std::string> arguments = {"suite", "-o", folder.string(), "--models", source("models")};
  arguments.insert(arguments.end(), small_suite.begin(), small_suite.end());
  return arguments;
}

// Files and index but for the seconds.
void expect_same_suite(const fs::path& folder, const fs::path& expected) {
  for (const auto& entry : fs::directory_iterator(expected)) {
    const fs::path name = entry.path().filename();
    if (name == "index.csv" || entry.path().extension() != ".opb") continue;
    ASSERT_TRUE(fs::exists(folder / name)) << name;
    EXPECT_EQ(read_text_file(folder / name), read_text_file(entry.path())) << name;
  }
  EXPECT_EQ(lines_of(folder / "index.csv"), lines_of(expected / "index.csv"));
  for (const auto& entry : fs::directory_iterator(folder)) {  // nor anything that a killed process has left
    const fs::path name = entry.path().filename();
    EXPECT_TRUE(fs::exists(expected / name) || name == "handed-out.csv") << name;
  }
}

// A child that is killed loses nothing but its problem, which is done again; of a rank that is killed all
// ends, and the same command continues.
TEST(Mpi, ASuiteSurvivesKilledProcesses) {
  const TemporaryFolder folder;
  std::vector<std::string> alone = suite_into(folder / "alone");
  ASSERT_EQ(testing::run_bnnplan(alone).exit_code, 0);

  const fs::path first = folder / "first";
  pid_t job = start(mpirun(3, suite_into(first)), (folder / "output").string());
  EXPECT_TRUE(kill_one(first.string() + "/parts/", BNNPLAN_PROGRAM));
  int status = 0;
  ::waitpid(job, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  expect_same_suite(first, folder / "alone");

  const fs::path second = folder / "second";
  job = start(mpirun(3, suite_into(second)), (folder / "output").string());
  while (lines_of(second / "handed-out.csv") < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(kill_one(second.string(), MPI_PROGRAM));
  ::waitpid(job, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const std::size_t before = lines_of(second / "handed-out.csv");
  const ProgramResult again = by_ranks(2, suite_into(second));
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_NE(again.output.find(fmt::format("{} before", before - 1)), std::string::npos) << again.output;
  expect_same_suite(second, folder / "alone");
}

// A signal to mpirun stops the processes; the same command continues. The ladder of new problems is handed
// out as the 45 are.
TEST(Mpi, ASuiteThatIsInterruptedGoesOn) {
  const TemporaryFolder folder;
  const auto ladder_into = [&](const fs::path& into) {
    return std::vector<std::string>{"suite",
                                    "--extended",
                                    "-o",
                                    into.string(),
                                    "--domains",
                                    source("domains"),
                                    "--to",
                                    "opb,wcnf",
                                    "--only",
                                    "navigation-known_n3_h5_s1,random_n6_a4_g4_w8_l2_h2_s1,random_n7_a4_g4_"
                                    "w8_l2_h3_s1,sysadmin-known_n4_h3_s1"};
  };
  const ProgramResult alone = testing::run_bnnplan(ladder_into(folder / "alone"));
  ASSERT_EQ(alone.exit_code, 0) << alone.errors;
  const fs::path by_some = folder / "some";
  const pid_t job = start(mpirun(2, ladder_into(by_some), with_time_to_save), (folder / "output").string());
  while (lines_of(by_some / "handed-out.csv") < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(job, SIGINT);
  int status = 0;
  ::waitpid(job, &status, 0);
  const std::size_t before = lines_of(by_some / "handed-out.csv");
  const ProgramResult again = by_ranks(3, ladder_into(by_some));
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_NE(again.output.find(fmt::format("{} before", before - 1)), std::string::npos) << again.output;
  for (const auto& entry : fs::directory_iterator(folder / "alone")) {
    const fs::path name = entry.path().filename();
    ASSERT_TRUE(fs::exists(by_some / name)) << name;
    if (name != "index.csv") {
      EXPECT_EQ(read_text_file(by_some / name), read_text_file(entry.path())) << name;
    }
  }
  const auto names = [](const fs::path& index) {  // the first columns of all lines: name, file, ...
    std::string text;
    const std::string all = read_text_file(index);
    for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1)
      text += all.substr(at, all.find(',', at) - at) + "\n";
    return text;
  };
  EXPECT_EQ(names(by_some / "index.csv"), names(folder / "alone/index.csv"));
  EXPECT_EQ(by_ranks(1, {"suite", "-o", by_some.string(), "--extended", "--list"}).exit_code, 1);
}

TEST(Mpi, ComparesByRanks) {
  const TemporaryFolder folder;
  const std::string results = (folder / "results").string();
  const std::vector<std::string> bench = {"bench",
                                          "--problem",
                                          source("models/navigation_3x3.toml") + "@4-6",
                                          "--engine",
                                          "search,maxsat",
                                          "--time-limit",
                                          "20",
                                          "-o",
                                          results,
                                          "--cold"};
  const ProgramResult compared = by_ranks(3, bench);
  EXPECT_EQ(compared.exit_code, 0) << compared.errors;
  EXPECT_NE(read_text_file(fs::path(results) / "settings.json").find("\"navigation_3x3_6\""),
            std::string::npos);
  EXPECT_EQ(lines_of(fs::path(results) / "runs.csv"), 7u);  // three problems by two engines, and the header
  const ProgramResult again = by_ranks(2, bench);
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_NE(again.output.find("0 items done, 3 before; 0 failed"), std::string::npos) << again.output;
  EXPECT_EQ(lines_of(fs::path(results) / "runs.csv"), 7u);
  const ProgramResult wrong = by_ranks(2, {"bench", "--problem", "nothing.toml", "-o", results});
  EXPECT_EQ(wrong.exit_code, 2) << wrong.errors;
  EXPECT_EQ(by_ranks(2, {"suite", "-o", (folder / "s").string(), "--only", "nothing"}).exit_code, 2);
}

TEST(Mpi, VerifiesByRanks) {
  const TemporaryFolder folder;
  // Four pixels; the class is "bright" if at least three of them are.
  const std::string network = folder.write("bright.bnn",
                                           "bnn 2\nshape 4:2\ninputs\n  a\n  b\n  c\n  d\nnumbers\n"
                                           "  >= 99.5 from 0 to 255 step 1\n  >= 99.5 from 0 to 255 step 1\n"
                                           "  >= 99.5 from 0 to 255 step 1\n  >= 99.5 from 0 to 255 step 1\n"
                                           "outputs\n  dark\n  bright\nscores lowest\n  ---- * 1 + 0\n"
                                           "  ++++ * 1 + -1\nend\n");
  fs::create_directories(folder / "all/bright");
  folder.write("all/a_labeldark.txt", "98 0 120 40");
  folder.write("all/b_labeldark.csv", "0 0 0 0");
  folder.write("all/bright/c.csv", "0,0,0,0");
  const std::string answers = (folder / "answers").string();
  const std::vector<std::string> verify = {
      "verify", "--network", network, "--all", (folder / "all").string(), "--epsilon", "2",
      "--norm", "l0",        "-o",    answers};
  const ProgramResult result = by_ranks(3, verify);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("robust, or the nearest is proved: 1 input\nnot robust: 2 inputs\n"),
            std::string::npos)
      << result.output;
  EXPECT_NE(read_text_file(fs::path(answers) / "b_labeldark.csv.json").find("\"status\": \"robust\""),
            std::string::npos);
  EXPECT_TRUE(fs::exists(fs::path(answers) / "bright_c.csv.json"));
  const ProgramResult again = by_ranks(1, verify);
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_NE(
      again.output.find("0 items done, 3 before; 0 failed\nrobust, or the nearest is proved: 1 input\n"),
      std::string::npos)
      << again.output;
}

class StoppedSearch : public ::testing::Test {
 protected:
  void SetUp() override { write_problem(file_, testing::shift_register_problem(22, 23)); }

  // A search by two ranks that has saved once, and continues.
  pid_t start_and_save(const std::string& every, const std::vector<std::string>& options) {
    const pid_t job =
        start(mpirun(2, {"plan", file_, "--json", "--checkpoint", checkpoint_, "--every", every}, options),
              (folder_ / "output").string());
    for (int tries = 0; tries < 4000 && !fs::exists(checkpoint_); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return job;
  }

  void expect_resumed_by(int ranks) {
    const ProgramResult resumed = by_ranks(ranks, {"plan", file_, "--json", "--resume", checkpoint_});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
    EXPECT_EQ(field(resumed.output, "cost"), "22");
    EXPECT_NE(resumed.output.find("resumed"), std::string::npos);
  }

  TemporaryFolder folder_;
  std::string file_ = (folder_ / "large.toml").string(), checkpoint_ = (folder_ / "c").string();
};

// SIGTERM to mpirun, which passes it on; resumed with more ranks.
TEST_F(StoppedSearch, ByASignalSavesAndOthersGoOn) {
  // mpirun waits this number of seconds before it passes the signal on, and again before it kills; the search
  // takes longer than the first.
  const pid_t job = start_and_save("0.1", {"--mca", "odls_base_sigkill_timeout", "2"});
  ::kill(job, SIGTERM);
  int status = 0;
  ::waitpid(job, &status, 0);
  ASSERT_TRUE(fs::exists(checkpoint_));
  const std::string told = read_text_file(folder_ / "output");
  EXPECT_NE(told.find("interrupted"), std::string::npos) << "the best so far is told: " << told;
  expect_resumed_by(3);
}

// The job ends; the last checkpoint is whole, and fewer ranks continue from it.
TEST_F(StoppedSearch, ByTheDeathOfARank) {
  const pid_t job = start_and_save("0.05", {});
  EXPECT_TRUE(kill_one(checkpoint_, MPI_PROGRAM));
  int status = 0;
  ::waitpid(job, &status, 0);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect_resumed_by(1);
}

}  // namespace
}  // namespace bnnplan::mpi
