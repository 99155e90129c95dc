// Very long lines, very many small things, and little files that become large ones: linear time, memory
// within a few times the file, or refused. Here with 8 MB and more; docs/trust.md has what 1 GB took.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "attack.hpp"

namespace bnnplan::testing {
namespace {

constexpr std::size_t size = 8 << 20;

class LongLine : public ::testing::Test {
 protected:
  std::string file(std::string_view name, const std::string& text) const { return folder_.write(name, text); }
  TemporaryFolder folder_;
};

TEST_F(LongLine, Problem) {
  const auto info = [&](const std::string& text) { return attack({"info", file("p.toml", text)}); };
  EXPECT_EQ(info("name = \"" + repeated("a", size) + "\"\n" + small).exit_code, 0);
  EXPECT_EQ(info("constraints = [\"x" + repeated(" + x", size / 4) + " >= 0\"]\n" + small).exit_code, 0);
  expect_refused(info("constraints = [\"" + repeated("1", size) + " x >= 0\"]\n" + small), "too large");
  expect_refused(info(small + repeated("y", size) + " = \"bool\"\n"), "nothing defines how state 'yyy");
  expect_refused(info("constraints = [\"" + repeated("y", size) + " >= 0\"]\n" + small),
                 "unknown variable 'yyy");
  expect_refused(info(small + "[view]\nkind = 'grid'\n" + repeated("w", size) + " = 1\n"),
                 "unknown key 'www");
  std::string nodes, links;
  for (int i = 0; i < 30'000; ++i) {
    nodes += fmt::format("{{name = '{}'}},", i);
    links += fmt::format("['{}', '{}'],", i, 29'999 - i);
  }
  EXPECT_EQ(
      info(small + "[view]\nkind = 'graph'\nnodes = [" + nodes + "]\nlinks = [" + links + "]\n").exit_code,
      0);
}

TEST_F(LongLine, Network) {
  const auto info = [&](const std::string& text) { return attack({"info", file("n.bnn", text)}); };
  expect_refused(info("bnn 1\nshape 1:1\ninputs\n" + repeated("a", size) + "\n"), "n.bnn:4: the file ends");
  expect_refused(info("bnn 1\nshape 1:1\ninputs\na\noutputs\nb'\nlayer\n" + repeated("+", size) + " >= 1\n"),
                 "8388608 weights");
  expect_refused(info("bnn 1\nshape 1" + repeated(":1", size / 2) + "\n"), "n.bnn:2: the file ends");
}

TEST_F(LongLine, Plan) {
  const auto check = [&](const std::string& text) {
    return attack({"check", corridor, file("p.json", text)});
  };
  expect_refused(check("{\"steps\":[{\"actions\":{\"" + repeated("r", size) + "\":1}}]}"),
                 "unknown action variable");
  expect_refused(check("{\"steps\":[{\"actions\":{\"right\":\"" + repeated("1", size) + "\"}}]}"),
                 "bad value");
  expect_refused(check("{\"steps\":[{\"actions\":{\"right\":" + repeated("1", size) + "}}]}"),
                 "p.json:1: not JSON: number overflow");
  // A quadratic reader takes minutes for these.
  expect_refused(
      check("{\"x\":[1" + repeated(",1", size / 4) + "],\"steps\":[{}" + repeated(",{}", 1'000'000) + "]}"),
      "1000001 steps, expected at most 1000000");
  std::string keys;
  for (int i = 0; i < 300'000; ++i) keys += fmt::format("\"{}\":1,", i);
  expect_refused(check("{" + keys + "\"steps\":3}"), "\"steps\" is not an array");
  expect_refused(check("{" + keys + "\"7\":3}"), "duplicate key '7'");
}

TEST_F(LongLine, Formula) {
  const auto maxsat = [&](const std::string& text) { return attack({"maxsat", file("f.wcnf", text)}); };
  EXPECT_EQ(maxsat("c " + repeated("a", 64 << 20) + "\nh 1 0\n").exit_code, 30);
  EXPECT_EQ(maxsat("h " + repeated("1 ", size / 2) + "0\n").exit_code, 30);
  expect_refused(maxsat("h " + repeated("1", size) + " 0\n"), "f.wcnf:1: a number of 2^64 or more");
  expect_refused(maxsat("h" + repeated("1", size) + " 0\n"), "f.wcnf:1: expected 'h' and a blank");
}

TEST_F(LongLine, SolverAnswer) {
  const auto decode = [&](const std::string& text) {
    return attack({"decode", corridor, file("a.txt", text)});
  };
  expect_refused(decode("s OPTIMUM FOUND\nv " + repeated("1 ", size / 2) + "\n"), "the answer is not a plan",
                 100);
  expect_refused(decode("s OPTIMUM FOUND\nv " + repeated("1", size) + "\n"), "the answer is not a plan", 100);
  expect_refused(decode("s OPTIMUM FOUND\nv " + repeated("-1 ", size / 3) + "0\n"),
                 "the answer is not a plan", 100);
  expect_refused(decode("s OPTIMUM FOUND\n" + repeated("v 1\n", size / 4)), "the answer is not a plan", 200);
  expect_refused(decode("o " + repeated("1", size) + "\n"), "bad value");
  expect_refused(decode("s " + repeated("1", size) + "\n"), "unknown status");
  expect_refused(decode("v " + repeated("y", size) + "\n"), "bad literal");
}

TEST_F(LongLine, ProofAndItsFormula) {
  const std::string opb = file("f.opb", "min: 1 x1 ;\n1 x1 1 x2 >= 1 ;\n"),
                    head = "pseudo-Boolean proof version 1.2\nf 1\n";
  const auto check = [&](const std::string& proof) {
    return attack({"check-proof", opb, file("p.pbp", proof)});
  };
  for (const std::string& words :
       {"rup " + repeated("1 x1 ", size / 4), "del id " + repeated("1 ", size / 2)}) {
    const Attack refused = check(head + words + "\n");
    expect_harmless(refused, 150);
    EXPECT_EQ(refused.exit_code, 20);
    EXPECT_NE(refused.output.find("line 3: a statement of more than 1000008 words"), std::string::npos)
        << refused.output;
  }
  EXPECT_EQ(check(head + "* " + repeated("1", size) + "\n").exit_code, 20);
  EXPECT_EQ(check(head + "rup " + repeated("1", size) + " x1 >= 1 ;\n").exit_code, 20);
  const std::string proof = file("p.pbp", head);
  const auto formula = [&](const std::string& text) {
    return attack({"check-proof", file("g.opb", text), proof});
  };
  expect_harmless(formula("* " + repeated("1", size) + "\n1 x1 >= 1 ;\n"));
  expect_harmless(formula("1 x1" + repeated(" 1 x1", size / 5) + " >= 1 ;\n"));
  expect_refused(formula(repeated("1", size) + " x1 >= 1 ;\n"), "does not fit into 64 bits");
}

TEST_F(LongLine, DataSet) {
  const auto learn = [&](const std::string& text) {
    return attack({"learn", file("d.csv", text), "--hidden", "2", "--epochs", "1", "--quiet", "-o", "-"});
  };
  expect_refused(learn(repeated("a", size) + "\n1,1\n"), "no output column");
  expect_refused(learn("a,b'\n1" + repeated(",1", size / 2) + "\n"), "4194305 values, expected 2");
  expect_refused(learn("a,b'\n" + repeated("1", size) + ",1\n"), "'111");
}

TEST_F(LongLine, Rddl) {
  const auto compile = [&](const std::string& text) {
    return attack({"compile", file("d.rddl", text), domains + "navigation_3x3.rddl", "-o", "-"});
  };
  expect_refused(compile("domain " + repeated("a", size) + " }"), "d.rddl:1");
  expect_refused(compile("/* " + repeated("a", size)), "unterminated comment");
  expect_refused(compile("domain x { requirements = { a" + repeated(", a", size / 4) + " }; }"),
                 "too large: more than 2000000 tokens", 700);
}

// A file of a few kilobytes that is gigabytes when it is unpacked.
std::string bomb(const TemporaryFolder& folder, const std::string& name, const std::string& head,
                 const std::string& unit, std::size_t bytes) {
  const std::string path = (folder / name).string();
  const std::string block = repeated(unit, (1 << 20) / unit.size());
  gzFile file = ::gzopen(path.c_str(), "wb1");
  ::gzwrite(file, head.data(), static_cast<unsigned>(head.size()));
  for (std::size_t written = 0; written < bytes; written += block.size())
    ::gzwrite(file, block.data(), static_cast<unsigned>(block.size()));
  ::gzclose(file);
  return path;
}

TEST_F(LongLine, GzipBomb) {
  expect_refused(attack({"info", bomb(folder_, "p.toml.gz", "# ", "a", 80 << 20)}),
                 "p.toml.gz: too large: more than 67108864 bytes for a problem file", 400);
  EXPECT_EQ(attack({"maxsat", bomb(folder_, "f.wcnf.gz", "h 1 0\nc ", "a", 200 << 20)}).exit_code, 30);
}

TEST_F(LongLine, HugeFileOfNothing) {
  const std::string path = file("sparse.toml", "");
  if (::truncate(path.c_str(), off_t{1} << 40) != 0) GTEST_SKIP() << "no file of a terabyte here";
  expect_refused(attack({"info", path}), "sparse.toml: too large: more than 1073741824 bytes", 100);
}

}  // namespace
}  // namespace bnnplan::testing
