// The commands that read RDDL as their users meet them.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::rddl {
namespace {

using testing::expect_bad_input;
using testing::expect_usage_error;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";

TEST(SimulateCommand, WritesTransitions) {
  const ProgramResult all =
      run_bnnplan({"simulate", domains + "navigation.rddl", domains + "navigation_3x3.rddl", "--exhaustive",
                   "--outputs", "robot-at[x2| y1]", "-o", "-"});
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_EQ(std::count(all.output.begin(), all.output.end(), '\n'), 46) << "a header and 9 cells x 5";
  EXPECT_EQ(all.errors, "45 transitions written (45 simulated, 0 states without a legal action)\n");
  const std::vector<std::string> episodes = {"simulate",
                                             domains + "inventory.rddl",
                                             domains + "inventory_2.rddl",
                                             "--episodes",
                                             "10",
                                             "--steps",
                                             "5",
                                             "--seed",
                                             "7",
                                             "--unique",
                                             "--policy",
                                             "random",
                                             "-o",
                                             "-"};
  const ProgramResult first = run_bnnplan(episodes);
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(
      first.output.substr(0, first.output.find('\n')),
      "threshold-met,stock.0,stock.1,stock.2,stock.3,month.0,order,threshold-met',stock.0',stock.1',stock.2',"
      "stock.3',month.0'");
  EXPECT_EQ(first.output, run_bnnplan(episodes).output) << "the same seed";
}

TEST(SimulateCommand, CountsStatesWithoutALegalAction) {
  const ProgramResult all = run_bnnplan(
      {"simulate", domains + "inventory.rddl", domains + "inventory_2.rddl", "--exhaustive", "-o", "-"});
  EXPECT_EQ(all.errors, "64 transitions written (64 simulated, 32 states without a legal action)\n")
      << "16 in stock, 2 months, threshold not met";
}

// 77 actions of which four may be chosen, each only where its precondition holds.
TEST(SimulateCommand, ManyActions) {
  const TemporaryFolder folder;
  std::string objects = "o0";
  for (int i = 1; i < 77; ++i) objects += ", o" + std::to_string(i);
  const std::string domain = folder.write(
      "d.rddl",
      "domain d { types { t : object; }; pvariables { s(t) : { state-fluent, bool, default = false };"
      " a(t) : { action-fluent, bool, default = false }; }; cpfs { s'(?x) = s(?x) ~= a(?x); }; reward = 0;\n"
      "action-preconditions { forall_{?x : t} [a(?x) => ~s(?x) | ?x == o1]; }; }\n");
  const std::string instance = folder.write(
      "i.rddl", "instance i { domain = d; objects { t : { " + objects + " }; }; max-nondef-actions = 4; }\n");
  const ProgramResult result = run_bnnplan(
      {"simulate", domain, instance, "--episodes", "20", "--steps", "100", "-o", (folder / "o").string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.errors, "2000 transitions written (2000 simulated, 0 episodes ended early)\n");

  const std::string hard = folder.write(
      "h.rddl",
      "domain d { types { t : object; }; pvariables { s : { state-fluent, bool, default = false };"
      " a(t) : { action-fluent, bool, default = false }; }; cpfs { s' = s; }; reward = 0;\n"
      "state-action-constraints { (sum_{?x : t} a(?x)) == 10; }; }\n");
  const std::string free =
      folder.write("f.rddl", "instance i { domain = d; objects { t : { " + objects + " }; }; }\n");
  EXPECT_EQ(run_bnnplan({"simulate", hard, free, "--steps", "50", "-o", (folder / "o").string()}).errors,
            "50 transitions written (50 simulated, 0 episodes ended early, 50 actions found by search, not "
            "drawn uniformly)\n");
}

TEST(SimulateCommand, MoreThanFitsOnTheDisk) {
  const TemporaryFolder folder;
  const std::string output = (folder / "d.csv").string();
  const ProgramResult refused =
      run_bnnplan({"simulate", domains + "navigation.rddl", domains + "navigation_3x3.rddl", "--episodes",
                   "1000000000", "--steps", "1000000000", "-o", output});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.errors.find(output + ": the transitions can take 40978193283.1 GiB, and "), 0u)
      << refused.errors;
  EXPECT_NE(refused.errors.find(" are free: expected fewer --episodes or --steps, fewer columns, --unique, "
                                "or a name ending in .gz\n"),
            std::string::npos)
      << refused.errors;
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "no temporary file either";
}

TEST(SimulateCommand, ReplaysAPlan) {
  const TemporaryFolder folder;
  const std::string plan =
      folder.write("p.json", R"({"steps": [{"actions": {"left": 1}}, {"actions": {"up": 1}},
      {"actions": {"up": 1}}, {"actions": {"right": 1}}]})");
  const ProgramResult good =
      run_bnnplan({"simulate", domains + "navigation.rddl", domains + "navigation_3x3.rddl", "--plan", plan,
                   "-o", (folder / "d.csv").string()});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.errors, "4 transitions written (the plan reaches its goal, total reward -4)\n");
  const std::string other = folder.write("q.json", R"({"steps": [{"actions": {"left": 1, "up": 1}}]})");
  const ProgramResult bad = run_bnnplan(
      {"simulate", domains + "navigation.rddl", domains + "navigation_3x3.rddl", "--plan", other, "-o", "-"});
  EXPECT_EQ(bad.errors, "0 transitions written (step 1: illegal by the constraint at " + domains +
                            "navigation.rddl:41:5, total reward 0)\n");
}

