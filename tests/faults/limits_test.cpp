// Limits on problems too hard to finish: kept by every engine, with what is known told; and Ctrl-C.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bnnplan/problem/problem_file.hpp"
#include "faults/commands.hpp"
#include "support/random_problem.hpp"
#include "support/run_program.hpp"
#include "support/run_under.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using nlohmann::json;
using testing::run_under;
using testing::RunEnd;
using testing::RunOptions;
using testing::TemporaryFolder;

using Words = std::vector<std::string>;

std::vector<Words> all_engines() {
  std::vector<Words> list = {{"search", "--threads", "1"},
                             {"search", "--threads", "2"},
                             {"neuron"},
                             {"maxsat"},
                             {"auto", "--threads", "1"},
                             {"auto", "--threads", "2"},
                             {"external", "--solver", BNNPLAN_PROGRAM " maxsat"}};
  if (testing::run_program({"clasp", "--version"}).exit_code == 0)
    list.push_back({"external", "--solver", "clasp"});
  return list;
}

Words plan(const std::string& problem, const Words& engine, const Words& more) {
  Words arguments = {"plan", problem, "--json", "--engine"};
  arguments.insert(arguments.end(), engine.begin(), engine.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// On a machine that does other things as well, time passes without us: CPU time says whether it was ours.
bool in_time(const RunEnd& end, double limit, int threads = 1) {
  const double allowed = limit + 0.2 + 0.02 * limit;
  return end.seconds <= allowed || (end.cpu_seconds <= allowed * threads && end.seconds <= 3 * limit + 3);
}

TEST(Limits, Time) {
  constexpr double limit = 0.3;
  for (const std::string& problem : {testing::large_problem(), testing::wide_problem()}) {
    for (const Words& engine : all_engines()) {
      SCOPED_TRACE(engine[0] + ' ' + engine.back() + ": " + problem);
      RunEnd end;
      EXPECT_TRUE(testing::one_of_three([&] {
        end = run_under(plan(problem, engine, {"--time-limit", "0.3"}));
        return in_time(end, limit, engine.back() == "2" ? 2 : 1);
      })) << end.seconds
          << " s";
      EXPECT_TRUE(end.exit_code == 0 || end.exit_code == 10 || end.exit_code == 11)
          << end.exit_code << end.errors;
      EXPECT_EQ(end.errors, "");
      const json root = json::parse(end.output, nullptr, false);
      ASSERT_TRUE(root.is_object()) << end.output;
      if (end.exit_code != 0) {
        EXPECT_EQ(root["stopped"], "time limit");
      }
    }
  }
}

TEST(Limits, TimeWhileReading) {
  // Of 200,000 constraints, which take seconds to read.
  const TemporaryFolder folder;
  std::string text = "horizon = 3\nminimize = \"a\"\ntransitions = [\"x' == a\"]\nconstraints = [\n";
  for (int i = 0; i < 200000; ++i)
    text += "  \"" + std::to_string(i) + " x + a <= " + std::to_string(i + 1) + "\",\n";
  text += "]\n[action]\na = \"bool\"\n[state]\nx = \"bool\"\n[initial]\nx = false\n";
  const std::string problem = folder.write("long.toml", text);
  RunEnd end;
  EXPECT_TRUE(testing::one_of_three([&] {
    end = run_under({"plan", problem, "--time-limit", "0.1"});
    return in_time(end, 0.1);
  })) << end.seconds;
  EXPECT_EQ(end.exit_code, 11);
  EXPECT_EQ(end.output, "unknown: time limit while " + problem + " was read\n");
}

TEST(Limits, Memory) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  for (const Words& engine : all_engines()) {
    for (const std::string& problem : {testing::large_problem(), testing::wide_problem()}) {
      if (engine[0] == "auto" || (engine[0] == "search" && problem == testing::wide_problem())) continue;
      SCOPED_TRACE(engine[0] + ' ' + engine.back() + ": " + problem);
      Words more = {"--memory-limit", "100", "--time-limit", "3"};
      // It takes memory step by step, and not much of it.
      if (engine[0] == "neuron") more.insert(more.end(), {"-H", "100000"});
      RunEnd end;
      EXPECT_TRUE(testing::one_of_three([&] {
        end = run_under(plan(problem, engine, more));
        return end.peak_bytes <= 110 * mebibyte;
      })) << end.peak_bytes / mebibyte
          << " MiB: " << end.output;
      EXPECT_EQ(end.exit_code, 11) << end.errors;
      const bool by_memory = end.output.find("\"stopped\": \"memory limit\"") != std::string::npos;
      EXPECT_TRUE(by_memory || engine[0] == "external") << end.output;  // clasp needs little
    }
  }
}

// A ring of cells: a plan is easy to find, and the optimum is known.
TEST(Limits, BestPlanAndBoundAreTold) {
  const TemporaryFolder folder;
  const std::string file = (folder / "ring.toml").string(), best = (folder / "best.json").string();
  Problem problem = testing::ring_problem(60, 3);
  constexpr int optimum = 12;
  write_problem(file, problem);
  int plans = 0;
  for (const Words& engine : all_engines()) {
    for (const char* seconds : {"0.02", "0.1", "0.4"}) {
      SCOPED_TRACE(engine[0] + ' ' + engine.back() + ' ' + seconds);
      const RunEnd end = run_under(plan(file, engine, {"--time-limit", seconds, "-o", best}));
      const json root = json::parse(end.output, nullptr, false);
      ASSERT_TRUE(root.is_object()) << end.output << end.errors;
      if (!root["lower_bound"].is_null()) {
        EXPECT_LE(root["lower_bound"], optimum);
      }
      if (root["cost"].is_null()) continue;
      ++plans;
      EXPECT_GE(root["cost"], optimum);
      const RunEnd checked = run_under({"check", file, best});
      EXPECT_EQ(checked.exit_code, 0) << checked.output;
    }
  }
  EXPECT_GT(plans, 0);
}

void expect_quick_end(const Words& arguments, int signal, const std::vector<int>& exit_codes) {
  RunOptions options;
  options.signal = signal;
  options.signal_after = 0.25;
  RunEnd end;
  EXPECT_TRUE(testing::one_of_three([&] {
    end = run_under(arguments, options);
    return end.seconds_after_signal <= 0.2 ||
           (end.cpu_seconds_after_signal <= 0.15 && end.seconds_after_signal <= 3);
  })) << end.seconds_after_signal
      << " s after the signal, " << end.cpu_seconds_after_signal << " s of them CPU";
  EXPECT_TRUE(end.signal == signal ||
              std::find(exit_codes.begin(), exit_codes.end(), end.exit_code) != exit_codes.end())
      << "signal " << end.signal << ", exit code " << end.exit_code << ": " << end.errors;
}

TEST(Interrupt, EndsEngines) {
  for (const Words& engine : all_engines()) {
    SCOPED_TRACE(engine[0] + ' ' + engine.back());
    expect_quick_end(plan(testing::large_problem(), engine, {}), SIGINT, {0, 10, 11});
    expect_quick_end(plan(testing::wide_problem(), engine, {}), SIGTERM, {0, 10, 11});
  }
}

TEST(Interrupt, EndsOtherCommands) {
  const TemporaryFolder folder;
  const auto in = [](const char* name) { return (testing::inputs() / name).string(); };
  const auto out = [&](const char* name) { return (folder / name).string(); };
  ASSERT_EQ(
      run_under({"encode", testing::large_problem(), "--to", "wcnf", "-o", out("large.wcnf")}).exit_code, 0);
  // A transition of all 20 cells at once, which is tabulated.
  const std::string domain = folder.write("slow.rddl", R"(domain slow {
    types { cell : object; };
    pvariables {
      on(cell) : { state-fluent, bool, default = false };
      push(cell) : { action-fluent, bool, default = false };
    };
    cpfs { on'(?c) = push(?c) ^ ((sum_{?d : cell} on(?d)) * (sum_{?d : cell} on(?d)) >= 50); };
    reward = -(sum_{?c : cell} push(?c));
  })");
  const std::string instance = folder.write("slow_20.rddl", R"(
    non-fluents cells { domain = slow; objects { cell : { a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t }; }; }
    instance slow_20 { domain = slow; non-fluents = cells; init-state { on(a); }; horizon = 4; discount = 1.0; }
  )");
  const std::vector<std::pair<Words, std::vector<int>>> commands = {
      {{"learn", in("data.csv"), "--hidden", "1000,1000", "--quiet", "-o", out("net.bnn")}, {0}},
      {{"learn", in("data.csv"), "--hidden", "10", "--epochs", "100000", "--quiet", "-o", out("net.bnn")},
       {0}},
      {{"suite", "--models", BNNPLAN_SOURCE_DIR "/models", "-o", out("suite")}, {11}},
      {{"bench", testing::large_problem(), "--engine", "search,maxsat", "--any-core", "-o", out("bench")},
       {11}},
      {{"maxsat", out("large.wcnf")}, {0, 10}},
      {{"encode", testing::wide_problem(), "--to", "wcnf", "-o", out("wide.wcnf")}, {}},
      {{"simulate", in("navigation.rddl"), in("navigation_3x3.rddl"), "--episodes", "1000000", "--unique",
        "-o", out("data.csv")},
       {}},
      {{"compile", domain, instance, "--table-bits", "24", "-o", out("slow.toml")}, {}},
      {{"check-proof", testing::wide_problem(), in("corridor.pbp"), "-H", "2000"}, {}}};
  for (const auto& [arguments, exit_codes] : commands) {
    SCOPED_TRACE(arguments[0]);
    expect_quick_end(arguments, SIGINT, exit_codes);
    expect_quick_end(arguments, SIGTERM, exit_codes);
  }
  EXPECT_FALSE(std::filesystem::exists(out("wide.wcnf")));
  EXPECT_FALSE(std::filesystem::exists(out("slow.toml")));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
}

}  // namespace
}  // namespace bnnplan
