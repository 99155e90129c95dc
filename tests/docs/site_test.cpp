// The project's pages (tools/make-site), looked at in a real browser; the animated plan (tools/animate-plan);
// and the script that runs the transcripts of the docs, which must notice when a page is wrong.
#include <filesystem>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "support/browser.hpp"
#include "support/run_bnnplan.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan {
namespace {

using testing::ProgramResult;
using testing::run_program;
using testing::TemporaryFolder;

const std::string source = BNNPLAN_SOURCE_DIR;

ProgramResult python(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), BNNPLAN_PYTHON);
  return run_program(arguments);
}

bool has_markdown() { return python({"-c", "import markdown"}).exit_code == 0; }

#define BNNPLAN_NEEDS_MARKDOWN() \
  if (!has_markdown()) GTEST_SKIP() << "python3-markdown is not installed (make test-deps)"

// Pages but for those of plans, which tests/report looks at.
std::vector<std::filesystem::path> pages_of(const std::filesystem::path& site) {
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(site)) {
    if (entry.path().extension() == ".html" && entry.path().parent_path().filename() != "plans")
      pages.push_back(entry.path());
  }
  return pages;
}

void expect_every_link_leads_somewhere(const std::filesystem::path& site) {
  std::size_t links = 0;
  const std::regex link("(?:href|src)=\"([^\"#]+)(?:#[^\"]*)?\"");
  for (const std::filesystem::path& page : pages_of(site)) {
    const std::string text = read_text_file(page);
    for (std::sregex_iterator it(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != std::string::npos) continue;
      ++links;
      EXPECT_TRUE(std::filesystem::exists(page.parent_path() / target))
          << page.filename() << " links to " << target;
    }
  }
  EXPECT_GT(links, 200u);
}

void expect_all_plans_of_the_shipped_problems(const std::filesystem::path& site) {
  const std::string gallery = read_text_file(site / "gallery.html");
  std::size_t problems = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source + "/models")) {
    if (entry.path().extension() != ".toml") continue;
    ++problems;
    const std::string page = "plans/" + entry.path().stem().string() + ".html";
    EXPECT_NE(gallery.find(page), std::string::npos) << page;
    EXPECT_TRUE(std::filesystem::exists(site / page)) << page;
  }
  EXPECT_GT(problems, 10u);
}

void expect_readable_in_light_in_dark_and_on_a_phone(const std::filesystem::path& site) {
  testing::Browser browser;
  browser.open((site / "index.html").string());
  EXPECT_EQ(browser.text("h1"), "bnnplan");
  EXPECT_TRUE(browser.comes_true("[...document.images].every((image) => image.naturalWidth > 0)"));
  browser.emulate("", "light");
  const std::string background = "getComputedStyle(document.body).backgroundColor";
  const auto light = browser.evaluate(background);
  browser.emulate("", "dark");
  EXPECT_TRUE(browser.comes_true(background + " !== '" + light.get<std::string>() + "'"));
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
  browser.resize(390, 844);
  for (const std::filesystem::path& page : pages_of(site)) {
    browser.open(page.string());
    EXPECT_TRUE(browser.evaluate("document.documentElement.scrollWidth <= 390").get<bool>())
        << page.filename() << " is wider than a phone";
  }
}

TEST(Site, IsWholeAndReadable) {
  BNNPLAN_NEEDS_MARKDOWN();
  const TemporaryFolder folder;
  const std::filesystem::path site = folder.path() / "site";
  const ProgramResult made = python({source + "/tools/make-site", "--bnnplan", BNNPLAN_PROGRAM, "-o", site});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_GT(pages_of(site).size(), 25u);
  expect_every_link_leads_somewhere(site);
  expect_all_plans_of_the_shipped_problems(site);
  BNNPLAN_NEEDS_CHROMIUM();
  expect_readable_in_light_in_dark_and_on_a_phone(site);
}

TEST(Site, DoesNotReplaceAFolderThatIsNoSite) {
  BNNPLAN_NEEDS_MARKDOWN();
  const TemporaryFolder other;
  other.write("thesis.txt", "all my work");
  const ProgramResult result =
      python({source + "/tools/make-site", "--bnnplan", BNNPLAN_PROGRAM, "-o", other.path().string()});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.errors.find("is not a site"), std::string::npos) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(other.path() / "thesis.txt"));
}

