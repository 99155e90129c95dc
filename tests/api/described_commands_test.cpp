// Commands as functions of the library, and their options.
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
