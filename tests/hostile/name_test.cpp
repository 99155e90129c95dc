// Names made to fool a terminal, a browser or another program: escape codes, line ends, characters that turn
// the direction of writing, the ends of tags and comments.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "attack.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::testing {
namespace {

const std::string turn = "\u202e", nothing = "\u200b", control = "\u009b", separator = "\u2028",
                  mark = "\ufeff";
const std::string script = "</script><script>alert(1)</script>";

// What must not reach a terminal.
void expect_printable(const std::string& text) {
  for (const std::string& bad : {std::string("\x1b"), std::string("\x07"), std::string("\r"),
                                 std::string("\x7f"), turn, nothing, control, separator, mark})
    EXPECT_EQ(text.find(bad), std::string::npos)
        << "byte " << int(static_cast<unsigned char>(bad[0])) << " in " << text;
}

// A problem whose every free text is hostile; the names of variables may have no control characters below
// 0x20.
std::string hostile_problem(const std::string& view) {
  return fmt::format(R"(name = "\u001b[31mred\u0007\r\n* x{0}{1}{2}{3}{4}{5}"
horizon = 2
minimize = "`go{0}{5}`"
goal = ["`at{2}{1}{3}{4}` == 1"]
transitions = ["`at{2}{1}{3}{4}`' == `go{0}{5}`", "n' == n"]
[action]
"go{0}{5}" = "bool"
[state]
"at{2}{1}{3}{4}" = "bool"
n = {{ bits = 3 }}
[initial]
"at{2}{1}{3}{4}" = false
n = 2
[view]
{6})",
                     turn, nothing, control, separator, mark, script, view);
}

std::string views(int which) {
  const std::string bad = "\\u001b[2J" + turn + script;
  switch (which) {
    case 0:
      return fmt::format(
          "kind = 'grid'\nwidth = 2\nheight = 1\nthings = [{{kind = 'agent', name = \"\\u001b[2J\", at = [0, "
          "0]}}, {{kind = 'goal', name = \"{}\", at = [1, 0]}}]\n",
          bad);
    case 1:
      return "kind = 'stock'\nstock = 'n'\n";
    default:
      return fmt::format("kind = 'graph'\nnodes = [{{name = \"{}\"}}, {{name = \"b\\nc\"}}]\n", bad);
  }
}

class Names : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(Names, OnATerminal) {
  for (int view = 0; view < 3; ++view) {
    const std::string problem = folder_.write("p.toml", hostile_problem(views(view)));
    const std::string plan = (folder_ / "plan.json").string();
    const Attack found = attack({"plan", problem, "--picture", "--color", "never", "-o", plan});
    ASSERT_EQ(found.exit_code, 0) << found.errors;
    expect_printable(found.output);
    EXPECT_NE(found.output.find("go\\u{202e}</script>"), std::string::npos) << found.output;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", problem},
          {"info", plan},
          {"check", problem, plan},
          {"encode", problem, "--stats", "--to", "wcnf"},
          {"decode", problem, folder_.write("a.txt", "s OPTIMUM FOUND\nv -1 1 -2 3 0\n")},
          {"check", problem, folder_.write("empty.json", "{\"steps\":[{},{}]}")},
          {"plan", problem, "--engine", "external", "--solver", "/nonexistent/\x1b[31m" + turn,
           "--solver-format", "opb"},
          {"bench", problem, "--engine", "search", "--cold", "--any-core", "-o",
           (folder_ / ("bench" + std::to_string(view))).string()}}) {
      const Attack run = attack(arguments);
      expect_harmless(run);
      expect_printable(run.output);
      expect_printable(run.errors);
    }
  }
}

