// The data of report pages, the sentences in them, and what the command refuses.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/report/report_page.hpp"
#include "bnnplan/report/words.hpp"
#include "support/input_error_of.hpp"
#include "support/run_bnnplan.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::reporting {
namespace {

ReportPlan read_report_plan(const std::filesystem::path& path, const Problem& problem) {
  return parse_report_plan(read_text_file(path), path.string(), problem);
}

using nlohmann::json;
using testing::corridor;
using testing::corridor_plan;
using testing::input_error_of;
using testing::TemporaryFolder;

TEST(Words, SayWhatIsClaimedAndByWhom) {
  EXPECT_EQ(claim_text("optimal", "", "", ""), "optimal");
  EXPECT_EQ(claim_text("optimal", "", "", "a.checkpoint"), "optimal, resumed from a.checkpoint");
  EXPECT_EQ(claim_text("optimal", "", "clasp", ""), "optimal, as clasp claimed");
  EXPECT_EQ(claim_text("infeasible", "short plans", "clasp", ""),
            "infeasible among the short plans, as clasp claimed");
  EXPECT_EQ(claim_text("", "short plans", "clasp", ""), "") << "nothing is claimed";
}

TEST(Words, SayConstraintsAndObjectives) {
  const Problem problem = parse_problem(R"(
minimize = "a + b"
goal = ["x == 1", "y <= 0", "n == 3"]
constraints = ["a + b <= 1", "a + b + c == 2", "a + b >= 1", "~a + b >= 1", "a + c <= 0", "2 a + b <= 2",
  "w[1] + w[2] + w[3] + w[4] + w[5] + w[6] + w[7] == 1", "a - b <= 0", "x <= 1"]
transitions = ["x' == x", "y' == y", "n' == n", "w[1]' == 0", "w[2]' == 0", "w[3]' == 0", "w[4]' == 0",
  "w[5]' == 0", "w[6]' == 0", "w[7]' == 0"]
[action]
a = "bool"
b = "bool"
c = "bool"
[state]
x = "bool"
y = "bool"
n = { bits = 2 }
"w[1]" = "bool"
"w[2]" = "bool"
"w[3]" = "bool"
"w[4]" = "bool"
"w[5]" = "bool"
"w[6]" = "bool"
"w[7]" = "bool"
)",
                                        "p.toml", ".");
  const auto words = [&](std::size_t i) { return constraint_in_words(problem, problem.constraints[i]); };
  EXPECT_EQ(words(0), "at most one of a, b");
  EXPECT_EQ(words(1), "exactly two of a, b, c");
  EXPECT_EQ(words(2), "at least one of a, b");
  EXPECT_EQ(words(3), "not a or b");
  EXPECT_EQ(words(4), "none of a, c");
  EXPECT_EQ(words(5), "2 a + b <= 2") << "no simple words";
  EXPECT_EQ(words(6), "exactly one of the 7 w");
  EXPECT_EQ(words(7), "a - b <= 0");
  EXPECT_EQ(words(8), "x <= 1") << "says nothing, and must not be said as something else";
  EXPECT_EQ(constraint_in_words(problem, problem.goal[0]), "x is true");
  EXPECT_EQ(constraint_in_words(problem, problem.goal[1]), "y is false");
  EXPECT_EQ(constraint_in_words(problem, problem.goal[2]), "n == 3");
  EXPECT_EQ(objective_in_words(problem), "as few of a, b as possible, over all steps");
  Problem other = problem;
  other.objective = {};
  EXPECT_EQ(objective_in_words(other), "any plan: there is no reward");
  other.objective = problem.objective;
  other.objective.maximize = true;
  other.objective.text = "2 a";
  other.objective.terms[0].coefficient = -2;
  EXPECT_EQ(objective_in_words(other), "the largest total of 2 a over all steps");
}

