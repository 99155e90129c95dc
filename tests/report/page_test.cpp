// Report pages in a real browser: one problem of each domain, made and solved by the program itself. What the
// page shows is compared with the plan file, step by step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/browser.hpp"
#include "support/run_bnnplan.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::reporting {
namespace {

using nlohmann::json;
using testing::Browser;
using testing::ProgramResult;
using testing::run_bnnplan;
using testing::TemporaryFolder;

// A problem with its plan and its page in a folder.
class Page {
 public:
  explicit Page(const std::string& problem) : problem_(problem) {}
  static std::unique_ptr<Page> of_domain(const std::string& domain, const std::string& instance) {
    auto page = std::make_unique<Page>("");
    page->problem_ = (page->folder / "problem.toml").string();
    const std::string domains = BNNPLAN_SOURCE_DIR "/domains/";
    const ProgramResult made =
        run_bnnplan({"compile", domains + domain + ".rddl", domains + domain + "_" + instance + ".rddl", "-o",
                     page->problem_});
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    return page;
  }

  void solve(const std::string& name = "plan.json", std::vector<std::string> options = {}) {
    std::vector<std::string> arguments = {"plan",   problem_, "--engine",
                                          "search", "-o",     (folder / name).string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult solved = run_bnnplan(arguments);
    ASSERT_EQ(solved.exit_code, 0) << solved.errors;
    plans_.push_back((folder / name).string());
  }

  std::string write() {
    std::vector<std::string> arguments = {"report", problem_};
    arguments.insert(arguments.end(), plans_.begin(), plans_.end());
    const std::string file = (folder / "page.html").string();
    arguments.insert(arguments.end(), {"-o", file});
    const ProgramResult written = run_bnnplan(arguments);
    EXPECT_EQ(written.exit_code, 0) << written.errors;
    return file;
  }

  json plan(std::size_t index = 0) const { return json::parse(read_text_file(plans_[index])); }

  TemporaryFolder folder;

 private:
  std::string problem_;
  std::vector<std::string> plans_;
};

std::string number(const json& value) { return value.dump(); }

// What every page must show and do.
void check_page(Browser& browser, const std::string& file, const json& plan) {
  browser.open(file);
  EXPECT_EQ(browser.evaluate("document.documentElement.dataset.ready"), "yes");
  EXPECT_EQ(browser.text("#status"), "claims: " + plan["status"].get<std::string>());
  EXPECT_NE(
      browser.text("#answer").find("The file claims: optimal. The plan is valid; that none costs less than " +
                                   number(plan["cost"]) + " is not proved here."),
      std::string::npos);
  EXPECT_EQ(browser.text("[data-fact=worth]"), number(plan["cost"]));
  EXPECT_EQ(browser.text("[data-fact=bound]"), number(plan["lower_bound"]));
  EXPECT_EQ(browser.text("[data-fact=engine]"), plan["engine"].get<std::string>());
  const auto steps = plan["steps"].size();
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#timeline thead th').length"), steps + 2);
  // All variables, every value.
  browser.evaluate("document.getElementById('all').click()");
  const json rows = browser.evaluate(
      "[...document.querySelectorAll('#timeline tr[data-variable]')].filter((r) => r.dataset.variable)"
      ".map((r) => [r.dataset.variable, [...r.querySelectorAll('td')].map((c) => c.dataset.value ?? null)])");
  std::size_t compared = 0;
  for (const json& row : rows) {
    const std::string name = row[0];
    for (std::size_t t = 0; t <= steps; ++t) {
      const json& step = t == 0 ? json::object() : plan["steps"][t - 1];
      json expected = (t == 0 ? plan["initial"] : step["state"]).value(name, json());
      if (expected.is_null() && t > 0) expected = step["actions"].value(name, json());
      if (expected.is_null() && t > 0 && step.contains("auxiliary"))
        expected = step["auxiliary"].value(name, json());
      if (expected.is_null()) continue;
      if (expected.is_boolean()) expected = expected.get<bool>() ? 1 : 0;
      EXPECT_EQ(row[1][t].is_null() ? "" : row[1][t].get<std::string>(), number(expected))
          << name << " after step " << t;
      ++compared;
    }
  }
  EXPECT_GT(compared, steps * plan["initial"].size()) << "every state variable at every step";
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
  EXPECT_TRUE(browser.requests().empty()) << browser.requests().front();
}

std::string cell_of(Browser& browser, const std::string& kind) {
  return browser.evaluate(
      fmt::format("document.querySelector('.stages .thing[data-kind={}]').dataset.cell", kind));
}

std::string translation_of(Browser& browser, const std::string& kind) {
  return browser.evaluate(
      fmt::format("document.querySelector('.stages .thing[data-kind={}]').style.transform", kind));
}

TEST(ReportPage, NavigationMovesWhenStepped) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("navigation", "4x4");
  page->solve();
  const std::string file = page->write();
  const json plan = page->plan();
  Browser browser;
  check_page(browser, file, plan);
  const std::string before = translation_of(browser, "agent");
  std::set<std::string> seen;
  for (std::size_t t = 0; t <= plan["steps"].size(); ++t) {
    if (t > 0) browser.press("ArrowRight");
    const json& state = t == 0 ? plan["initial"] : plan["steps"][t - 1]["state"];
    std::string expected;
    for (int x = 1; x <= 4; ++x) {
      for (int y = 1; y <= 4; ++y) {
        if (state[fmt::format("robot-at[x{}| y{}]", x, y)].get<bool>())
          expected = fmt::format("{},{}", x - 1, y - 1);
      }
    }
    EXPECT_EQ(cell_of(browser, "agent"), expected) << "after step " << t;
    seen.insert(translation_of(browser, "agent"));
  }
  EXPECT_EQ(seen.size(), plan["steps"].size() + 1) << "every step of this plan is a move";
  EXPECT_EQ(browser.text("#spent"), number(plan["cost"])) << "in the end all is spent";
  EXPECT_EQ(cell_of(browser, "goal"), cell_of(browser, "agent"));
  browser.press("ArrowRight");
  EXPECT_EQ(browser.text("#where"), "step 5 of 5") << "it stays at the end";
  browser.press("Home");
  EXPECT_EQ(translation_of(browser, "agent"), before);
  browser.evaluate("document.getElementById('player-next').click()");
  EXPECT_EQ(browser.text("#where"), "step 1 of 5");
  browser.evaluate(
      "(() => { const s = document.getElementById('slider'); s.value = 3; s.dispatchEvent(new "
      "Event('input')); "
      "})()");
  EXPECT_EQ(browser.text("#where"), "step 3 of 5");
  browser.press("Home");
  browser.press(" ");
  EXPECT_TRUE(browser.comes_true("document.getElementById('where').textContent === 'step 2 of 5'"))
      << "it plays";
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.strip button').length"), 6) << "a film strip";
  EXPECT_TRUE(browser.complaints().empty());
}

TEST(ReportPage, CelldaShowsTheKeyTheEnemyAndTheDoor) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("cellda", "x");
  page->solve();
  const std::string file = page->write();
  const json plan = page->plan();
  Browser browser;
  check_page(browser, file, plan);
  EXPECT_EQ(cell_of(browser, "door"), "3,0");
  const std::string keys =
      "[...document.querySelectorAll('.stages .thing[data-kind=key]')].map((k) => k.dataset.cell).join(' ')";
  for (std::size_t t = 0; t <= plan["steps"].size(); ++t) {
    if (t > 0) browser.press("ArrowRight");
    const json& state = t == 0 ? plan["initial"] : plan["steps"][t - 1]["state"];
    const auto place = [&](const std::string& who) {
      return fmt::format("{},{}", state[who + "-x"].get<int>(), state[who + "-y"].get<int>());
    };
    EXPECT_EQ(cell_of(browser, "agent"), place("agent")) << "after step " << t;
    EXPECT_EQ(cell_of(browser, "enemy"), place("enemy")) << "after step " << t;
    std::string shown = browser.evaluate(keys);
    shown.erase(std::remove(shown.begin(), shown.end(), ' '), shown.end());
    EXPECT_EQ(shown, state["has-key"].get<bool>() ? place("agent") : "1,3") << "the key lies or is carried";
  }
}

