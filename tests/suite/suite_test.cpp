#include "bnnplan/suite/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "support/input_error_of.hpp"
#include "support/published.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::suite {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;

const std::filesystem::path models = BNNPLAN_SOURCE_DIR "/models";
const std::filesystem::path domains = BNNPLAN_SOURCE_DIR "/domains";

SuiteOptions options_for(const std::filesystem::path& output) {
  SuiteOptions options;
  options.folder = models;
  options.output = output;
  options.formats = {"opb"};
  options.version = "1.0";
  return options;
}

TEST(Suite, Has45Problems) {
  for (const SuiteSource source : {SuiteSource::shipped, SuiteSource::published}) {
    std::set<std::string> names;
    for (const SuiteProblem& problem : suite_problems(source)) names.insert(problem.name());
    EXPECT_EQ(names.size(), 45u);
    EXPECT_TRUE(names.count("navigation_3x3_4") && names.count("cellda_y_12") && names.count("sysadmin_5_4"));
    EXPECT_EQ(names.count("inventory_4_5"), source == SuiteSource::shipped ? 1u : 0u);
  }
}

void expect_true(const std::string& family, const std::string& instance, const Problem& problem,
                 const Plan& plan) {
  rddl::Simulator simulator(domains / (family + ".rddl"), domains / (family + "_" + instance + ".rddl"));
  const rddl::Replay replayed = rddl::replay(simulator, problem, plan);
  EXPECT_EQ(replayed.violation, "") << problem.name << " with " << problem.horizon << " steps";
  EXPECT_EQ(replayed.diverges, 0) << problem.name << " with " << problem.horizon << " steps";
}

// What the networks of the suite were made for: their optimal plans are true.
TEST(Suite, PlansOfShippedModelsHoldInTheTrueDomain) {
  for (const SuiteProblem& wanted : suite_problems(SuiteSource::shipped)) {
    Problem problem = read_problem(models / (wanted.family + "_" + wanted.instance + ".toml"));
    set_horizon(problem, wanted.horizon);
    engines::EngineRequest request;
    request.limits.seconds = 20;
    const engines::Outcome outcome = engines::run_checked(*engines::find_engine("search"), problem, request);
    ASSERT_TRUE(outcome.status == Status::optimal || outcome.status == Status::infeasible) << wanted.name();
    if (!outcome.plan) continue;
    expect_true(wanted.family, wanted.instance, problem, *outcome.plan);
  }
}

// The same for the models beyond the suite, at the horizons of their files; but for sysadmin 10, which takes
// too long here.
TEST(Suite, PlansOfLargerModelsHoldInTheTrueDomain) {
  const std::pair<const char*, const char*> larger[] = {{"navigation", "8x8"},
                                                        {"navigation", "10x10"},
                                                        {"sysadmin", "6"},
                                                        {"sysadmin", "8"},
                                                        {"cellda", "8x8"}};
  for (const auto& [family, instance] : larger) {
    const Problem problem = read_problem(models / fmt::format("{}_{}.toml", family, instance));
    engines::EngineRequest request;
    request.limits.seconds = 60;
    const engines::Outcome outcome = engines::run_checked(*engines::find_engine("auto"), problem, request);
    ASSERT_EQ(outcome.status, Status::optimal) << family << instance;
    expect_true(family, instance, problem, *outcome.plan);
  }
}