TEST(AnimatePlan, ThePictureOfTheReadmeIsThatOfTheProgramsPlan) {
  const TemporaryFolder folder;
  const std::string problem = source + "/models/cellda_8x8.toml", plan = folder.path() / "plan.json",
                    picture = folder.path() / "plan.svg";
  ASSERT_EQ(testing::run_bnnplan({"plan", problem, "-o", plan}).exit_code, 0);
  const ProgramResult drawn = python({source + "/tools/animate-plan", problem, plan, picture});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.errors;
  EXPECT_EQ(read_text_file(picture), read_text_file(source + "/docs/images/plan.svg"));
}

TEST(AnimatePlan, SaysWhatItCannotDraw) {
  const TemporaryFolder folder;
  const std::string plan = folder.path() / "plan.json", picture = folder.path() / "plan.svg";
  folder.write("plan.json", R"({"steps": null})");
  const ProgramResult no_plan =
      python({source + "/tools/animate-plan", source + "/models/cellda_x.toml", plan, picture});
  EXPECT_NE(no_plan.exit_code, 0);
  EXPECT_NE(no_plan.errors.find("has no steps, expected a plan"), std::string::npos) << no_plan.errors;
  const ProgramResult no_grid =
      python({source + "/tools/animate-plan", source + "/models/inventory_2.toml", plan, picture});
  EXPECT_NE(no_grid.errors.find("has no [view] of kind \"grid\""), std::string::npos) << no_grid.errors;
  EXPECT_FALSE(std::filesystem::exists(picture));
}

// The script on a page of our own.
ProgramResult run_page(const TemporaryFolder& folder, const std::string& page, bool update = false) {
  folder.write("page.md", page);
  std::vector<std::string> command{source + "/tests/docs/run_transcripts.py", "--bnnplan", BNNPLAN_PROGRAM};
  if (update) command.push_back("--update");
  command.push_back(folder.path() / "page.md");
  return python(command);
}

TEST(Transcripts, AreComparedLineByLine) {
  const TemporaryFolder folder;
  const ProgramResult right = run_page(folder,
                                       "# A\n\n    $ echo one; echo 'took 2.5 s'\n    one\n    took 0.1 s\n"
                                       "    $ seq 5\n    1\n    ...\n    5\n\n"
                                       "```console\n$ echo a \\\n  b\na ...\n```\n");
  EXPECT_EQ(right.exit_code, 0) << right.output;
  EXPECT_NE(right.output.find("\n3 passed, 0 failed, 0 skipped\n"), std::string::npos) << right.output;
  for (const char* wrong : {"    $ echo one\n    two\n", "    $ echo one\n",
                            "    $ echo one\n    one\n    two\n", "    $ echo one 1\n    one 2\n",
                            "    $ seq 5\n    1\n    ...\n    4\n", "    $ echo 3 apples\n    4 apples\n"})
    EXPECT_EQ(run_page(folder, wrong).exit_code, 1) << wrong;
}

TEST(Transcripts, WriteFilesRunSetupsAndSkipWhatIsNotThere) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_page(folder,
               "<!-- transcript: file note.txt -->\n```\nhello\n```\n"
               "<!-- transcript: run echo there >> note.txt -->\n"
               "    $ cat note.txt\n    hello\n    there\n"
               "## One\n<!-- transcript: program no-such-program -->\n    $ false\n    x\n"
               "## Two\n<!-- transcript: needs no/such/file -->\n    $ false\n    x\n"
               "## Three\n    $ echo on\n    on\n");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("skipped: no-such-program is not installed"), std::string::npos);
  EXPECT_NE(result.output.find("skipped: no/such/file is not in "), std::string::npos);
  EXPECT_NE(result.output.find("\n2 passed, 0 failed, 2 skipped\n"), std::string::npos) << result.output;
  EXPECT_EQ(run_page(folder, "<!-- transcript: run false -->\n    $ echo\n").exit_code, 1);
  EXPECT_EQ(run_page(folder, "<!-- transcript: file x -->\n\ntext\n\n    $ echo a\n    a\n").exit_code, 1);
  EXPECT_EQ(run_page(folder, "no command at all\n").exit_code, 1);
}

TEST(Transcripts, CanBeWrittenAnew) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_page(folder, "    $ seq 2\n    old\n    $ echo kept\n    ...\n\nend\n", true);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(read_text_file(folder.path() / "page.md"),
            "    $ seq 2\n    1\n    2\n    $ echo kept\n    ...\n\nend\n");
}

}  // namespace
}  // namespace bnnplan
