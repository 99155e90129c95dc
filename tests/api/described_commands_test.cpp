// Commands as functions of the library, and their options.
#include <algorithm>

#include <bnnplan/bnnplan.hpp>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/input_error_of.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

TEST(DescribedOptions, AreCheckedByTheLibrary) {
  const Problem problem = read_problem(testing::corridor);
  CheckOptions options;
  options.world.domain = "d.rddl";
  const Plan plan = read_plan(testing::corridor_plan, problem);
  EXPECT_EQ(input_error_of([&] { check(problem, plan, nullptr, options); }), "domain requires instance");
  options = {};
  options.episodes = 3;
  EXPECT_EQ(input_error_of([&] { check(problem, plan, nullptr, options); }), "episodes requires domain");
  EXPECT_EQ(input_error_of([] {
              read_problem(testing::corridor, ReadOptions{false, 0});
            }).substr(0, 28),
            "horizon is 0, expected a who");
  EXPECT_EQ(read_problem(testing::corridor, ReadOptions{false, 3}).horizon, 3);
}

TEST(DescribedOptions, OfImportsAreExactNumbers) {
  ImportOptions options;
  for (Option& option : options_of(options)) {
    if (option.name == "range") option.field.set(OptionValue("0:1/3"));
    if (option.name == "epsilon") option.field.set(OptionValue("1e-5"));
    if (option.name == "outputs") option.field.set(OptionValue("bits"));
    if (option.name == "scale") {
      EXPECT_EQ(refusal(option, "x"), "a number such as 0.5, 1e-5 or 1/255");
    }
  }
  EXPECT_EQ(options.range->second, mpq_class(1, 3));
  EXPECT_EQ(*options.epsilon, mpq_class(1, 100'000));
  EXPECT_FALSE(*options.scores);
  std::vector<std::string> names;
  for (const Option& option : options_of(options, NetworkSource::onnx)) names.push_back(option.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"range", "step", "scale", "bits", "tie", "class-tie", "classes"}));
}

template <class Options>
void expect_names_known(const char* command, std::vector<Option> (*options_of)(Options&)) {
  Options place;
  const std::vector<Option> options = options_of(place);
  const auto known = [&](const std::string& name) {
    return std::any_of(options.begin(), options.end(),
                       [&](const Option& option) { return option.name == name; });
  };
  for (const Option& option : options) {
    for (const std::string& name : option.needs) EXPECT_TRUE(known(name)) << command << ' ' << name;
    for (const std::string& name : option.excludes) EXPECT_TRUE(known(name)) << command << ' ' << name;
  }
}

// The command line leaves out what a command does not have: a wrong name would go unnoticed there.
TEST(DescribedOptions, NeedAndExcludeOptionsThatThereAre) {
  expect_names_known<CheckOptions>("check", options_of);
  expect_names_known<ClosedLoopOptions>("run", options_of);
  expect_names_known<comparison::BenchOptions>("bench", options_of);
  expect_names_known<CompileOptions>("compile", options_of);
  expect_names_known<DataOptions>("data", options_of);
  expect_names_known<DecodeOptions>("decode", options_of);
  expect_names_known<DiscoverySettings>("discover", options_of);
  expect_names_known<EncodeOptions>("encode", options_of);
  expect_names_known<EvalOptions>("eval", options_of);
  expect_names_known<ExportOptions>("export", options_of);
  expect_names_known<ImportOptions>("import", options_of);
  expect_names_known<LearnOptions>("learn", options_of);
  expect_names_known<MaxSatCall>("maxsat", options_of);
  expect_names_known<PbRequest>("pb", options_of);
  expect_names_known<PlanOptions>("plan", options_of);
  expect_names_known<ReadOptions>("read", options_of);
  expect_names_known<ReportOptions>("report", options_of);
  expect_names_known<SimulateOptions>("simulate", options_of);
  expect_names_known<SuiteOptions>("suite", options_of);
  expect_names_known<VerifyOptions>("verify", options_of);
}

TEST(DescribedOptions, OfDistancesAreExactAndNotNegative) {
  VerifyOptions options;
  for (Option& option : options_of(options)) {
    if (option.name != "epsilon") continue;
    EXPECT_EQ(refusal(option, "-1"), "a number from 0 on");
    EXPECT_EQ(refusal(option, "1/3"), "");
    option.field.set(OptionValue("1/3"));
    EXPECT_EQ(option.field.get(), OptionValue("1/3"));
  }
  EXPECT_EQ(*options.epsilon, mpq_class(1, 3));
}