TEST(Suite, WritesFilesAndIndexAndResumes) {
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder / "out");
  options.only = {"inventory_2_6", "inventory_2_5", "navigation_3x3_4"};
  std::vector<std::string> seen;
  options.progress = [&](const SuiteProgress& progress) {
    EXPECT_EQ(progress.all, 3u);
    if (progress.finished) seen.push_back(progress.name + ": " + progress.activity);
  };
  const SuiteResult first = make_suite(options);
  EXPECT_EQ(first.made, 3u);
  EXPECT_EQ(first.unproved, 0u);
  EXPECT_EQ(seen, (std::vector<std::string>{"navigation_3x3_4: optimal 4", "inventory_2_5: optimal 9",
                                            "inventory_2_6: optimal 16"}));
  const std::filesystem::path index = folder / "out/index.csv";
  const auto entries = parse_suite_index(read_text_file(index), "index.csv");
  EXPECT_EQ(entries, first.entries);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].at("name"), "navigation_3x3_4");
  EXPECT_EQ(entries[0].at("shape"), "13:36:36:9");
  EXPECT_EQ(entries[0].at("optimum"), "4");
  EXPECT_EQ(entries[0].at("horizon"), "4");
  EXPECT_EQ(entries[0].at("bytes"),
            fmt::format("{}", std::filesystem::file_size(folder / "out/navigation_3x3_4.opb")));

  // Nothing to do.
  const auto written = std::filesystem::last_write_time(folder / "out/navigation_3x3_4.opb");
  EXPECT_EQ(make_suite(options).kept, 3u);
  EXPECT_EQ(std::filesystem::last_write_time(folder / "out/navigation_3x3_4.opb"), written);

  // A file that is cut short, one that is gone, a line that is gone: only these are done again.
  std::filesystem::resize_file(folder / "out/inventory_2_5.opb", 10);
  std::filesystem::remove(folder / "out/inventory_2_6.opb");
  const SuiteResult second = make_suite(options);
  EXPECT_EQ(second.kept, 1u);
  EXPECT_EQ(second.made, 2u);
  auto shorter = entries;
  shorter.erase(shorter.begin());
  write_text_file(index, suite_index_text(shorter));
  const SuiteResult third = make_suite(options);
  EXPECT_EQ(third.kept, 2u);
  ASSERT_EQ(third.entries.size(), 3u);
  EXPECT_EQ(third.entries[0].at("name"), "navigation_3x3_4");  // in its place

  // Another model is another problem, and another format another file.
  auto changed = third.entries;
  changed[1]["problem"] = "0";
  write_text_file(index, suite_index_text(changed));
  EXPECT_EQ(make_suite(options).made, 1u);
  options.formats = {"lp"};
  EXPECT_EQ(make_suite(options).made, 3u);
}

TEST(Suite, FormatsShareAFolder) {
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder / "out");
  options.only = {"inventory_2_5", "navigation_3x3_4"};
  const SuiteResult opb = make_suite(options);
  options.formats = {"lp"};
  const SuiteResult both = make_suite(options);
  EXPECT_EQ(both.made, 2u);
  std::vector<std::string> files;
  for (const SuiteEntry& entry : both.entries) files.push_back(entry.at("file"));
  EXPECT_EQ(files, (std::vector<std::string>{"navigation_3x3_4.opb", "navigation_3x3_4.lp",
                                             "inventory_2_5.opb", "inventory_2_5.lp"}));
  EXPECT_EQ(both.entries[0], opb.entries[0]) << "the rows of the first format are as they were";
  EXPECT_EQ(make_suite(options).kept, 2u);
  options.formats = {"opb"};
  EXPECT_EQ(make_suite(options).kept, 2u);
  EXPECT_EQ(make_suite(options).entries.size(), 4u);
}

// A file of the right size with something else in it is not complete.
TEST(Suite, FilesAreKnownByTheirContent) {
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder / "out");
  options.only = {"inventory_2_5"};
  make_suite(options);
  const std::filesystem::path file = folder / "out/inventory_2_5.opb";
  const std::string text = read_text_file(file);
  std::string other = text;
  other[other.size() / 2] ^= 1;
  write_text_file(file, other);
  EXPECT_EQ(make_suite(options).made, 1u);
  EXPECT_EQ(read_text_file(file), text);
  EXPECT_EQ(make_suite(options).kept, 1u);
}

TEST(Suite, StopsWhenInterruptedAndGoesOn) {
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder.path());
  options.family = "inventory";
  std::atomic<bool> interrupt = false;
  options.limits.interrupt = &interrupt;
  options.progress = [&](const SuiteProgress& progress) { interrupt = progress.done >= 3; };
  const SuiteResult first = make_suite(options);
  EXPECT_TRUE(first.interrupted);
  EXPECT_EQ(first.entries.size(), 3u);
  options.progress = {};
  interrupt = false;
  const SuiteResult second = make_suite(options);
  EXPECT_FALSE(second.interrupted);
  EXPECT_EQ(second.kept, 3u);
  EXPECT_EQ(second.made, 5u);
  EXPECT_EQ(second.entries.size(), 8u);
}