TEST(CompileCommand, WritesAProblem) {
  const TemporaryFolder folder;
  const std::string output = (folder / "c.toml").string();
  const ProgramResult result = run_bnnplan(
      {"compile", domains + "inventory.rddl", domains + "inventory_2.rddl", "-H", "6", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.substr(0, result.output.find(" (")), "wrote " + output);
  const ProgramResult info = run_bnnplan({"info", output});
  EXPECT_EQ(info.exit_code, 0) << info.errors;
  EXPECT_NE(info.output.find("objective     minimize stock'"), std::string::npos) << info.output;
}

TEST(CompileCommand, NamesTheNetworkFromWhereTheProblemIs) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "problems");
  const std::string network =
      folder.write("n.bnn",
                   "bnn 1\nshape 1:1\ninputs\n  order\noutputs\n  threshold-met'\nlayer\n"
                   "  + >= 0\nend\n");
  const std::string output = (folder / "problems/c.toml").string();
  const ProgramResult result =
      run_bnnplan({"compile", domains + "inventory.rddl", domains + "inventory_2.rddl", "--network", network,
                   "--learned", "threshold-met", "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(run_bnnplan({"info", output, "--allow-outside"}).exit_code, 0);
  EXPECT_EQ(run_bnnplan({"info", output}).exit_code, 2) << "not in the problem's folder";
  EXPECT_EQ(read_text_file(output).find("threshold-met'"), std::string::npos) << "no known transition of it";
}

TEST(CompileCommand, ErrorsAboutANetworkAreAtItsNames) {
  const TemporaryFolder folder;
  const auto expect_error = [&](const std::string& network, const std::string& learned,
                                const std::string& error) {
    const std::string file = folder.write("n.bnn", network);
    std::vector<std::string> arguments = {
        "compile", domains + "inventory.rddl",  domains + "inventory_2.rddl", "--network", file,
        "-o",      (folder / "c.toml").string()};
    if (!learned.empty()) arguments.insert(arguments.end(), {"--learned", learned});
    const ProgramResult result = run_bnnplan(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.errors, file + error + "\n");
  };
  const auto network = [](const std::string& inputs, const std::string& outputs) {
    return "bnn 1\nshape 2:1\ninputs\n" + inputs + "# what follows\noutputs\n" + outputs +
           "layer\n  ++ >= 0\nend\n";
  };
  const std::string good = "order\nmonth.0\n", output = "threshold-met'\n";
  expect_error(network("order\nmont.0\n", output), "",
               ":5: network input 'mont.0' is not a variable of the problem, did you mean 'month.0'?");
  expect_error(network("stock\nmonth.0\n", output), "",
               ":4: network input 'stock' is an integer of 4 bits: name its bits, from 'stock.0'");
  expect_error(
      network(good, "treshold-met'\n"), "",
      ":8: network output 'treshold-met'' is not a variable of the problem, did you mean 'threshold-met'?");
  expect_error(network(good, "threshold-met\n"), "",
               ":8: network output 'threshold-met' must end with ': outputs are next-state bits");
  expect_error(network(good, "order'\n"), "", ":8: network output 'order'' is not a state variable");
  expect_error(network(good, output), "stock",
               ":8: 'threshold-met' is not to be learned, but 'threshold-met'' is an output of the network");
  expect_error(network(good, output), "threshold-met,stock",
               ": 'stock' is to be learned, but 'stock.0'' is not an output of the network");
}

TEST(CompileCommand, Limits) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", R"(domain d {
    types { cell : object; };
    pvariables {
      on(cell) : { state-fluent, bool, default = false };
      push(cell) : { action-fluent, bool, default = false };
    };
    cpfs { on'(?c) = (sum_{?d : cell} on(?d)) * (sum_{?d : cell} on(?d) + push(?d)) >= 50; };
    reward = 0;
  })");
  const std::string instance = folder.write(
      "i.rddl", "instance i { domain = d; objects { cell : { a, b, c, d, e, f, g, h, i, j, k }; }; }\n");
  const std::string output = (folder / "c.toml").string();
  const auto expect_stop = [&](const std::vector<std::string>& limit, const std::string& error) {
    std::vector<std::string> arguments = {"compile", domain, instance, "--table-bits", "22", "-o", output};
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    const ProgramResult result = run_bnnplan(arguments);
    EXPECT_EQ(result.exit_code, 11);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, error);
    EXPECT_FALSE(std::filesystem::exists(output));
  };
  expect_stop({"--time-limit", "0.3"},
              domain +
                  ":7:12: time limit reached at the cpf of 'on[a]', a table of 22 bits: expected fewer bits "
                  "(--bits, tighter constraints), interm-fluents for its parts, or a higher limit\n");
  expect_stop({"--memory-limit", "1"}, "bnnplan: memory limit reached before anything was compiled\n");
  EXPECT_EQ(run_bnnplan({"compile", domain, instance, "--time-limit", "0", "-o", output}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"compile", domains + "inventory.rddl", domains + "inventory_2.rddl", "--time-limit",
                         "100", "--memory-limit", "1000", "-o", output})
                .exit_code,
            0);
}

// A problem that does not know the obstacles of navigation 3x3.
class WrongModel : public ::testing::Test {
 protected:
  WrongModel() {
    std::string instance = read_text_file(domains + "navigation_3x3.rddl");
    const std::string obstacles = "OBSTACLE(x2, y2); OBSTACLE(x3, y2);";
    instance.erase(instance.find(obstacles), obstacles.size());
    const std::string wrong = folder_.write("wrong.rddl", instance);
    EXPECT_EQ(run_bnnplan({"compile", navigation_, wrong, "-o", problem_}).exit_code, 0);
  }