TEST(ReportData, HasThePlanAndTheNetwork) {
  const Problem problem = read_problem(corridor);
  const ReportPlan plan = read_report_plan(corridor_plan, problem);
  const json data = json::parse(report_data(problem, "corridor.toml", {plan}));
  EXPECT_EQ(data["problem"]["name"], "corridor");
  EXPECT_EQ(data["view"]["kind"], "grid");
  ASSERT_EQ(data["plans"].size(), 1u);
  const json& first = data["plans"][0];
  EXPECT_EQ(first["worth"], "5");
  EXPECT_EQ(first["worths"], json({"1", "1", "1", "1", "1", "0", "0"}));
  EXPECT_EQ(first["totals"], json({"0", "1", "2", "3", "4", "5", "5", "5"}));
  EXPECT_EQ(first["states"].size(), 8u);
  EXPECT_EQ(first["states"][0], json({0, 1, 0, 0, 0, 0, 6}));
  EXPECT_EQ(first["actions"][0], json({1, 0}));
  ASSERT_EQ(first["activity"].size(), 7u);
  // The inputs are left, right and the cells: left from cell 2 is 1001000, packed 1001 000(0).
  EXPECT_EQ(first["activity"][0][0], "90");
  EXPECT_EQ(first["activity"][0][2], "80") << "cell 1";
  EXPECT_EQ(data["problem"]["network"]["layers"][0].size(), 15u);
  EXPECT_EQ(first["bound"], nullptr) << "this file does not say";
  EXPECT_EQ(first["status"], "");
  EXPECT_EQ(first["proved"], nullptr);
}

TEST(ReportData, TakesTheFactsOfAResultAsTheyAre) {
  const TemporaryFolder folder;
  const Problem problem = read_problem(corridor);
  const std::string file = folder.write("r.json", R"({"horizon": 2, "status": "unknown", "engine": "neuron",
    "seconds": 1.5, "lower_bound": 3, "proof": "p.pbp", "stopped": "time limit", "steps": null,
    "bounds": [[0.1, 1, null], [0.2, 3, 9], "odd"], "statistics": {"conflicts": 7, "who": "x", "odd": [1]}})");
  const ReportPlan plan = read_report_plan(file, problem);
  EXPECT_FALSE(plan.plan);
  EXPECT_EQ(plan.horizon, 2);
  EXPECT_EQ(plan.claims.proof, "p.pbp");
  EXPECT_EQ(plan.claims.stopped, "time limit");
  ASSERT_EQ(plan.claims.bounds.size(), 2u);
  EXPECT_EQ(plan.claims.bounds[0], (std::array<std::string, 3>{"0.1", "1", "null"}));
  EXPECT_EQ(plan.claims.statistics.size(), 2u);
  const json data = json::parse(report_data(problem, "p", {plan}));
  EXPECT_EQ(data["plans"][0]["steps"], nullptr);
  EXPECT_EQ(data["plans"][0]["proof"], "p.pbp");
}

// More digits than a number of JavaScript has, and a reward: texts, in the words of the problem.
TEST(ReportData, CostsAreExactTexts) {
  const TemporaryFolder folder;
  const Problem problem = parse_problem(
      "horizon = 2\nmaximize = \"12345678901234.567 x'\"\ntransitions = [\"x' == a\"]\n[action]\na = "
      "\"bool\"\n[state]\nx = \"bool\"\n[initial]\nx = false\n",
      "p.toml", ".");
  const std::string file =
      folder.write("p.json", R"({"cost": -24691357802469.134, "lower_bound": -98765432109876.543,
    "domain_reward": "1/3", "steps": [{"actions": {"a": true}}, {"actions": {"a": true}}]})");
  const json plan =
      json::parse(report_data(problem, "p.toml", {read_report_plan(file, problem)}))["plans"][0];
  EXPECT_EQ(plan["worth"], "24691357802469.134");
  EXPECT_EQ(plan["bound"], "98765432109876.543");
  EXPECT_EQ(plan["totals"], json({"0", "12345678901234.567", "24691357802469.134"}));
  EXPECT_EQ(plan["domainReward"], "1/3");
}

TEST(ReportData, TheNumberOfStepsIsThePlans) {
  const TemporaryFolder folder;
  const Problem problem = read_problem(corridor);
  std::string steps = R"({"steps": [{"actions": {"left": 1}})";
  for (int i = 0; i < 4; ++i) steps += R"(, {"actions": {"right": 1}})";
  const ReportPlan plan = read_report_plan(folder.write("five.json", steps + "]}"), problem);
  EXPECT_EQ(plan.horizon, 5);
  EXPECT_EQ(plan.cost, 5);
}