TEST(ReportPage, InventoryShowsStockOrdersAndDemand) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("inventory", "4");
  page->solve();
  const std::string file = page->write();
  const json plan = page->plan();
  Browser browser;
  check_page(browser, file, plan);
  json expected = json::array({plan["initial"]["stock"]});
  int orders = 0;
  for (const json& step : plan["steps"]) {
    expected.push_back(step["state"]["stock"]);
    orders += step["actions"]["order"].get<bool>() ? 1 : 0;
  }
  EXPECT_EQ(browser.evaluate("[...document.querySelectorAll('.stock [data-stock]')].map((b) => "
                             "Number(b.dataset.stock))"),
            expected);
  EXPECT_EQ(browser.evaluate("[...document.querySelectorAll('.stock .plus')].map((b) => b.textContent)"),
            json(std::vector<std::string>(static_cast<std::size_t>(orders), "+5")));
  EXPECT_EQ(browser.evaluate("[...document.querySelectorAll('.stock .minus')].map((b) => b.textContent)"),
            json({"−1", "−2", "−3"}))
      << "of months 1 to 3; that of month 0 is 0";
  browser.press("End");
  EXPECT_EQ(browser.evaluate("document.querySelector('.stages .stock').dataset.step"), "5");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.stages .bar-later').length"), 0);
  EXPECT_TRUE(browser.complaints().empty());
}