  TemporaryFolder folder_;
  const std::string navigation_ = domains + "navigation.rddl", instance_ = domains + "navigation_3x3.rddl";
  const std::string problem_ = (folder_ / "wrong.toml").string(), plan_ = (folder_ / "p.json").string();
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(WrongModel, CheckSaysWhereModelAndDomainPart) {
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-H", "2", "-o", plan_}).exit_code, 0);
  const std::vector<std::string> check = {"check",    problem_,    plan_,        "-H",     "2",
                                          "--domain", navigation_, "--instance", instance_};
  const ProgramResult refused = run_bnnplan(check);
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_TRUE(has(refused.output,
                  "valid plan, 2 steps, cost 2\n"
                  "model and domain diverge at step 1: robot-at[x2| y1] is 0 in the plan and 1 in "
                  "the domain, robot-at[x2| y2] is 1 in the plan and 0 in the domain\n"
                  "refused by the domain: after the last step: the goal is not reached\n"))
      << refused.output;
  EXPECT_EQ(run_bnnplan({"check", problem_, plan_, "-H", "2"}).exit_code, 0) << "without the domain";

  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_, "--repair", navigation_, instance_}).exit_code, 0);
  const ProgramResult valid =
      run_bnnplan({"check", problem_, plan_, "--domain", navigation_, "--instance", instance_});
  EXPECT_EQ(valid.exit_code, 0);
  EXPECT_TRUE(
      has(valid.output, "model and domain agree on every state\nvalid in the domain, total reward -4\n"))
      << valid.output;

  // A plan that the model refuses is replayed in the domain all the same.
  const std::string other = folder_.write("q.json", R"({"steps": [{}, {}, {}, {}]})");
  const ProgramResult both =
      run_bnnplan({"check", problem_, other, "--domain", navigation_, "--instance", instance_});
  EXPECT_EQ(both.exit_code, 20);
  EXPECT_TRUE(has(both.output, "refused: after the last step: the goal")) << both.output;
  EXPECT_TRUE(has(both.output, "refused by the domain: after the last step")) << both.output;
}

TEST_F(WrongModel, RepairPlansUntilTheDomainAgrees) {
  const ProgramResult table = run_bnnplan({"plan", problem_, "--repair", navigation_, instance_});
  EXPECT_EQ(table.exit_code, 0) << table.errors;
  EXPECT_TRUE(has(table.output, "optimal plan of 4 steps, cost 4, proved\nvalid in the true domain, "))
      << table.output;
  EXPECT_TRUE(has(table.output, " excluded\n")) << table.output;
  const ProgramResult none = run_bnnplan({"plan", problem_, "-H", "3", "--repair", navigation_, instance_});
  EXPECT_EQ(none.exit_code, 20);
  EXPECT_TRUE(has(none.output,
                  "infeasible: there is no plan of 3 steps, proved\n"
                  "no plan has the same state at every step in the model and in the true domain\n"
                  "1 prefix of actions excluded\n"))
      << none.output;
  const ProgramResult json =
      run_bnnplan({"plan", problem_, "-H", "3", "--json", "--repair", navigation_, instance_});
  EXPECT_TRUE(has(json.output, "\"refused_prefixes\": 1")) << json.output;
  EXPECT_EQ(run_bnnplan({"plan", problem_, "--first", "--repair", navigation_, instance_}).exit_code, 0);
}

TEST_F(WrongModel, BadInput) {
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  const std::string larger = domains + "navigation_4x4.rddl";
  const std::string missing =
      larger + ": the problem has no state variable 'robot-at[x1| y4]' of this instance\n";
  const ProgramResult check =
      run_bnnplan({"check", problem_, plan_, "--domain", navigation_, "--instance", larger});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_EQ(check.output, "");
  EXPECT_EQ(check.errors, missing);
  const ProgramResult plan = run_bnnplan({"plan", problem_, "--repair", navigation_, larger});
  EXPECT_EQ(plan.exit_code, 2);
  EXPECT_EQ(plan.output, "");
  EXPECT_EQ(plan.errors, missing);
  EXPECT_EQ(run_bnnplan({"plan", problem_, "--repair", "nowhere.rddl", instance_}).errors,
            "nowhere.rddl: cannot read: No such file or directory\n");
  EXPECT_EQ(run_bnnplan({"check", problem_, plan_, "--domain", navigation_}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"check", problem_, plan_, "--instance", instance_}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"plan", problem_, "--repair", navigation_}).exit_code, 1);
}

// A heater and a network that thinks cold turns to heat by itself: hot' = heat or not hot, where it is
// hot' = heat in truth. Everything is legal, there is no goal: only the states part, and the reward with
// them.
class OtherReward : public ::testing::Test {
 protected:
  OtherReward() {
    domain_ = folder_.write("d.rddl", R"(domain heater {
  pvariables {
    hot : { state-fluent, bool, default = false };
    heat : { action-fluent, bool, default = false };
  };
  cpfs { hot' = heat; };
  reward = 10 * hot' - 3 * heat;
})");
    instance_ = folder_.write("i.rddl", "instance i { domain = heater; init-state { ~hot; }; horizon = 3; }");
    learn("+- >= 1");
  }

  // A problem with this neuron over heat and hot for hot'.
  void learn(const std::string& neuron) {
    const std::string network = folder_.write(
        "n.bnn", "bnn 1\nshape 2:1\ninputs\n  heat\n  hot\noutputs\n  hot'\nlayer\n  " + neuron + "\nend\n");
    ASSERT_EQ(run_bnnplan({"compile", domain_, instance_, "--network", network, "-o", problem_}).exit_code,
              0);
  }

  ProgramResult in_domain(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--domain", domain_, "--instance", instance_});
    return run_bnnplan(arguments);
  }
  ProgramResult check() const { return in_domain({"check", problem_, plan_}); }
  ProgramResult repair(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"plan", problem_, "--repair", domain_, instance_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_bnnplan(arguments);
  }

  TemporaryFolder folder_;
  std::string domain_, instance_, problem_ = (folder_ / "p.toml").string(),
                                  plan_ = (folder_ / "p.json").string();
};

