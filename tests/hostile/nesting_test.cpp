// Input nested far deeper than any stack: refused in one line, never a stack overflow.
#include <gtest/gtest.h>

#include "attack.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::testing {
namespace {

constexpr std::size_t deep = 100'000, deeper = 3'000'000;

class Nesting : public ::testing::Test {
 protected:
  Attack info(std::string_view name, const std::string& text) {
    return attack({"info", folder_.write(name, text)});
  }
  TemporaryFolder folder_;
};

TEST_F(Nesting, Toml) {
  for (const std::size_t n : {deep, deeper}) {
    expect_refused(info("p.toml", "x = " + repeated("[", n)), "p.toml:1:");
    expect_refused(info("p.toml", "x = " + repeated("{a=", n)), "p.toml:1:");
    for (const std::string& text :
         {"a" + repeated(".a", n) + " = 1\n", "[a" + repeated(".a", n) + "]\n",
          "[[a" + repeated(".a", n) + "]]\n", "x = {a" + repeated(".a", n) + " = 1}\n",
          "x." + repeated("\"a.#'\".'b\"'.", n) + "c = 1\n"})
      expect_refused(info("p.toml", "# a comment.\ny = '''\n.'''\n" + text + small),
                     "p.toml:4: a key of more than 100 parts");
  }
}

TEST_F(Nesting, TomlThatOnlyLooksDeep) {
  const std::string dots = repeated(".", 1000);
  const std::string text = "name = \"\"\"\n" + dots + "\\\"\"\"\"\n# " + dots +
                           "\nminimize = '0'\nhorizon = 3 # " + dots + "\nconstraints = [\"1.5 x >= 0.5\", " +
                           repeated("\"0.1 x >= 0.0\", ", 200) + "]\n";
  EXPECT_EQ(info("p.toml", text + small).exit_code, 0);
}

TEST_F(Nesting, Expressions) {
  for (const std::size_t n : {deep, deeper}) {
    for (const char* sign : {"(", "-", "- ", "~", "a[", "+ "})
      expect_refused(info("p.toml", "constraints = [\"" + repeated(sign, n) + "x >= 0\"]\n" + small),
                     "p.toml:1: ");
  }
}

TEST_F(Nesting, Plans) {
  const std::string corridor = models + "corridor.toml", page = (folder_ / "page.html").string();
  for (const std::size_t n : {deep, deeper}) {
    const std::string open = repeated("[", n), close = repeated("]", n);
    for (const std::string& text :
         {"{\"steps\":" + open, "{\"steps\":" + open + close + "}", repeated("{\"a\":", n),
          "{\"steps\":[{\"actions\":{\"right\":" + open + close + "}}]}",
          "{\"cost\":" + open + close + ",\"steps\":[]}",
          "{\"other\":" + open + close + ",\"steps\":[{}]}"}) {
      const std::string file = folder_.write("p.json", text);
      for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", file},
                                                        {"check", corridor, file},
                                                        {"report", corridor, file, "-o", page}})
        expect_refused(attack(arguments), "p.json: nested deeper than 64 levels");
    }
  }
  EXPECT_FALSE(std::filesystem::exists(page));
}

TEST_F(Nesting, Rddl) {
  std::string domain = read_text_file(domains + "navigation.rddl");
  domain.resize(domain.find("reward ="));
  for (const std::size_t n : {deep, std::size_t{300'000}}) {
    for (const char* text :
         {"(", "[", "-", "~", "if (", "if (true) then ", "forall_{?x : xpos} ", "exists_{?x : xpos} [",
          "sum_{?x : xpos} ", "abs[", "true => ", "switch (a) { case @b : "}) {
      const std::string file = folder_.write("d.rddl", domain + "reward = " + repeated(text, n) + "1;\n};\n");
      expect_refused(attack({"compile", file, domains + "navigation_3x3.rddl", "-o", "-"}), "d.rddl:", 700);
    }
  }
  // Comments do not nest.
  const std::string file =
      folder_.write("d.rddl", domain + "reward = " + repeated("/* ", deep) + " */ 1;\n};\n");
  EXPECT_EQ(attack({"compile", file, domains + "navigation_3x3.rddl", "-o", "-"}).exit_code, 0);
}

}  // namespace
}  // namespace bnnplan::testing