TEST(Suite, Errors) {
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder / "out");
  options.family = "navigaton";
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            "no family 'navigaton' in the suite, did you mean 'navigation'?");
  options.family = "cellda";
  options.only = {"navigation_3x3_4"};
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            "no problem of the suite is of that family and has one of those names");
  options.only = {"navigation_3x3_44"};
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            "no problem 'navigation_3x3_44' in the suite, did you mean 'navigation_3x3_4'?");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  options.only = {"cellda_x_8"};
  options.folder = folder / "nothing";
  EXPECT_NE(input_error_of([&] { make_suite(options); }).find("nothing/cellda_x.toml"), std::string::npos);
  folder.write("file", "");
  options.output = folder / "file/sub";
  EXPECT_NE(input_error_of([&] { make_suite(options); }).find("cannot create this folder"),
            std::string::npos);
  options = options_for(folder.path());
  folder.write("index.csv", "something else\n");
  EXPECT_EQ(input_error_of([&] { make_suite(options); }),
            (folder / "index.csv").string() +
                ":1: not the index of a suite, expected its header (name,family,...)");
}

TEST(Suite, IndexErrors) {
  EXPECT_EQ(input_error_of([] { parse_suite_index("name\n", "index.csv"); }),
            "index.csv:1: not the index of a suite, expected its header (name,family,...)");
  EXPECT_TRUE(parse_suite_index(suite_index_text({}), "i").empty());
  EXPECT_EQ(input_error_of([] { parse_suite_index(suite_index_text({}) + "a,b\n", "i"); }),
            "i:2: 2 values, expected 38");
}

// What the ladder has, the 45 problems have as well: problem files, maps, proofs, encodings, numbers without
// gaps.
TEST(Suite, The45HaveProblemFilesMapsAndProofs) {
  const TemporaryFolder folder;
  const auto run = testing::run_bnnplan(
      {"suite", "--models", models.string(), "--only", "navigation_3x3_4,inventory_2_5", "--to", "wcnf,opb",
       "--proof", "--gap-free", "--neurons", "totalizer", "-o", folder.path().string()});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.output.find("4 files written, 0 were complete already; 0 problems without a proved answer, "
                            "2 proofs checked; index: "),
            std::string::npos)
      << run.output;
  const auto entries = parse_suite_index(read_text_file(folder / "index.csv"), "index.csv");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].at("file"), "navigation_3x3_4.totalizer.gapfree.wcnf");
  for (const SuiteEntry& entry : entries) {
    const std::string problem = folder / (entry.at("name") + ".toml");
    EXPECT_TRUE(std::filesystem::exists(folder / (entry.at("name") + ".bnn")));
    EXPECT_EQ(testing::run_bnnplan({"check-proof", problem, (folder / entry.at("proof")).string()}).exit_code,
              0);
    const auto solved = testing::run_bnnplan(
        {entry.at("format") == "opb" ? "pb" : "maxsat", (folder / entry.at("file")).string()});
    const auto decoded = testing::run_bnnplan({"decode", problem, folder.write("answer", solved.output),
                                               "--map", (folder / entry.at("map")).string()});
    EXPECT_NE(decoded.output.find("cost " + entry.at("optimum") + ","), std::string::npos)
        << decoded.output << decoded.errors;
  }
}

TEST(Suite, PublishedProblems) {
  BNNPLAN_NEEDS_PUBLISHED();
  const TemporaryFolder folder;
  SuiteOptions options = options_for(folder.path());
  options.source = SuiteSource::published;
  options.folder = testing::published_folder();
  options.family = "inventory";
  std::vector<std::string> optima;
  for (const SuiteEntry& entry : make_suite(options).entries) optima.push_back(entry.at("optimum"));
  ASSERT_EQ(optima.size(), 8u);
  EXPECT_EQ(std::vector(optima.begin(), optima.begin() + 3), (std::vector<std::string>{"9", "16", "18"}));
  EXPECT_EQ(std::vector(optima.begin() + 5, optima.end()), (std::vector<std::string>{"10", "15", "17"}));
}