TEST_F(OtherReward, CheckSaysWhatIsPromisedAndWhatIsGiven) {
  // Hot by itself, then heated twice: 10 + 7 + 7. In truth 0 + 7 + 7.
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 21) << result.errors;
  EXPECT_TRUE(has(result.output,
                  "the file claims: optimal (which is not checked here)\n"
                  "valid plan, 3 steps, reward 24\n"
                  "model and domain diverge at step 1: hot is 1 in the plan and 0 in the domain\n"
                  "valid in the domain, total reward 14\n"
                  "the model promises 24, the domain gives 14\n"
                  "where they differ (model / domain):\n  step 1: hot 1 / 0\n"))
      << result.output;
  // Other states, but the same reward: that is said, and all is well.
  folder_.write("d.rddl",
                "domain heater { pvariables { hot : { state-fluent, bool, default = false }; heat : { "
                "action-fluent, bool, default = false }; }; cpfs { hot' = heat; }; reward = -heat; }");
  learn("+- >= 1");
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  const ProgramResult same = check();
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_TRUE(has(same.output, "model and domain diverge at step 1")) << same.output;
  EXPECT_FALSE(has(same.output, "promises")) << same.output;
}

TEST_F(OtherReward, CheckSaysItInJson) {
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  const ProgramResult result = in_domain({"check", problem_, plan_, "--json"});
  EXPECT_EQ(result.exit_code, 21) << result.errors;
  EXPECT_EQ(result.output,
            "{\"problem\": \"i\",\n \"horizon\": 3,\n \"valid\": true,\n \"violation\": null,\n"
            " \"cost\": -24,\n \"claim\": \"optimal\",\n \"valid_in_domain\": true,\n"
            " \"domain_violation\": null,\n \"parts_at_step\": 1,\n"
            " \"difference\": \"hot is 1 in the plan and 0 in the domain\",\n"
            " \"model_reward\": 24,\n \"domain_reward\": 14,\n"
            " \"differences\": [\n  {\"step\": 1, \"variable\": \"hot\", \"model\": 1, \"domain\": 0}\n ],\n"
            " \"promise\": \"the model promises 24, the domain gives 14\"}\n");
  const ProgramResult alone = run_bnnplan({"check", problem_, plan_, "--json"});
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_TRUE(has(alone.output, "\"claim\": \"optimal\"}\n")) << "nothing of a domain: " << alone.output;
  folder_.write("p.json", "{\"steps\": [{\"state\": {\"hot\": false}}, {}, {}]}");
  const ProgramResult refused = in_domain({"check", problem_, plan_, "--json"});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_TRUE(has(refused.output, "\"valid\": false,\n \"violation\": \"")) << refused.output;
  EXPECT_TRUE(has(refused.output, "\"step\": 1,\n \"cost\": null")) << refused.output;
  EXPECT_TRUE(has(refused.output, "\"cost\": null,\n \"claim\": null,\n \"valid_in_domain\": true,"))
      << refused.output;
  EXPECT_FALSE(has(refused.output, "reward")) << refused.output;
}

TEST_F(OtherReward, ReportSaysWhatIsPromisedAndWhatIsGiven) {
  const std::string page = (folder_ / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  const ProgramResult result = in_domain({"report", problem_, plan_, "-o", page});
  EXPECT_EQ(result.exit_code, 21) << result.errors;
  const std::string promise = "\"promise\":\"the model promises 24, the domain gives 14\"";
  EXPECT_TRUE(has(read_text_file(page), "\"domainReward\":\"14\",\"domainReplayed\":true," + promise));
  EXPECT_EQ(run_bnnplan({"report", problem_, plan_, "-o", page}).exit_code, 0) << "no domain was asked";
  EXPECT_TRUE(has(read_text_file(page), "\"domainReplayed\":false,\"promise\":\"\""));
  // What a file says of a domain is its claim; a domain that is asked knows better.
  folder_.write("p.json", "{\"domain_reward\": 14.0, \"steps\": [{}, {\"actions\": {\"heat\": 1}}, {}]}");
  EXPECT_EQ(run_bnnplan({"report", problem_, plan_, "-o", page}).exit_code, 0);
  EXPECT_TRUE(
      has(read_text_file(page), "\"domainReward\":\"14\",\"domainReplayed\":false,\"promise\":\"the "));
  EXPECT_EQ(in_domain({"report", problem_, plan_, "-o", page}).exit_code, 21);
  EXPECT_TRUE(has(read_text_file(page), "\"domainReward\":\"7\",\"domainReplayed\":true,\"promise\":\"the "));
  // Where both agree there is nothing to say.
  ASSERT_EQ(repair({"-o", plan_}).exit_code, 0);
  EXPECT_EQ(in_domain({"report", problem_, plan_, "-o", page}).exit_code, 0);
  EXPECT_TRUE(has(read_text_file(page), "\"domainReplayed\":true,\"promise\":\"\""));
  // A plan that the domain refuses: said, and both courses are shown.
  folder_.write("d.rddl",
                "domain heater { pvariables { hot : { state-fluent, bool, default = false }; heat : { "
                "action-fluent, bool, default = false }; }; cpfs { hot' = heat; }; reward = 0; "
                "state-action-constraints { ~heat; }; }");
  std::filesystem::remove(page);
  const ProgramResult refused = in_domain({"report", problem_, plan_, "-o", page});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_TRUE(has(refused.errors, "p.json: refused by the domain: ")) << refused.errors;
  const std::string shown = read_text_file(page);
  EXPECT_TRUE(
      has(shown, "\"world\":{\"parts\":0,\"difference\":\"\",\"violation\":\"step 1: illegal by the "))
      << shown;
  EXPECT_TRUE(has(shown,
                  "\"reward\":\"0\",\"rewards\":[],\"promised\":[\"7\",\"7\",\"7\"],\"promisedReward\":"
                  "\"21\",\"states\":[[0]]}"))
      << shown;
  EXPECT_TRUE(has(shown, "\nrefused by the domain: step 1: illegal by the ")) << "without JavaScript, too";
}

TEST_F(OtherReward, ReportWantsADomainWithOneCourse) {
  const std::string page = (folder_ / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem_, "-o", plan_}).exit_code, 0);
  folder_.write("d.rddl",
                "domain heater { pvariables { hot : { state-fluent, bool, default = false }; heat : { "
                "action-fluent, bool, default = false }; }; cpfs { hot' = Bernoulli(0.5); }; reward = 0; }");
  const ProgramResult refused = in_domain({"report", problem_, plan_, "-o", page});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.errors, "the domain is random or has real fluents")) << refused.errors;
  EXPECT_FALSE(std::filesystem::exists(page));
}