TEST(ReportPage, SysadminShowsAgesAndReboots) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("sysadmin", "4");
  page->solve();
  const std::string file = page->write();
  const json plan = page->plan();
  Browser browser;
  check_page(browser, file, plan);
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.stages .link').length"), 3);
  int reboots = 0;
  for (std::size_t t = 1; t <= plan["steps"].size(); ++t) {
    browser.press("ArrowRight");
    const json& step = plan["steps"][t - 1];
    for (const char* computer : {"c1", "c2", "c3", "c4"}) {
      const std::string node =
          fmt::format("document.querySelector('.stages g[data-name={}]').dataset", computer);
      EXPECT_EQ(browser.evaluate(node + ".age"), number(step["state"][fmt::format("age[{}]", computer)]));
      const bool rebooted = step["actions"][fmt::format("reboot[{}]", computer)].get<bool>();
      EXPECT_EQ(browser.evaluate(node + ".rebooted"), rebooted ? "true" : "false");
      reboots += rebooted;
    }
  }
  EXPECT_EQ(number(plan["cost"]), fmt::format("{}", reboots));
}

TEST(ReportPage, TheNetworkShowsItsActiveNeurons) {
  BNNPLAN_NEEDS_CHROMIUM();
  Page page(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  page.solve();
  const std::string file = page.write();
  const json plan = page.plan();
  Browser browser;
  check_page(browser, file, plan);
  for (std::size_t t = 1; t <= plan["steps"].size(); ++t) {
    browser.press("ArrowRight");
    EXPECT_EQ(browser.text("#network h2"), fmt::format("The network at step {}", t));
    json expected = json::array();
    for (int cell = 1; cell <= 5; ++cell)
      expected.push_back(plan["steps"][t - 1]["state"][fmt::format("cell-{}", cell)].get<bool>());
    EXPECT_EQ(browser.evaluate("[...document.querySelectorAll('.neuron[data-layer=\"2\"]')].map((n) => "
                               "n.classList.contains('on'))"),
              expected)
        << "the outputs are the next state";
  }
  browser.evaluate("document.querySelector('.net').focus()");
  browser.press("ArrowUp");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.neuron.picked').length"), 1);
  EXPECT_NE(browser.text("#network .note").find("inputs agree with their weights"), std::string::npos);
  EXPECT_EQ(browser.text("#where"), "step 7 of 7") << "the arrows chose a neuron, not a step";
  EXPECT_TRUE(browser.complaints().empty());
}

TEST(ReportPage, ComparesPlans) {
  BNNPLAN_NEEDS_CHROMIUM();
  Page page(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  page.solve("a.json");
  page.solve("b.json", {"-H", "9"});
  const std::string file = page.write();
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#compare tbody tr[data-plan]').length"), 2);
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#differences tbody tr').length"), 2);
  EXPECT_NE(browser.evaluate("document.querySelectorAll('#differences td.changed').length"), 0);
  EXPECT_EQ(browser.text("#difference"), "Where they differ");
  EXPECT_EQ(browser.text("#where"), "step 0 of 7");
  browser.press("2");
  EXPECT_EQ(browser.text("#where"), "step 0 of 9") << "the second plan";
  EXPECT_EQ(browser.text("[data-fact=steps]"), "9");
  browser.evaluate("document.getElementById('side').click()");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.stages .stage').length"), 2);
  browser.press("1");
  browser.press("End");
  EXPECT_EQ(browser.evaluate("[...document.querySelectorAll('.stages .thing[data-kind=agent]')].map((a) => "
                             "a.dataset.cell)"),
            json({"4,0", "4,0"}))
      << "both at the door";
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, SaysThatPlansAreTheSame) {
  BNNPLAN_NEEDS_CHROMIUM();
  Page page(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  page.solve("a.json");
  page.solve("b.json");
  const std::string two = page.write();
  Browser browser;
  browser.open(two);
  EXPECT_EQ(browser.text("#difference"), "Both plans are the same");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#differences td.changed').length"), 0);
  page.solve("c.json");
  browser.open(page.write());
  EXPECT_EQ(browser.text("#difference"), "All 3 plans are the same");
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, WhatIsProvedIsWhatAProofProves) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string problem = BNNPLAN_SOURCE_DIR "/models/corridor.toml", plan = (folder / "p.json").string(),
                    proof = (folder / "p.pbp").string(), file = (folder / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem, "--engine", "neuron", "--proof", proof, "-o", plan}).exit_code, 0);
  ASSERT_EQ(run_bnnplan({"report", problem, plan, "--proof", proof, "-o", file}).exit_code, 0);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.text("#status"), "optimal");
  EXPECT_NE(browser.text("#answer").find(
                "Of all plans of 7 steps, none costs less than 5: proved by p.pbp, which was checked."),
            std::string::npos)
      << browser.text("#answer");
  EXPECT_EQ(browser.text("[data-fact=optimum]"), "5");
  EXPECT_EQ(browser.text("[data-fact=proof]"), proof);
  const std::string liar =
      folder.write("liar.json", R"({"status": "optimal", "steps": [{"actions": {"left": 1}},
    {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}},
    {"actions": {"right": 1}}, {}]})");
  ASSERT_EQ(run_bnnplan({"report", problem, liar, "--proof", proof, "-o", file}).exit_code, 0);
  browser.open(file);
  EXPECT_EQ(browser.text("#status"), "not optimal");
  EXPECT_NE(browser.text("#answer").find("The best plan of 7 steps has the cost 5: proved by p.pbp"),
            std::string::npos);
  const std::string denial =
      folder.write("none.json", R"({"status": "infeasible", "steps": null, "horizon": 7})");
  ASSERT_EQ(run_bnnplan({"report", problem, denial, "--proof", proof, "-o", file}).exit_code, 0);
  browser.open(file);
  EXPECT_EQ(browser.text("#status"), "refuted");
  EXPECT_NE(browser.text("#answer").find("The file claims that there is no plan, which is wrong."),
            std::string::npos);
  const std::string empty =
      folder.write("empty.json", R"({"status": "plan", "steps": null, "horizon": 7, "cost": 5})");
  ASSERT_EQ(run_bnnplan({"report", problem, empty, "-o", file}).exit_code, 0);
  browser.open(file);
  EXPECT_EQ(browser.text("#status"), "claims: plan");
  EXPECT_NE(browser.text("#answer").find("The file claims: plan. But it has no plan."), std::string::npos);
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, SaysIfTheDomainGivesAnotherReward) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string domain = folder.write(
      "d.rddl",
      "domain d { pvariables { x : { state-fluent, bool, default = false }; a : { action-fluent, bool, "
      "default = false }; }; cpfs { x' = a; }; reward = 5 * x'; }\n"
      "instance i { domain = d; horizon = 2; }");
  const std::string problem = folder.write(
      "p.toml",
      "horizon = 2\nmaximize = \"12 x'\"\ntransitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\nx = "
      "\"bool\"\n[initial]\nx = false\n");
  const std::string steps = R"("steps": [{"actions": {"a": 1}}, {"actions": {"a": 1}}]})";
  const std::string plan = folder.write("p.json", "{" + steps), file = (folder / "page.html").string();
  ASSERT_EQ(
      run_bnnplan({"report", problem, plan, "--domain", domain, "--instance", domain, "-o", file}).exit_code,
      21);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.text("#promise"), "The model promises 24, the domain gives 10.");
  EXPECT_EQ(browser.text("[data-fact=domain]"), "10");
  EXPECT_EQ(browser.text("#answer").find("as claimed"), std::string::npos) << browser.text("#answer");
  folder.write("p.json", R"({"domain_reward": 11, )" + steps);
  ASSERT_EQ(run_bnnplan({"report", problem, plan, "-o", file}).exit_code, 0);
  browser.open(file);
  EXPECT_EQ(browser.text("#promise"), "The model promises 24, the domain gives 11, as the file claims.");
  EXPECT_NE(browser.text("#answer").find("Reward in the domain, as claimed"), std::string::npos);
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