TEST(Simulate, TakesOneFutureAtATime) {
  Simulator domain(BNNPLAN_SOURCE_DIR "/domains/sysadmin.rddl",
                   BNNPLAN_SOURCE_DIR "/domains/sysadmin_4.rddl");
  SimulateOptions options;
  options.exhaustive = true;
  options.determinization = rddl::parse_determinization("hindsight=2");
  const testing::TemporaryFolder folder;
  const std::string expected =
      "determinize is 'hindsight=2:0', which is several futures at once, for planning: expected most-likely, "
      "mean, threshold=P or sample=SEED";
  EXPECT_EQ(input_error_of([&] { simulate(domain, options); }), expected);
  EXPECT_EQ(input_error_of([&] { simulate(domain, options, folder / "d.csv"); }), expected);
  EXPECT_FALSE(std::filesystem::exists(folder / "d.csv"));
  options.determinization = rddl::parse_determinization("sample=1");
  EXPECT_GT(simulate(domain, options).sample_row.size(), 0u);
}

TEST(Answers, OfClosedLoops) {
  PolicyResult result;
  result.episodes = 4;
  result.decisions = 8;
  result.mean = 0.1;
  result.seconds = 0.016;
  result.ended = 1;
  const Answer answer = answer_of(Policy::noop, result);
  EXPECT_EQ(answer.text, "noop    mean reward 0.1 +- 0 over 4 episodes, 2 ms a decision, 1 ended early\n");
  EXPECT_EQ(json_text(answer.fields, JsonLayout::packed),
            R"({"policy":"noop","episodes":4,"decisions":8,"mean":0.1,"deviation":0,"half_interval":0,)"
            R"("seconds":0.016,"proved":0,"without_plan":0,"ended":1})");
}

TEST(Answers, OfFormulasAreTheEndOfTheProtocol) {
  const MaxSatOutcome outcome = solve_maxsat(parse_wcnf("h 1 2 0\n3 -1 0\n2 -2 0\n", "f"));
  EXPECT_EQ(answer_of(outcome).text, "s OPTIMUM FOUND\nv 01\n");
  EXPECT_EQ(answer_of(outcome, true).text, "s OPTIMUM FOUND\nv -1 2 0\n");
  EXPECT_EQ(json_text(*JsonValue(answer_of(outcome).fields).find("cost")), "2");
  MaxSatOutcome stopped;
  stopped.stopped = StopReason::time;
  stopped.lower_bound = 7;
  EXPECT_EQ(answer_of(stopped).text, "c stopped: time limit\nc lower bound 7\ns UNKNOWN\n");
  const PbOutcome solution = solve_pseudo_boolean(parse_opb("min: +1 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n", "o"));
  const Answer answer = answer_of(solution);
  EXPECT_EQ(answer.text, "s OPTIMUM FOUND\nv x1 -x2\n");
  EXPECT_EQ(text_of(answer.fields, "status"), "optimal");
}

TEST(Report, IsAPageOfCheckedPlans) {
  const Problem problem = read_problem(testing::corridor);
  const std::string file = testing::corridor_plan;
  const Report made = report(problem, "corridor.toml", {{file, testing::models, read_text_file(file)}});
  EXPECT_EQ(made.plans.size(), 1u);
  EXPECT_TRUE(made.refusals.empty());
  EXPECT_NE(made.page.find("<html"), std::string::npos);
  EXPECT_EQ(input_error_of([&] {
              report(problem, "corridor.toml", {{"n.bnn", "", "bnn 1\n"}});
            }),
            "n.bnn: this is a network (.bnn), expected a plan (.json); this one is for `bnnplan info`");
}

TEST(Info, DescribesFilesOfAnyKind) {
  EXPECT_EQ(info({"f.wcnf", "", "h 1 2 0\n3 -1 0\n"}).text,
            "formula       2 variables, 1 hard and 1 soft clause\n");
  EXPECT_EQ(json_text(info({"f.wcnf", "", "h 1 2 0\n3 -1 0\n"}).fields, JsonLayout::packed),
            R"({"variables":2,"hard":1,"soft":1})");
  const std::string domain = BNNPLAN_SOURCE_DIR "/domains/sysadmin.rddl";
  const JsonValue of_domain = info({domain, "", read_text_file(domain)}).fields;
  ASSERT_EQ(of_domain.find("domains")->array()->size(), 1u);
  EXPECT_EQ(of_domain.find("instances")->array()->size(), 0u);
  EXPECT_NE(
      info({testing::corridor, testing::models, read_text_file(testing::corridor)}).text.find("horizon"),
      std::string::npos);
}

TEST(MaxSat, WritesAProofOfItsAnswer) {
  const testing::TemporaryFolder folder;
  const std::string text = "h 1 2 0\n3 -1 0\n2 -2 0\n";
  MaxSatCall options;
  options.proof = folder / "f.pbp";
  MaxSatOutcome outcome;
  outcome.stopped = StopReason::time;
  EXPECT_EQ(write_maxsat_proof(text, "f", outcome, options), stop_reason_text(StopReason::time));
  EXPECT_FALSE(std::filesystem::exists(options.proof));
  outcome = solve_maxsat(parse_wcnf(text, "f"));
  EXPECT_EQ(write_maxsat_proof(text, "f", outcome, options), "");
  EXPECT_NE(read_text_file(options.proof).find("pseudo-Boolean proof"), std::string::npos);
}

}  // namespace
}  // namespace bnnplan