TEST_F(OtherReward, RepairFindsTheBestPlanOnWhichBothAgree) {
  // Cold must be heated, as the model is wrong about it otherwise: 7 + 7 + 7.
  const ProgramResult text = repair({"-o", plan_});
  EXPECT_EQ(text.exit_code, 0) << text.output;
  EXPECT_TRUE(
      has(text.output,
          "optimal plan of 3 steps, reward 21, proved\n"
          "valid in the true domain, with the same state at every step (optimal among such plans, not in "
          "the domain itself)\n"
          "1 step excluded\n"))
      << text.output;
  EXPECT_TRUE(has(read_text_file(plan_), "\"cost\": -21,")) << "minus the reward";
  EXPECT_TRUE(has(read_text_file(plan_), "\"model_reward\": 21,\n \"domain_reward\": 21,\n"));
  const ProgramResult checked = check();
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_TRUE(has(checked.output,
                  "the file claims: optimal among the plans on which model and domain agree (which is"))
      << checked.output;
  EXPECT_TRUE(
      has(checked.output, "model and domain agree on every state\nvalid in the domain, total reward 21\n"))
      << checked.output;
  for (const char* engine : {"neuron", "maxsat", "auto"})
    EXPECT_TRUE(has(repair({"--engine", engine}).output, "optimal plan of 3 steps, reward 21, proved\n"))
        << engine;

  // A network that is wrong about everything: hot' = not heat.
  learn("-0 >= 1");
  const ProgramResult none = repair();
  EXPECT_EQ(none.exit_code, 20);
  EXPECT_TRUE(has(none.output,
                  "infeasible: there is no plan of 3 steps, proved\n"
                  "no plan has the same state at every step in the model and in the true domain\n"
                  "2 steps excluded\n"))
      << none.output;
}

TEST_F(OtherReward, RepairCannotMendAnotherReward) {
  // With another reward for heating, all states may agree, but the rewards do not.
  std::string text = read_text_file(problem_);
  const std::string reward = "-3 heat + 10 hot'";
  ASSERT_TRUE(has(text, reward)) << text;
  text.replace(text.find(reward), reward.size(), "-2 heat + 10 hot'");
  folder_.write("p.toml", text);
  const ProgramResult other = repair({"-o", plan_});
  EXPECT_EQ(other.exit_code, 21) << other.output;
  EXPECT_TRUE(has(other.output, "optimal plan of 3 steps, reward 24, proved\n")) << other.output;
  EXPECT_TRUE(has(other.output, "the model promises 24, the domain gives 21\n")) << other.output;
  EXPECT_TRUE(has(read_text_file(plan_), "\"model_reward\": 24,\n \"domain_reward\": 21,\n"));
  EXPECT_EQ(check().exit_code, 21);
  EXPECT_EQ(repair({"--first"}).exit_code, 21) << "whatever else is known of the plan";
}

constexpr std::string_view coin_domain =
    "domain coin { pvariables { up : { state-fluent, bool }; level : { state-fluent, int }; seen : { "
    "observ-fluent, bool };"
    " flip : { action-fluent, bool }; };"
    " cpfs { up' = if (flip) then Bernoulli(0.8) else up; level' = level + up; seen = up'; };"
    " reward = up' - 0.25 * flip; }\n";
constexpr std::string_view coin_instances =
    "instance short { domain = coin; horizon = 3; discount = 0.5; }\n"
    "instance long { domain = coin; init-state { up; }; horizon = 6; }\n";

TEST(RandomDomains, AreSimulatedAsValues) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", coin_domain),
                    instance = folder.write("i.rddl", coin_instances);
  const std::vector<std::string> command = {"simulate",   domain,     instance,  "--instance",
                                            "long",       "--values", "--steps", "6",
                                            "--episodes", "3",        "-o",      "-"};
  const ProgramResult result = run_bnnplan(command);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.substr(0, result.output.find('\n', result.output.find('\n') + 1)).substr(0, 42),
            "up,level,flip,up',level',seen,reward\n1,0,0");
  EXPECT_NE(result.errors.find("mean reward of an episode"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, run_bnnplan(command).output) << "the same seed";
  expect_bad_input({"simulate", domain, instance, "--values", "-o", "-"},
                   instance + ":2:1: the file has several instances, expected the name of one: short, long");
  expect_bad_input({"simulate", domain, instance, "--instance", "middle", "-o", "-"},
                   instance + ": there is no instance 'middle' in this file, expected one of: short, long");
  EXPECT_EQ(
      run_bnnplan({"simulate", domain, instance, "--instance", "long", "--values", "--exhaustive", "-o", "-"})
          .exit_code,
      1);
}