// A model that believes the wall away: it promises two moves, the world stands still at the first.
TEST(ReportPage, ShowsPromiseAndWorldSideBySide) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string domain = folder.write(
      "d.rddl",
      "domain d { pvariables { x : { state-fluent, int, default = 0 }; lit : { state-fluent, bool, default = "
      "false }; "
      "go : { action-fluent, bool, default = false }; }; "
      "cpfs { x' = if (go ^ x ~= 1) then min[x + 1, 3] else x; lit' = lit | go; }; reward = -go; "
      "state-invariants { x >= 0; x <= 3; }; }\n"
      "instance i { domain = d; horizon = 3; //! goal-state { x == 3; };\n }");
  const std::string problem =
      folder.write("p.toml",
                   "horizon = 3\nminimize = \"go\"\ngoal = [\"x == 3\"]\n"
                   "transitions = [\"x' == x + go\", \"lit' >= lit\", \"lit' >= go\", \"lit' <= lit + go\"]\n"
                   "constraints = [\"x <= 3\"]\n[action]\ngo = \"bool\"\n[state]\nx = { bits = 2 }\nlit = "
                   "\"bool\"\n[initial]\nx = 0\nlit = false\n");
  const std::string plan = (folder / "p.json").string(), file = (folder / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  const ProgramResult made =
      run_bnnplan({"report", problem, plan, "--domain", domain, "--instance", domain, "-o", file});
  EXPECT_EQ(made.exit_code, 20);
  EXPECT_NE(made.errors.find("p.json: refused by the domain: after the last step: the goal is not reached\n"),
            std::string::npos)
      << made.errors;
  Browser browser;
  browser.open(file);
  EXPECT_EQ(
      browser.text("#courses-say"),
      "They diverge at step 2: x is 2 in the plan and 1 in the domain. The domain refuses the plan: after "
      "the last "
      "step: the goal is not reached.");
  EXPECT_EQ(browser.text("[data-fact=domain]"), "refused");
  const auto cell = [&](int step, int column) {
    return browser.text("[data-course='" + std::to_string(step) + "'] > :nth-child(" +
                        std::to_string(column) + ")");
  };
  EXPECT_EQ(cell(1, 2), "x = 1litreward -1");
  EXPECT_EQ(cell(1, 3), "x = 1litreward -1");
  EXPECT_EQ(cell(2, 1), "2gothey diverge here");
  EXPECT_EQ(cell(2, 2), "x = 2reward -1");
  EXPECT_EQ(cell(2, 3), "x = 1reward -1");
  EXPECT_EQ(cell(3, 2), "x = 3reward -1");
  EXPECT_EQ(cell(3, 3), "x = 1reward -1");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#courses-table tr.apart').length"), 2);
  browser.press("End");
  EXPECT_EQ(browser.evaluate("document.querySelector('#courses-table [aria-current=true]').dataset.course"),
            "3");
  browser.resize(390, 844);
  EXPECT_TRUE(browser.comes_true("innerWidth === 390 && document.documentElement.scrollWidth === 390"));
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

// With a picture, there are two of them; where model and domain are the same, that is said.
TEST(ReportPage, ShowsBothCoursesAsPictures) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("navigation", "3x3");
  page->solve();
  const std::string domains = BNNPLAN_SOURCE_DIR "/domains/", file = (page->folder / "page.html").string();
  ASSERT_EQ(run_bnnplan({"report", (page->folder / "problem.toml").string(),
                         (page->folder / "plan.json").string(), "--domain", domains + "navigation.rddl",
                         "--instance", domains + "navigation_3x3.rddl", "-o", file})
                .exit_code,
            0);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.text("#courses-say"),
            "The world does what the plan says, after every step. The reward is -4, as promised.");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#courses figure svg').length"), 2);
  browser.press("End");
  EXPECT_EQ(browser.text("#courses figure:first-child figcaption"), "Promise, step 4");
  EXPECT_EQ(browser.text("#courses figure:last-child figcaption"), "World, step 4");
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#courses-table .apart').length"), 0);
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, SpeaksOfTheRewardThatIsMaximised) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string problem = folder.write(
      "gain.toml",
      "horizon = 3\nmaximize = \"12 x'\"\ntransitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\nx = "
      "\"bool\"\n[initial]\nx = false\n");
  const std::string plan = (folder / "p.json").string(), file = (folder / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  ASSERT_EQ(run_bnnplan({"report", problem, plan, "-o", file}).exit_code, 0);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.text("[data-fact=worth]"), "36");
  EXPECT_NE(browser.text("#answer").find("that none has a reward above 36 is not proved here."),
            std::string::npos);
  EXPECT_EQ(browser.text("[data-fact=bound]"), "36");
  browser.press("End");
  EXPECT_EQ(browser.text("#spent"), "36");
  const std::string all = browser.evaluate("document.getElementById('page').innerText");
  EXPECT_EQ(all.find("cost"), std::string::npos) << all;
  EXPECT_EQ(all.find("Cost"), std::string::npos) << all;
  EXPECT_EQ(all.find("-36"), std::string::npos) << all;
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, LightDarkPhoneAndPaper) {
  BNNPLAN_NEEDS_CHROMIUM();
  const auto page = Page::of_domain("navigation", "8x8");
  page->solve();
  const std::string file = page->write();
  Browser browser;
  browser.emulate("", "light");
  browser.open(file);
  const std::string theme = "document.documentElement.dataset.theme";
  const std::string background = "getComputedStyle(document.body).backgroundColor";
  EXPECT_EQ(browser.evaluate(theme), "light");
  const json light = browser.evaluate(background);
  browser.emulate("", "dark");
  EXPECT_TRUE(browser.comes_true(theme + " === 'dark'"));
  EXPECT_NE(browser.evaluate(background), light);
  browser.press("t");
  EXPECT_EQ(browser.evaluate(theme), "light") << "the choice of the reader wins";
  browser.resize(390, 844);
  EXPECT_TRUE(browser.comes_true("innerWidth === 390 && document.documentElement.scrollWidth === 390"))
      << "nothing sticks out on a phone";
  browser.resize(1200, 900);
  browser.emulate("print", "light");
  EXPECT_EQ(browser.evaluate("getComputedStyle(document.getElementById('player')).display"), "none");
  const std::string pdf = browser.call("Page.printToPDF", {{"printBackground", true}})["data"];
  EXPECT_GT(pdf.size(), 20'000u);
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

TEST(ReportPage, NamesCannotBreakOut) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string problem =
      folder.write("evil.toml", R"(name = "</script><script>window.broken = 1</script>"
horizon = 2
minimize = "`<img src=x onerror=window.broken=2>`"
transitions = ["`a </script>`' == `<img src=x onerror=window.broken=2>`"]
[action]
"<img src=x onerror=window.broken=2>" = "bool"
[state]
"a </script>" = "bool"
[initial]
"a </script>" = true
)");
  const std::string plan = (folder / "p.json").string(), file = (folder / "page.html").string();
  ASSERT_EQ(run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  ASSERT_EQ(run_bnnplan({"report", problem, plan, "-o", file}).exit_code, 0);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.evaluate("document.documentElement.dataset.ready"), "yes");
  EXPECT_TRUE(browser.evaluate("window.broken === undefined").get<bool>());
  EXPECT_EQ(browser.text("h1"), "</script><script>window.broken = 1</script>");
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
  EXPECT_TRUE(browser.requests().empty());
}

TEST(ReportPage, ShowsAResultWithoutAPlan) {
  BNNPLAN_NEEDS_CHROMIUM();
  const TemporaryFolder folder;
  const std::string problem = BNNPLAN_SOURCE_DIR "/models/corridor.toml",
                    file = (folder / "page.html").string();
  const ProgramResult none = run_bnnplan({"plan", problem, "-H", "3", "--json"});
  ASSERT_EQ(none.exit_code, 20);
  ASSERT_EQ(run_bnnplan({"report", problem, folder.write("none.json", none.output), "-o", file}).exit_code,
            0);
  Browser browser;
  browser.open(file);
  EXPECT_EQ(browser.text("#status"), "claims: infeasible");
  EXPECT_NE(browser.text("#answer").find(
                "The file claims: infeasible. That there is no plan of 3 steps is not proved here."),
            std::string::npos);
  EXPECT_TRUE(browser.evaluate("document.getElementById('player').hidden").get<bool>());
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
}

}  // namespace
}  // namespace bnnplan::reporting