TEST_F(Names, InErrors) {
  const std::string evil = "\x1b[31m" + turn + nothing;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"info", (folder_ / evil).string()},
        {"info", folder_.write(evil + ".toml", "x")},
        {evil},
        {"plan", "--" + evil},
        {"info", folder_.write("a.toml", "\"\\u001b" + turn + "\" = 1\n")},
        {"info", folder_.write("b.toml", "[state]\n\"a\\u001b\" = \"bool\"\n")},
        {"info", folder_.write("c.bnn", "bnn 1\nshape 1:1\ninputs\n" + evil + "\noutputs\n" + evil +
                                            "\nlayer\n" + evil)},
        {"info", folder_.write("d.bnn", "bnn " + evil)},
        {"check", models + "corridor.toml", folder_.write("e.json", "{\"steps\":[{\"" + turn + "\":1}]}")},
        {"check", models + "corridor.toml", folder_.write("f.json", "{\"" + turn + "\":" + turn)},
        {"maxsat", folder_.write("g.wcnf", evil)},
        {"decode", models + "corridor.toml", folder_.write("h.txt", "s " + evil)},
        {"learn", folder_.write("i.csv", evil + ",b'\n" + evil + ",1\n"), "--hidden", "1", "-o", "-"},
        {"compile", folder_.write("j.rddl", "domain " + evil), folder_.write("k.rddl", ""), "-o", "-"},
        {"check-proof", folder_.write("l.opb", "min: 1 " + evil + " ;"), folder_.write("m.pbp", evil)},
        {"check-proof", folder_.write("n.opb", "1 x1 >= 1 ;"),
         folder_.write("o.pbp", "pseudo-Boolean proof version 1.2\nf 1\n" + evil)},
        {"bench", models + "corridor.toml@" + evil, "-o", (folder_ / "bench").string()}}) {
    const Attack run = attack(arguments);
    EXPECT_NE(run.exit_code, 0);
    expect_harmless(run);
    expect_printable(run.output);
    expect_printable(run.errors);
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n') +
                  std::count(run.output.begin(), run.output.end(), '\n'),
              1)
        << run.errors << run.output;
  }
}

TEST_F(Names, InWrittenFiles) {
  const std::string problem = folder_.write("p.toml", hostile_problem(views(0)));
  for (const char* format : {"wcnf", "wcnf-classic", "cnf", "opb", "lp", "mps", "mzn"}) {
    SCOPED_TRACE(format);
    const Attack written = attack({"encode", problem, "--to", format, "-o", "-"});
    ASSERT_EQ(written.exit_code, 0) << written.errors;
    expect_printable(written.output);
    // The name stays on its own line of comment.
    EXPECT_NE(written.output.find("red\\x07\\x0d\\x0a* x"), std::string::npos);
  }
  // And our own reader of OPB finds nothing strange in it.
  const std::string opb = (folder_ / "p.opb").string(), proof = (folder_ / "p.pbp").string();
  ASSERT_EQ(attack({"encode", problem, "--to", "opb", "-o", opb}).exit_code, 0);
  ASSERT_EQ(attack({"plan", problem, "--engine", "neuron", "--proof", proof}).exit_code, 0);
  EXPECT_EQ(attack({"check-proof", opb, proof}).exit_code, 0);
  EXPECT_EQ(attack({"check-proof", problem, proof}).exit_code, 0);
}

TEST_F(Names, InJsonAndInThePage) {
  const std::string problem = folder_.write("p.toml", hostile_problem(views(0)));
  const std::string plan = (folder_ / ("plan" + turn + "\"'<b>.json")).string(),
                    page = (folder_ / "page.html").string();
  ASSERT_EQ(attack({"plan", problem, "-o", plan}).exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(read_text_file(plan));
  EXPECT_EQ(json["problem"].get<std::string>().find("\x1b[31mred"), 0u);
  EXPECT_TRUE(json["steps"][1]["actions"].contains("go" + turn + script));
  ASSERT_EQ(attack({"report", problem, plan, "-o", page}).exit_code, 0);
  const std::string text = read_text_file(page);
  EXPECT_EQ(text.find("<script>alert"), std::string::npos);
  EXPECT_EQ(text.find("</script><script>"), std::string::npos);
  EXPECT_EQ(text.find("<b>.json"), std::string::npos);
  // A file name that is not text at all.
  const std::string binary = (folder_ / "\xff\xfe.json").string();
  const Attack run = attack({"plan", problem, "-o", binary, "--json", "--engine", "neuron", "--proof",
                             (folder_ / "\xff.pbp").string()});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_FALSE(nlohmann::json::parse(run.output, nullptr, false).is_discarded());
  ASSERT_EQ(attack({"report", problem, binary, "-o", page}).exit_code, 0);
}

}  // namespace
}  // namespace bnnplan::testing