// Observations are determinized as well where they are columns, and in the problem if the reward depends on
// them.
TEST(RandomDomains, ObservationsAreDeterminized) {
  const TemporaryFolder folder;
  const std::string domain = folder.write(
      "d.rddl",
      "domain d { pvariables { x : { state-fluent, bool }; a : { action-fluent, bool };"
      " sees : { observ-fluent, bool }; likely : { observ-fluent, bool }; size : { observ-fluent, real }; };"
      " cpfs { x' = a; sees = x'; likely = Bernoulli(if (x') then 0.9 else 0.2); size = x' + 0.5; };"
      " reward = 2 * likely - a; }\n");
  const std::string instance = folder.write("i.rddl", "instance i { domain = d; horizon = 3; }\n");
  const ProgramResult result = run_bnnplan(
      {"simulate", domain, instance, "--values", "--steps", "20", "--determinize", "most-likely", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream lines(result.output);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "x,a,x',sees,likely,size,reward");
  std::set<std::string> seen;
  while (std::getline(lines, line)) seen.insert(line.substr(2));
  EXPECT_EQ(seen, (std::set<std::string>{"0,0,0,0,0.5,0", "1,1,1,1,1.5,1"}));
  const std::string problem = (folder.path() / "p.toml").string();
  const ProgramResult compiled =
      run_bnnplan({"compile", domain, instance, "--determinize", "most-likely", "-o", problem});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.errors;
  EXPECT_TRUE(has(run_bnnplan({"plan", problem}).output, "optimal plan of 3 steps, reward 3, proved\n"));
}

// A reward that is a product of four numbers in sixteenths: 40 bits, in units of a third of 2^-16.
TEST(CompileCommand, RewardsOfManyDigits) {
  const TemporaryFolder folder;
  std::string faces, values;
  for (int i = 1; i <= 4; ++i) {
    faces += fmt::format("{}f{}", i == 1 ? "" : ", ", i);
    values += fmt::format("V(f{}) = {};", i, (999.0 + 2 * i) / 16);
  }
  const std::string domain = folder.write(
      "d.rddl",
      "domain d { types { face : object; }; pvariables { V(face) : { non-fluent, real, default = 1.0 };"
      " seen(face) : { state-fluent, bool }; roll(face) : { action-fluent, bool }; cash : { action-fluent, "
      "bool }; };"
      " cpfs { seen'(?f) = ~cash ^ (seen(?f) | roll(?f)); };"
      " reward = if (cash) then (prod_{?f : face} (seen(?f) * V(?f) + ~seen(?f))) / 3 else 0;"
      " }\n");
  const std::string instance = folder.write(
      "i.rddl", "non-fluents n { domain = d; objects { face : { " + faces + " }; }; non-fluents { " + values +
                    " }; } instance i { domain = d; non-fluents = n; horizon = 2; }\n");
  const std::string problem = (folder.path() / "p.toml").string(), plan = (folder.path() / "p.json").string();
  const ProgramResult compiled = run_bnnplan({"compile", domain, instance, "-o", problem});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.errors;
  EXPECT_TRUE(has(read_text_file(problem),
                  "# the objective is 196608 times the reward, so that its numbers are decimal\n"));
  EXPECT_TRUE(has(read_text_file(problem), "\nreward-multiple = 196608\n"));
  const ProgramResult planned = run_bnnplan({"plan", problem, "--engine", "neuron", "-o", plan});
  EXPECT_EQ(planned.exit_code, 0) << planned.errors;
  // 1001 * 1003 * 1005 * 1007
  EXPECT_TRUE(has(planned.output, "optimal plan of 2 steps, reward 1016086176105, proved\n"))
      << planned.output;
  const ProgramResult checked =
      run_bnnplan({"check", problem, plan, "--domain", domain, "--instance", instance});
  EXPECT_EQ(checked.exit_code, 0) << checked.errors << checked.output;
  EXPECT_TRUE(has(checked.output,
                  "valid in the domain, total reward 338695392035/65536 (1016086176105 in the problem, "
                  "which counts it 196608 times)\n"))
      << checked.output;
}

TEST(CompileCommand, RewardsWithThirds) {
  const TemporaryFolder folder;
  const std::string domain =
      folder.write("d.rddl",
                   "domain d { pvariables { x : { state-fluent, bool }; a : { action-fluent, bool }; };"
                   " cpfs { x' = a; }; reward = 2 * x' / 3 - a / 6; }\n");
  const std::string instance = folder.write("i.rddl", "instance i { domain = d; horizon = 2; }\n");
  const std::string problem = (folder.path() / "p.toml").string(), plan = (folder.path() / "p.json").string();
  EXPECT_EQ(run_bnnplan({"compile", domain, instance, "-o", problem}).exit_code, 0);
  EXPECT_TRUE(
      has(run_bnnplan({"plan", problem, "-o", plan}).output, "optimal plan of 2 steps, reward 3, proved\n"));
  const ProgramResult checked =
      run_bnnplan({"check", problem, plan, "--domain", domain, "--instance", instance, "--optimum"});
  EXPECT_EQ(checked.exit_code, 0) << checked.errors << checked.output;
  EXPECT_TRUE(has(checked.output,
                  "valid in the domain, total reward 1 (3 in the problem, which counts it 3 times)\n"))
      << checked.output;
  EXPECT_TRUE(has(checked.output, "the domain's own optimum: reward 1, proved; this plan has it"))
      << checked.output;
}

TEST(RandomDomains, AreCompiledAsTheOptionsSay) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", coin_domain),
                    instance = folder.write("i.rddl", coin_instances);
  const std::string problem = (folder.path() / "p.toml").string();
  std::vector<std::string> command = {
      "compile", domain, instance, "--instance", "short", "--reachable-ranges", "-o", problem};
  expect_bad_input(command,
                   domain + ":1:183: Bernoulli is random: planning needs --determinize to choose an outcome");
  command.insert(command.end(), {"--determinize", "most-likely"});
  EXPECT_EQ(run_bnnplan(command).exit_code, 0);
  const std::string discounted = read_text_file(problem);
  EXPECT_NE(discounted.find("# a discount of 0.5: step t counts 0.5^(t-1)\n"), std::string::npos)
      << discounted;
  EXPECT_NE(discounted.find("\ndiscount = \"0.5\"\n"), std::string::npos) << discounted;
  // Flip at once: 0.75 + 0.5 + 0.25.
  const ProgramResult best = run_bnnplan({"plan", problem, "--json"});
  EXPECT_NE(best.output.find("\"cost\": -1.5,"), std::string::npos) << best.output;
  for (const std::string how : {"digits=18", "digits=0", "digits=", "none"}) {
    command.insert(command.end(), {"--discount", how});
    expect_usage_error(command,
                       "--discount is '" + how + "', expected ignore or digits=N with N from 1 to 17");
    command.resize(command.size() - 2);
  }
  command.insert(command.end(), {"--discount", "ignore", "--goal", "~up"});
  const ProgramResult result = run_bnnplan(command);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::string notes =
      "# random outcomes: most-likely\n# 1 observation left out: the state is known\n"
      "# a discount of 0.5 is ignored: rewards are summed\n# goal: ~up\n"
      "# unbounded integers get the range reachable in 3 steps: not valid for longer plans\n";
  EXPECT_EQ(read_text_file(problem).substr(0, notes.size()), notes);
  const ProgramResult planned = run_bnnplan({"plan", problem, "--json"});
  EXPECT_EQ(planned.exit_code, 0) << planned.errors;
  EXPECT_NE(planned.output.find("\"cost\": 0,"), std::string::npos) << "not to flip: " << planned.output;
  command.back() = "up ^";
  expect_bad_input(command, "goal:1:5: found the end of the file, expected an expression");
  command.back() = "flip";
  expect_bad_input(command,
                   "goal:1:1: action-fluent 'flip' in the goal, expected state-fluents and non-fluents only");
  expect_bad_input(
      {"compile", domain, instance, "--instance", "long", "--determinize", "average", "-o", problem},
      "bnnplan: bad determinization 'average', expected most-likely, mean, threshold=P with a probability P "
      "above 0, "
      "sample=SEED or hindsight=N");
}

