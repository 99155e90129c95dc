// Sizes that are only declared: 10^9 variables, neurons, steps, threads. They are refused at once, before any
// memory is taken for them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "attack.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan::testing {
namespace {

constexpr const char* billion = "1000000000";

class DeclaredSize : public ::testing::Test {
 protected:
  std::string file(std::string_view name, const std::string& text) const { return folder_.write(name, text); }
  TemporaryFolder folder_;
};

TEST_F(DeclaredSize, Variables) {
  for (const char* text :
       {"p wcnf 9999999999999999999999 1 10\n", "p wcnf 1 1000000000000000000 10\n10 1 0\n"})
    expect_refused(attack({"maxsat", file("f.wcnf", text)}), "f.wcnf:", 50);
  // A formula that another solver may take: the answer is in the protocol.
  for (const char* text :
       {"p wcnf 1000000000 1 10\n10 1 0\n", "p cnf 1000000000 1\n1 0\n", "h 1000000000 0\n"}) {
    const Attack large = attack({"maxsat", file("f.wcnf", text)});
    expect_harmless(large, 50);
    EXPECT_EQ(large.exit_code, 0) << large.errors;
    EXPECT_TRUE(large.output.ends_with(", expected at most 134217728\ns UNKNOWN\n")) << large.output;
  }
  const std::string proof = file("p.pbp", "pseudo-Boolean proof version 1.2\nf 1\n");
  expect_refused(attack({"check-proof", file("f.opb", "1 x1000000000 >= 1 ;\n"), proof}),
                 "f.opb:1: variable 'x1000000000' in a file of 21 bytes, expected at most x1000021", 50);
  expect_refused(attack({"check-proof", file("f.opb", "1 x9999999999999999999 >= 1 ;\n"), proof}),
                 "f.opb:1:", 50);
  EXPECT_EQ(attack({"check-proof",
                    file("f.opb", "* #variable= 1000000000 #constraint= 1\n1 x1000000 >= 1 ;\n"), proof})
                .exit_code,
            20);
  const Attack answer =
      attack({"decode", corridor, file("a.txt", "s OPTIMUM FOUND\nv 1000000000 -999999999 0\n")});
  expect_refused(answer, "the answer is not a plan", 50);
}

TEST_F(DeclaredSize, Steps) {
  const std::string answer = file("a.txt", "s SATISFIABLE\nv 1 0\n");
  for (const char* horizon :
       {billion, "-1", "9223372036854775807", "-9223372036854775808", "99999999999999999999"}) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"plan", corridor},
                                                      {"encode", corridor, "--to", "opb", "-o", "-"},
                                                      {"decode", corridor, answer},
                                                      {"check", corridor, models + "corridor.plan.json"},
                                                      {"check-proof", corridor, answer}}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"-H", horizon});
      const Attack run = attack(all);
      expect_harmless(run, 50);
      EXPECT_EQ(run.exit_code, 1);
      EXPECT_EQ(
          run.errors,
          fmt::format("bnnplan: --horizon: '{}', expected a whole number from 1 to 1000000 (see bnnplan {} "
                      "--help)\n",
                      horizon, arguments[0]));
    }
  }
  expect_refused(
      attack({"info",
              file("p.toml", "horizon = 1000000000\ntransitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n")}),
      "p.toml:1: horizon 1000000000 is out of range", 50);
  // A horizon within the limit, of a network far too large for it.
  const std::string network = models + "sysadmin_10.toml";
  expect_refused(attack({"encode", network, "--to", "opb", "-o", "-", "-H", "1000000"}),
                 "GiB, the machine has", 50);
  expect_refused(attack({"check-proof", network, file("p.pbp", "x"), "-H", "1000000"}),
                 "GiB, the machine has", 50);
  for (const char* engine : {"maxsat", "neuron"}) {
    const Attack run =
        attack({"plan", network, "--engine", engine, "-H", "1000000", "--memory-limit", "200"});
    EXPECT_EQ(run.exit_code, 11) << engine << run.errors;
    expect_harmless(run, 200);
  }
}