// Another solver finds the optima of the index in the files.
TEST(Suite, ClaspAgrees) {
  if (testing::run_program({"clasp", "--version"}).exit_code != 0) GTEST_SKIP() << "clasp is not installed";
  const TemporaryFolder folder;
  const std::string program = BNNPLAN_PROGRAM;
  for (const std::string format : {"wcnf-classic", "opb"}) {
    const auto made = testing::run_program({program, "suite", "--models", models.string(), "--to", format,
                                            "--only", "navigation_3x3_4,navigation_3x3_5,inventory_2_5", "-o",
                                            (folder / format).string()});
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_NE(made.errors.find("1/3 navigation_3x3_4: optimal 4\n"), std::string::npos) << made.errors;
    const auto entries = parse_suite_index(read_text_file(folder / (format + "/index.csv")), "index.csv");
    ASSERT_EQ(entries.size(), 3u);
    for (const SuiteEntry& entry : entries) {
      const std::string name = entry.at("name");
      const auto answer = testing::run_program(
          {"clasp", "--quiet=1,2", (folder / (format + "/" + entry.at("file"))).string()});
      const auto decoded_from = folder.write("answer", answer.output);
      const auto decoded = testing::run_program(
          {program, "decode", (models / (name.substr(0, name.rfind('_')) + ".toml")).string(), "-H",
           entry.at("horizon"), decoded_from});
      EXPECT_NE(answer.output.find("OPTIMUM FOUND"), std::string::npos) << answer.output;
      EXPECT_NE(decoded.output.find("cost " + entry.at("optimum")), std::string::npos)
          << name << decoded.output;
    }
  }
}

TEST(Suite, CommandErrors) {
  const TemporaryFolder folder;
  const auto suite = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"suite", "-o", (folder / "o").string()});
    return testing::run_bnnplan(arguments);
  };
  EXPECT_EQ(suite({"--to", "doc"}).exit_code, 1);
  EXPECT_EQ(suite({"--from", "fd-sat-plan"}).exit_code, 1);
  const auto from = suite({"--from", "elsewhere", "x"});
  EXPECT_EQ(from.exit_code, 2);
  EXPECT_EQ(from.errors, "bnnplan: --from 'elsewhere', expected fd-sat-plan\n");
  const auto family = suite({"--models", models.string(), "--family", "x"});
  EXPECT_EQ(family.exit_code, 2);
  EXPECT_EQ(family.errors, "bnnplan: no family 'x' in the suite\n");
}

TEST(Suite, TheCommandPrintsAnObjectIfAskedFor) {
  const TemporaryFolder folder;
  const auto made = testing::run_bnnplan({"suite", "-o", (folder / "o").string(), "--models", models.string(),
                                          "--only", "navigation_3x3_4", "--to", "opb", "--json"});
  EXPECT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_EQ(made.output.rfind("{\"made\": 1,\n \"kept\": 0,\n \"unproved\": 0,\n", 0), 0u) << made.output;
  EXPECT_NE(made.output.find("\n \"entries\": [\n  {\"name\": \"navigation_3x3_4\", "), std::string::npos)
      << made.output;
}

// Models are found in the folder at hand or installed with the program.
TEST(Suite, FindsTheShippedModels) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& program) {
    return testing::run_program({"sh", "-c",
                                 "cd " + (folder / "here").string() + " && " + program +
                                     " suite --to opb --only inventory_2_5 -o out"});
  };
  std::filesystem::create_directories(folder / "here");
  std::filesystem::create_directories(folder / "usr/bin");
  std::filesystem::copy_file(BNNPLAN_PROGRAM, folder / "usr/bin/bnnplan");
  const std::string installed = (folder / "usr/bin/bnnplan").string();
  const auto nothing = run(installed);
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_EQ(nothing.errors,
            "bnnplan: no folder 'models' here, nor one installed with the program: name it with --models\n");
  std::filesystem::create_directories(folder / "usr/share/bnnplan/models");
  for (const char* file : {"inventory_2.toml", "inventory_2.bnn"}) {
    std::filesystem::copy_file(models / file, folder / "usr/share/bnnplan/models" / file);
  }
  EXPECT_EQ(run(installed).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "here/out/inventory_2_5.opb"));
  std::filesystem::remove_all(folder / "here/out");
  std::filesystem::rename(folder / "usr/share/bnnplan/models", folder / "here/models");
  EXPECT_EQ(run(installed).exit_code, 0);
}

}  // namespace
}  // namespace bnnplan::suite