TEST(RandomDomains, PlansAreCheckedOverEpisodes) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", coin_domain);
  const std::string instance =
      folder.write("i.rddl", "instance g { domain = coin; horizon = 2; goal-state { up; }; }");
  const std::string problem = (folder.path() / "p.toml").string(),
                    plan = (folder.path() / "plan.json").string();
  EXPECT_EQ(run_bnnplan({"compile", domain, instance, "--reachable-ranges", "--determinize", "most-likely",
                         "-o", problem})
                .exit_code,
            0);
  EXPECT_EQ(run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  std::vector<std::string> command = {"check",  problem,      plan,   "--domain", domain, "--instance",
                                      instance, "--episodes", "2000", "--seed",   "3"};
  const ProgramResult result = run_bnnplan(command);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::string before = "in the domain, which is random: mean reward ";
  const auto mean = result.output.find(before);
  ASSERT_NE(mean, std::string::npos) << result.output;
  // Flipped at once it is up with 0.8, and stays so: 2 * 0.8 - 0.25; five deviations are 0.09.
  EXPECT_NEAR(std::stod(result.output.substr(mean + before.size())), 1.35, 0.09) << result.output;
  EXPECT_NE(result.output.find(" over 2000 episodes\nthe goal is reached in "), std::string::npos)
      << result.output;
  command.push_back("--json");
  const ProgramResult json = run_bnnplan(command);
  EXPECT_NE(json.output.find("\"episodes\": 2000,\n \"mean_reward\": 1."), std::string::npos) << json.output;
  EXPECT_NE(json.output.find("\"refused_episodes\": 0,\n \"domain_violation\": null,\n \"goals\": 1"),
            std::string::npos)
      << json.output;
  EXPECT_EQ(run_bnnplan({"check", problem, plan, "--episodes", "5"}).exit_code, 1) << "without a domain";
  // A domain that refuses: the second flip is illegal.
  const std::string strict =
      folder.write("s.rddl", std::string(coin_domain.substr(0, coin_domain.rfind('}'))) +
                                 " action-preconditions { ~flip | level >= 1; }; }");
  const ProgramResult refused =
      run_bnnplan({"check", problem, plan, "--domain", strict, "--instance", instance});
  EXPECT_EQ(refused.exit_code, 20);
  EXPECT_NE(
      refused.output.find("refused by the domain in 100 of 100 episodes (100 %), first in episode 1, step 1: "
                          "illegal by the constraint at "),
      std::string::npos)
      << refused.output;
}