TEST_F(DeclaredSize, Networks) {
  const auto info = [&](const std::string& text) { return attack({"info", file("n.bnn", text)}); };
  expect_refused(info("bnn 1\nshape 1000000000:1000000000:1\ninputs\n"),
                 "n.bnn:2: a layer has a width from 1 to 1048576", 50);
  expect_refused(info("bnn 1\nshape 1000000:1000000:1000000\ninputs\na\n"),
                 "expected the name of input 2 of 1000000", 50);
  expect_refused(info("bnn 1\nshape 99999999999999999999:1\n"), "n.bnn:2: a layer has a width", 50);
  expect_refused(attack({"info", file("p.toml", "[state]\nx = { bits = 1000000000 }\n")}),
                 "p.toml:2: bad bits of 'x'", 50);
}

TEST_F(DeclaredSize, OptionsOfTheCommandLine) {
  const std::string data = file("d.csv", "a,b'\n0,1\n1,0\n"), output = (folder_ / "out").string();
  const std::vector<std::string> learn{"learn", data, "-o", output, "--quiet", "--epochs", "1"};
  const std::vector<std::string> simulate{"simulate", domains + "navigation.rddl",
                                          domains + "navigation_3x3.rddl", "-o", output};
  const auto with = [](std::vector<std::string> arguments, std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
    return attack(arguments);
  };
  for (const Attack& run :
       {with({"plan", corridor}, {"--threads", billion}),
        with({"plan", corridor}, {"--memory-limit", "99999999999999999999"}),
        with({"plan", corridor}, {"--time-limit", "1e999999999"}),
        with({"plan", corridor}, {"--time-limit", "nan"}), with(learn, {"--hidden", billion}),
        with(learn, {"--hidden", "2", "--threads", billion}),
        with(learn, {"--hidden", "2", "--restarts", billion}),
        with(simulate, {"--episodes", "1000000000000000000"}),
        with(simulate, {"--steps", "1000000000000000000"}),
        with({"bench", corridor, "-o", output}, {"--repeat", billion})}) {
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    expect_harmless(run, 50);
  }
  expect_refused(with(learn, {"--hidden", "65536,65536,65536,65536,65536,65536"}), "GiB, the machine has",
                 50);
  const Attack deep = with(learn, {"--hidden", repeated("1,", 1000) + "1"});
  expect_harmless(deep, 50);
  EXPECT_EQ(deep.exit_code, 1);
  EXPECT_EQ(deep.errors,
            "bnnplan: --hidden has 1001 layers, expected at most 64 (see bnnplan learn --help)\n");
  expect_refused(with(simulate, {"--bits", "x=1000000000"}), "bad bit count", 50);
  for (const std::string& horizons :
       {std::string("1-1000000000"), std::string("1-99999999999999999999"), repeated("1-10000,", 5000) + "1"})
    expect_refused(attack({"bench", corridor + "@" + horizons, "-o", output}), "bad horizons", 50);
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(DeclaredSize, Rddl) {
  const std::string instance = read_text_file(domains + "sysadmin_4.rddl");
  const auto compile = [&](const std::string& text) {
    return attack({"compile", domains + "sysadmin.rddl", file("i.rddl", text), "-o", "-"});
  };
  std::string long_horizon = instance;
  long_horizon.replace(long_horizon.find("horizon"),
                       long_horizon.find(';', long_horizon.find("horizon")) - long_horizon.find("horizon"),
                       "horizon = 1000000000");
  expect_refused(compile(long_horizon), "horizon 1000000000 is out of range", 50);
  // A hundred thousand computers are ten thousand million pairs of them.
  std::string objects = instance;
  const std::size_t list = objects.find('{', objects.find("objects"));
  const std::size_t first = objects.find('{', list + 1) + 1;
  std::string more;
  for (int i = 0; i < 100'000; ++i) more += fmt::format("q{}, ", i);
  objects.insert(first, more);
  expect_refused(compile(objects), "'LINK' has more than 100000000 instances, expected fewer objects", 100);
}

}  // namespace
}  // namespace bnnplan::testing
