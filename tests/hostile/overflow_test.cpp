// Numbers at and beyond the ends of 64 bits, with a thousand digits, with absurd exponents, in every place
// where a number can stand. Wherever the run ends, it is not in an overflow (the sanitizer build would say
// so), a crash or an internal error; and where the result must be a refusal, it is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "attack.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::testing {
namespace {

const std::vector<std::string>& numbers() {
  static const std::vector<std::string> list = {"9223372036854775807",
                                                "-9223372036854775808",
                                                "9223372036854775808",

                                                "2305843009213693951",
                                                "1" + std::string(1000, '1'),
                                                "0." + std::string(1000, '1'),
                                                "1e999999999",
                                                "1e-999999999",
                                                "1e18",
                                                "1e-1000",
                                                "99999999999999999999999e99999999999999999999"};
  return list;
}

class Overflow : public ::testing::TestWithParam<std::size_t> {
 protected:
  std::string file(std::string_view name, const std::string& text) const { return folder_.write(name, text); }
  const std::string& number() const { return numbers()[GetParam()]; }
  TemporaryFolder folder_;
};

TEST_P(Overflow, Expressions) {
  const std::string rest =
      "horizon = 3\ntransitions = [\"x' == x\"]\n[action]\na = \"bool\"\n[state]\nx = \"bool\"\n";
  const bool negative = number()[0] == '-';
  const std::string n = (negative ? "- " : "") + number().substr(negative ? 1 : 0);
  for (const std::string& text :
       {fmt::format("minimize = \"{} a + x'\"\n", n), fmt::format("maximize = \"{} a\"\n", n),
        fmt::format("minimize = \"a + {}\"\n", n),
        fmt::format("constraints = [\"{0} a + x >= {0}\", \"a < {0}\", \"a > {0}\", \"{0} ~a == 0\"]\n", n),
        fmt::format("goal = [\"{0} x <= {0}\"]\n", n)}) {
    const std::string problem = file("p.toml", text + rest);
    for (const char* engine : {"search", "maxsat"})
      expect_harmless(attack({"plan", problem, "--engine", engine}));
    expect_harmless(attack({"encode", problem, "--to", "mps", "-o", "-"}));
  }
  const Attack cost = attack({"plan", file("p.toml", fmt::format("minimize = \"{} a\"\n", n) + rest), "-H",
                              "1000000", "--engine", "search"});
  if (number() != "1e18" && number() != "2305843009213693951") {
    expect_refused(cost, "too large");
  } else {
    expect_refused(cost, "the objective is too large: its sum over all steps does not fit into 62 bits");
  }
}

TEST_P(Overflow, ValuesAndPlans) {
  const std::string head =
      "transitions = [\"y' == y\"]\n[state]\ny = { bits = 32, signed = true, scale = 9 }\n[initial]\ny = ";
  expect_harmless(attack({"info", file("p.toml", head + "\"" + number() + "\"\n")}));
  expect_harmless(attack({"info", file("p.toml", head + number() + "\n")}));
  for (const std::string& text :
       {fmt::format("{{\"steps\":[{{\"actions\":{{\"right\":{0}}}}}], \"cost\":{0}}}", number()),
        fmt::format("{{\"steps\":[{{\"actions\":{{\"right\":\"{0}\"}}}}]}}", number())}) {
    expect_refused(attack({"check", corridor, file("p.json", text)}), "p.json:");
    expect_harmless(attack({"info", file("p.json", text)}));
  }
  expect_harmless(attack({"encode", corridor, "--to", "cnf", "--cost-at-most", number(), "-o", "-"}));
}

TEST_P(Overflow, Formulas) {
  const std::string n = number();
  expect_harmless(attack({"maxsat", file("f.wcnf", fmt::format("h 1 2 0\n{0} -1 0\n{0} -2 0\n", n))}));
  expect_harmless(
      attack({"maxsat", file("f.wcnf", fmt::format("p wcnf 2 3 {0}\n{0} 1 2 0\n1 -1 0\n1 -2 0\n", n))}));
  const Attack variable = attack({"maxsat", file("f.wcnf", fmt::format("h {} 0\n", n))});
  const bool is_variable = n.size() <= 20 && n.find_first_not_of("-0123456789") == std::string::npos;
  if (is_variable) {
    EXPECT_EQ(variable.exit_code, 0) << n;
    EXPECT_TRUE(variable.output.ends_with("\ns UNKNOWN\n")) << variable.output;
  } else {
    expect_refused(variable, "f.wcnf:1:");
  }
  const std::string opb =
      file("f.opb", fmt::format("min: {0} x1 {0} x2 ;\n{0} x1 {0} ~x2 >= {0} ;\n{0} x1 = {0} ;\n", n));
  expect_harmless(
      attack({"check-proof", opb, file("p.pbp", "pseudo-Boolean proof version 1.2\nf 3\no x1 x2\n")}));
  const std::string plain = file("g.opb", "min: 1 x1 1 x2 ;\n1 x1 1 x2 >= 1 ;\n");
  for (const std::string& proof :
       {fmt::format("1.2\nf 1\no x1 ~x2\nrup {0} x1 {0} ~x2 >= {0} ;\nc 4\n", n),
        fmt::format("1.2\nf {0}\n", n), fmt::format("1.2\nf 1\ndel id {0}\n", n),
        fmt::format("1.2\nf 1\nc {0}\n", n), fmt::format("1.2\nf 1\no x{0}\n", n),
        fmt::format("3.0;\nf 1;\nsoli x1 ~x2;\noutput NONE;\nconclusion BOUNDS {0} : {0} {0};\n", n)}) {
    const Attack checked =
        attack({"check-proof", plain, file("p.pbp", "pseudo-Boolean proof version " + proof)});
    EXPECT_EQ(checked.exit_code, 20) << proof << checked.errors;
  }
}

TEST_P(Overflow, AnswersNetworksAndData) {
  const std::string n = number();
  expect_refused(attack({"decode", corridor,
                         file("a.txt", fmt::format("o {0}\ns OPTIMUM FOUND\nv {0} -{0} x{0} 0\n", n))}),
                 "a.txt:");
  expect_harmless(
      attack({"decode", corridor,
              file("a.txt", fmt::format("Optimal - objective value {0}\n0 x{0} {0} 0\n0 x1 {0} 0\n", n))}));
  expect_refused(
      attack(
          {"info",
           file("n.bnn", fmt::format("bnn 1\nshape 1:1\ninputs\na\noutputs\nb'\nlayer\n+ >= {}\nend\n", n))}),
      "n.bnn:8:");
  for (const char* bits : {"a=1", "a=32", "a=32s"})
    expect_refused(attack({"learn", file("d.csv", fmt::format("a,c'\n{},1\n", n)), "--hidden", "1", "--bits",
                           bits, "-o", "-"}),
                   "d.csv:2:");
}

TEST_P(Overflow, Rddl) {
  std::string domain = read_text_file(domains + "inventory.rddl");
  domain.resize(domain.find("reward ="));
  for (const char* form : {"{0}", "({0}) * ({0}) * ({0})", "1 / ({0})", "({0}) / 3", "mod[{0}, 7]",
                           "div[{0}, -1]", "abs[{0}] + {0}"}) {
    const std::string text = fmt::format(fmt::runtime(form), number());
    const std::string file_name = file("d.rddl", domain + "reward = " + text + ";\n};\n");
    expect_harmless(attack({"compile", file_name, domains + "inventory_2.rddl", "-o", "-"}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Overflow, ::testing::Range(std::size_t{0}, numbers().size()));

TEST(OverflowOfWeights, TheirSumIsRefusedAtItsLine) {
  const TemporaryFolder folder;
  const std::string large = "9223372036854775807";

  const std::string twice = "h 1 0\n" + large + " -1 0\n" + large + " -2 0\n";
  expect_refused(attack({"maxsat", folder.write("f.wcnf", twice + "1 -3 0\n")}),
                 "f.wcnf:4: the soft weights sum up to 2^64 - 1 or more here");
  EXPECT_EQ(attack({"maxsat", folder.write("f.wcnf", twice + "0 -3 0\n")}).exit_code, 30);
}

TEST(OverflowOfWeights, AnObjectiveOfTooManyDecimals) {
  const TemporaryFolder folder;
  const std::string rest =
      "horizon = 1\ntransitions = [\"x' == x\"]\n[action]\na = \"bool\"\n[state]\nx = \"bool\"\n";
  expect_refused(
      attack({"encode", folder.write("p.toml", "minimize = \"1e-19 a\"\n" + rest), "--to", "opb", "-o", "-"}),
      "p.toml:1: a coefficient or a sum of them is too large");
  EXPECT_EQ(
      attack({"encode", folder.write("p.toml", "minimize = \"1e-18 a\"\n" + rest), "--to", "opb", "-o", "-"})
          .exit_code,
      0);
}

}  // namespace
}  // namespace bnnplan::testing