TEST(RealDomains, ArePlannedAndChecked) {
  const TemporaryFolder folder;
  const std::string domain = folder.write(
      "d.rddl",
      "domain tank { pvariables { level : { state-fluent, real, default = 1.0 }; flow : { action-fluent, "
      "real, "
      "default = 0.0 }; }; cpfs { level' = 0.97 * level + flow; }; reward = -abs[level' - 2] - 0.1 * flow;"
      " action-preconditions { flow >= 0; flow <= 0.5; }; state-invariants { level >= 0; level <= 4; }; }");
  const std::string instance = folder.write("i.rddl", "instance i { domain = tank; horizon = 4; }");
  const std::string problem = (folder.path() / "p.toml").string(),
                    plan = (folder.path() / "plan.json").string();
  expect_bad_input(
      {"compile", domain, instance, "-o", problem},
      domain +
          ":1:132: state-fluent 'level' is real: bits are for bool, int and enumerated types (compile "
          "--precision level=P plans with multiples of P; simulate --values needs none)");
  const ProgramResult compiled = run_bnnplan(
      {"compile", domain, instance, "--precision", "0.1", "--precision", "level=0.01", "-o", problem});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.errors;
  EXPECT_EQ(run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  const ProgramResult checked =
      run_bnnplan({"check", problem, plan, "--domain", domain, "--instance", instance});
  EXPECT_EQ(checked.exit_code, 0) << checked.errors;
  EXPECT_NE(checked.output.find("in the domain: reward -0.7"), std::string::npos) << checked.output;
  EXPECT_NE(checked.output.find("reals of plan and domain differ by at most 0.0"), std::string::npos)
      << checked.output;
  const ProgramResult run = run_bnnplan({"run", domain, instance, "--precision", "0.1", "--episodes", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.output.substr(0, 22), "plan    mean reward -0") << run.output;
}

TEST(RunCommand, GoesOnWhereTheStateIsOutsideOfThePlansRanges) {
  const TemporaryFolder folder;
  const std::string domain = folder.write(
      "d.rddl",
      "domain jump { pvariables { level : { state-fluent, int }; down : { action-fluent, bool }; };"
      " cpfs { level' = if (Bernoulli(0.3)) then level + 6 else max[level - down, 0]; }; reward = -level'; "
      "}");
  const std::string instance = folder.write("i.rddl", "instance i { domain = jump; horizon = 6; }");
  const ProgramResult result =
      run_bnnplan({"run", domain, instance, "--range", "level=0..7", "--episodes", "20", "--policy", "plan"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find(", no plan "), std::string::npos) << result.output;
}

TEST(RunCommand, PlansForSeveralFutures) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", coin_domain),
                    instance = folder.write("i.rddl", coin_instances);
  const ProgramResult result =
      run_bnnplan({"run", domain, instance, "--instance", "short", "--episodes", "40", "--policy", "plan",
                   "--determinize", "hindsight=2", "--lookahead", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NEAR(std::stod(result.output.substr(20)), 1.217, 0.35) << result.output;
}

TEST(RunCommand, PlansInClosedLoop) {
  const TemporaryFolder folder;
  const std::string domain = folder.write("d.rddl", coin_domain),
                    instance = folder.write("i.rddl", coin_instances);
  const std::vector<std::string> command = {"run",   domain,       instance, "--instance",
                                            "short", "--episodes", "200"};
  const ProgramResult result = run_bnnplan(command);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output.substr(0, 20), "plan    mean reward ");
  EXPECT_NE(result.output.find("\nrandom  mean reward "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("\nnoop    mean reward 0 +- 0 over 200 episodes"), std::string::npos)
      << result.output;
  // Flip until it is up: 0.8 - 0.25 + 0.5 (0.8 + 0.2 (0.8 - 0.25)) + 0.25 (...) = 1.217; +- 0.08 is 5
  // deviations.
  const double mean = std::stod(result.output.substr(20));
  EXPECT_NEAR(mean, 1.217, 0.11) << result.output;
  expect_usage_error({"run", domain, instance, "--instance", "short", "--replan", "5"},
                     "--replan is larger than --lookahead: a plan has no more steps than that");
  const std::string endless = folder.write("e.rddl", "instance e { domain = coin; }");
  expect_bad_input({"run", domain, endless},
                   endless + ": the instance has no horizon: expected a number of steps");
}

TEST(RddlTable, TriesEveryDomainOfAFolder) {
  if (testing::run_program({"python3", "--version"}).exit_code != 0) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "a");
  std::filesystem::create_directories(folder.path() / "b");
  folder.write("a/domain.rddl", read_text_file(domains + "navigation.rddl"));
  folder.write("a/instance.rddl", read_text_file(domains + "navigation_3x3.rddl"));
  folder.write("b/domain.rddl",
               "domain b { pvariables { x : { state-fluent, real }; go : { action-fluent, bool }; };"
               " cpfs { x' = x + go; }; reward = x; }");
  folder.write("b/instance.rddl", "instance i { domain = b; horizon = 5; }");
  const ProgramResult result = testing::run_program({BNNPLAN_SOURCE_DIR "/tools/rddl-table", BNNPLAN_PROGRAM,
                                                     folder.path().string(), "--time-limit", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output,
            "| domain | simulates | compiles | 4 steps | horizon | why not |\n|---|---|---|---|---|---|\n"
            "| a | bits | exactly | optimal | 4: optimal |  |\n"
            "| b | values | precision 0.1 | optimal | 5: optimal |  |\n\n"
            "Of 2 domains 2 simulate, 2 compile, and 2 have a plan of 4 steps.\n");
}

TEST(RddlCommands, BadInput) {
  const TemporaryFolder folder;
  const std::string navigation = domains + "navigation.rddl", instance = domains + "navigation_3x3.rddl";
  const std::string broken = folder.write("b.rddl", "domain d {\n  types { t : object };\n}\n");
  expect_bad_input({"simulate", broken, instance, "-o", "-"},
                   broken + ":2:22: found '}', expected ';' after the type");
  expect_bad_input(
      {"compile", navigation, domains + "sysadmin_4.rddl", "-o", "-"},
      domains +
          "sysadmin_4.rddl:13:12: this is for the domain 'sysadmin', but the domain file has 'navigation'");
  expect_usage_error({"compile", navigation, instance, "--learned", "robot-at", "-o", "-"},
                     "--learned requires --network: what is learned is what a network gives");
  expect_bad_input({"compile", navigation, instance, "--bits", "robot-at=2", "-o", "-"},
                   "bnnplan: bits for 'robot-at', which is not an integer of the model");
  expect_bad_input({"simulate", navigation, instance, "--inputs", "upp", "-o", "-"},
                   "bnnplan: input 'upp' is not a state or action fluent, did you mean 'up'?");
  EXPECT_EQ(run_bnnplan({"simulate", navigation, instance, "--policy", "clever", "-o", "-"}).exit_code, 1);
  EXPECT_EQ(run_bnnplan({"simulate", navigation, instance}).exit_code, 1) << "no output";
  for (const std::string number : {"0", "-1", "x", "1e30"}) {
    EXPECT_EQ(run_bnnplan({"simulate", navigation, instance, "--episodes", number, "-o", "-"}).exit_code, 1)
        << number;
    EXPECT_EQ(run_bnnplan({"simulate", navigation, instance, "--steps", number, "-o", "-"}).exit_code, 1)
        << number;
  }
  EXPECT_EQ(run_bnnplan({"simulate", navigation, instance, "--seed", "-1", "-o", "-"}).exit_code, 1);
  const ProgramResult lists = run_bnnplan(
      {"simulate", "--inputs", "up,down", "--outputs", "robot-at[x1| y1]", navigation, instance, "-o", "-"});
  EXPECT_EQ(lists.exit_code, 0) << "a list takes one argument, not the files behind it: " << lists.errors;
}

}  // namespace
}  // namespace bnnplan::rddl