// Anybody can write "optimal" into a file. What is proved is what a proof proves.
TEST(ReportCommand, AProofIsCheckedFromTheProblem) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const std::string plan = path("p.json"), longer = path("q.json"), proof = path("p.pbp"),
                    page = path("page.html");
  const auto report = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"report", corridor});
    arguments.insert(arguments.end(), {"-o", page});
    return testing::run_bnnplan(arguments);
  };
  ASSERT_EQ(
      testing::run_bnnplan({"plan", corridor, "--engine", "neuron", "--proof", proof, "-o", plan}).exit_code,
      0);
  ASSERT_EQ(testing::run_bnnplan({"plan", corridor, "-H", "9", "-o", longer}).exit_code, 0);
  EXPECT_EQ(report({plan}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(plan + ": the file claims: optimal\n"), std::string::npos);
  EXPECT_EQ(report({plan, "--proof", proof}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(plan + ": an optimal plan, proved by " + proof + "\n"),
            std::string::npos);
  // It is about seven steps, and says nothing of nine.
  EXPECT_EQ(report({longer, plan, "--proof", proof}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(longer + ": the file claims: optimal\n"), std::string::npos);
  EXPECT_NE(read_text_file(page).find(plan + ": an optimal plan, proved by " + proof + "\n"),
            std::string::npos);
  // A plan that walks to and fro claims to be optimal.
  const std::string liar =
      folder.write("liar.json", R"({"status": "optimal", "steps": [{"actions": {"left": 1}},
    {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}},
    {"actions": {"right": 1}}, {}]})");
  ASSERT_EQ(report({liar, "--proof", proof}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(": not optimal: the best plan has cost 5, proved by " + proof + "\n"),
            std::string::npos);
  const std::string denial =
      folder.write("none.json", R"({"status": "infeasible", "steps": null, "horizon": 7})");
  ASSERT_EQ(report({denial, "--proof", proof}).exit_code, 0);
  EXPECT_NE(
      read_text_file(page).find(": the file claims that there is no plan, which is wrong: the best plan "
                                "has cost 5, proved by " +
                                proof + "\n"),
      std::string::npos);

  std::filesystem::remove(page);
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& line) {
    const auto result = report(arguments);
    EXPECT_EQ(result.exit_code, 20);
    EXPECT_EQ(result.errors.substr(0, line.size()), line) << result.errors;
    EXPECT_FALSE(std::filesystem::exists(page));
  };
  refused({longer, "--proof", proof}, proof + ": refused: line 2: the formula has ");
  const std::string broken =
      folder.write("b.pbp", "pseudo-Boolean proof version 1.2\nf 342\nrup 1 x1 >= 2 ;\n");
  refused({plan, "--proof", broken}, broken + ": refused: line ");
  const std::string first = path("f.pbp");
  ASSERT_EQ(
      testing::run_bnnplan({"plan", corridor, "--engine", "neuron", "--first", "--proof", first}).exit_code,
      0);
  refused({plan, "--proof", first},
          first + ": refused: it proves neither that a plan is optimal nor that there is none\n");
  EXPECT_EQ(report({plan, "--proof", path("none.pbp")}).exit_code, 2);

  // That there is no plan.
  const std::string none = path("n.pbp");
  const auto infeasible =
      testing::run_bnnplan({"plan", corridor, "-H", "3", "--engine", "neuron", "--proof", none, "--json"});
  ASSERT_EQ(infeasible.exit_code, 20);
  const std::string result = folder.write("n.json", infeasible.output);
  ASSERT_EQ(report({result}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(result + ": the file claims: infeasible\n"), std::string::npos);
  ASSERT_EQ(report({result, "--proof", none}).exit_code, 0);
  EXPECT_NE(read_text_file(page).find(result + ": there is no plan, proved by " + none + "\n"),
            std::string::npos);
}

TEST(ReportCommand, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const Problem problem = read_problem(corridor);
  const auto error = [&](std::string_view text) {
    const std::string file = folder.write("p.json", text);
    return input_error_of([&] { read_report_plan(file, problem); }).substr(file.size());
  };
  EXPECT_EQ(error(R"({"steps": []})"), ": the plan has no steps");
  EXPECT_EQ(error("{\n\"steps\": [}").substr(0, 14), ":2: not JSON: ");
  EXPECT_EQ(error(R"({"cost": 3})"), ": not a plan: it has no \"steps\"");
  std::string many = R"({"steps": [{})";
  for (int i = 0; i < 10'000; ++i) many += ",{}";
  EXPECT_EQ(error(many + "]}"), ": the plan has 10001 steps, expected at most 10000 for a page");
  // An invalid plan: reported, and no page.
  const std::string bad = folder.write("bad.json", R"({"steps": [{"actions": {"right": 1}}]})");
  const std::string page = (folder / "page.html").string();
  const auto refused = testing::run_bnnplan({"report", corridor, bad, "-o", page});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_EQ(refused.errors,
            bad + ": refused: after the last step: the goal 'cell-5 == 1' is violated: cell-5 = 0\n");
  EXPECT_FALSE(std::filesystem::exists(page));
  const auto usage = testing::run_bnnplan({"report", corridor, "-o", page});
  EXPECT_EQ(usage.exit_code, 1);
}

}  // namespace
}  // namespace bnnplan::reporting
