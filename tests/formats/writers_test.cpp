// Golden files: a model small enough to be read, in every format.
#include <gtest/gtest.h>
#include <zlib.h>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/clause_writer.hpp"
#include "bnnplan/formats/lp_writer.hpp"
#include "bnnplan/formats/minizinc_writer.hpp"
#include "bnnplan/formats/mps_writer.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::formats {
namespace {

using testing::TemporaryFolder;

// One step: y' <-> at least 2 of (go, not x, y), x' == x.
// Variables: 1 x@1, 2 y@1, 3 go@1, 4 x@2, 5 y@2.
class Writers : public ::testing::Test {
 protected:
  Writers() {
    folder_.write("n.bnn", "bnn 1\nshape 3:1\ninputs\n go\n x\n y\noutputs\n y'\nlayer\n +-+ >= 2\nend\n");
    const Problem problem = parse_problem(
        "name = \"tiny\"\nhorizon = 1\nnetwork = \"n.bnn\"\nmaximize = \"0.5 y' - go\"\ngoal = [\"2 x + y >= "
        "1\"]\n"
        "constraints = [\"go + x <= 1\"]\ntransitions = [\"x' == x\"]\n[action]\ngo = \"bool\"\n[state]\nx = "
        "\"bool\"\ny = \"bool\"\n"
        "[initial]\nx = false\n",
        "p", folder_.path());
    model_ = model::unroll(problem);
  }

  template <class Write>
  std::string written(Write write) const {
    OutputFile file(folder_ / "out");
    write(file);
    file.commit();
    return read_text_file(folder_ / "out");
  }

  TemporaryFolder folder_;
  model::ZeroOneModel model_;
};

// 2^62 + 2^62 in one row: 2^63 takes 64 bits, as no coefficient does.
TEST_F(Writers, OpbSaysHowManyBitsItsSumsTake) {
  const auto first_line = [&] {
    const std::string text = written([&](OutputFile& file) { write_opb(model_, file); });
    return text.substr(0, text.find('\n'));
  };
  constexpr std::int64_t large = std::int64_t{1} << 62;
  const Lit x = Lit::positive({0}), y = Lit::positive({1}), z = Lit::positive({2});
  model_.rows.push_back({{{{large, x}, {-large, y}}, Comparison::equal, 0}, {model::PartKind::global, 0}});
  EXPECT_EQ(first_line(), "* #variable= 5 #constraint= 7 * #equal= 2 intsize= 4") << "divided: x - y = 0";
  model_.rows.push_back(
      {{{{large, x}, {-large, y}, {1, z}}, Comparison::at_least, 0}, {model::PartKind::global, 0}});
  EXPECT_EQ(first_line(), "* #variable= 5 #constraint= 8 * #equal= 2 intsize= 64");
}

TEST_F(Writers, AreRefusedWhatMemoryHasNoRoomFor) {
  for (const encoding::NeuronEncoding encoding :
       {encoding::NeuronEncoding::automatic, encoding::NeuronEncoding::published}) {
    encoding::LoweringOptions options(encoding);
    options.neurons.most_layer_bytes = 40;
    EXPECT_EQ(testing::input_error_of([&] {
                written([&](OutputFile& file) { write_wcnf(model_, options, file); });
              }).substr(0, 27),
              "layer 1 takes more than 2 c");
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(Writers, Opb) {
  EXPECT_EQ(written([&](OutputFile& file) { write_opb(model_, file); }),
            "* #variable= 5 #constraint= 6 * #equal= 1 intsize= 4\n"
            "* bnnplan: tiny, horizon 1\n"
            "* cost = (value + offset) / scale with offset 0 and scale 10\n"
            "* variables 1 to 5 are those of the problem and its neurons, step by step\n"
            "min: +10 x3 -5 x5 ;\n"
            "-1 x1 >= 0 ;\n"
            "-1 x1 -1 x3 >= -1 ;\n"
            "-1 x1 +1 x4 = 0 ;\n"
            "+2 x4 +1 x5 >= 1 ;\n"
            "-1 x1 +1 x2 +1 x3 -2 x5 >= -1 ;\n"
            "+1 x1 -1 x2 -1 x3 +2 x5 >= 0 ;\n");
}

TEST_F(Writers, Lp) {
  EXPECT_EQ(written([&](OutputFile& file) { write_lp(model_, file); }),
            "\\ bnnplan: tiny, horizon 1\n"
            "\\ cost = (value + offset) / scale with offset 0 and scale 10\n"
            "\\ variables 1 to 5 are those of the problem and its neurons, step by step\n"
            "Minimize\n"
            " obj: + 10 x3 - 5 x5\n"
            "Subject To\n"
            " c1: - 1 x1 >= 0\n"
            " c2: + 1 x1 + 1 x3 <= 1\n"
            " c3: - 1 x1 + 1 x4 = 0\n"
            " c4: + 2 x4 + 1 x5 >= 1\n"
            " c5: - 1 x1 + 1 x2 + 1 x3 - 2 x5 >= -1\n"
            " c6: - 1 x1 + 1 x2 + 1 x3 - 2 x5 <= 0\n"
            "Binary\n"
            " x1 x2 x3 x4 x5\n"
            "End\n");
}

TEST_F(Writers, Mps) {
  EXPECT_EQ(
      written([&](OutputFile& file) { write_mps(model_, file); }),
      "* bnnplan: tiny, horizon 1\n"
      "* cost = (value + offset) / scale with offset 0 and scale 10\n"
      "* variables 1 to 5 are those of the problem and its neurons, step by step\n"
      "NAME          bnnplan\n"
      "ROWS\n N  obj\n G  c1\n L  c2\n E  c3\n G  c4\n G  c5\n L  c6\n"
      "COLUMNS\n"
      "    MARKER                 'MARKER'                 'INTORG'\n"
      "    x1        c1        -1\n"
      "    x1        c2        1\n"
      "    x1        c3        -1\n"
      "    x1        c5        -1\n"
      "    x1        c6        -1\n"
      "    x2        c5        1\n"
      "    x2        c6        1\n"
      "    x3        obj       10\n"
      "    x3        c2        1\n"
      "    x3        c5        1\n"
      "    x3        c6        1\n"
      "    x4        c3        1\n"
      "    x4        c4        2\n"
      "    x5        obj       -5\n"
      "    x5        c4        1\n"
      "    x5        c5        -2\n"
      "    x5        c6        -2\n"
      "    MARKER                 'MARKER'                 'INTEND'\n"
      "RHS\n"
      "    RHS       c2        1\n"
      "    RHS       c4        1\n"
      "    RHS       c5        -1\n"
      "BOUNDS\n BV BND       x1\n BV BND       x2\n BV BND       x3\n BV BND       x4\n BV BND       x5\n"
      "ENDATA\n");
}

TEST_F(Writers, MiniZinc) {
  EXPECT_EQ(written([&](OutputFile& file) { write_minizinc(model_, file); }),
            "% bnnplan: tiny, horizon 1\n"
            "% cost = (value + offset) / scale with offset 0 and scale 10\n"
            "% variables 1 to 5 are those of the problem and its neurons, step by step\n"
            "array[1..5] of var 0..1: x;\n"
            "constraint  - x[1] >= 0;\n"
            "constraint x[1] + x[3] <= 1;\n"
            "constraint  - x[1] + x[4] = 0;\n"
            "constraint 2*x[4] + x[5] >= 1;\n"
            "constraint x[5] = 1 <->  - x[1] + x[2] + x[3] >= 1;\n"
            "solve :: int_search([x[1], x[2], x[3]], input_order, indomain_min) minimize 10*x[3] - 5*x[5];\n"
            "output [\"v \", join(\" \", [show(fix(e)) | e in x]), \"\\n\"];\n");
}

TEST_F(Writers, WcnfBothKindsAndCnf) {
  const encoding::LoweringOptions options;
  const std::string comment =
      "c bnnplan: tiny, horizon 1\n"
      "c cost = (value + offset) / scale with offset -5 and scale 10\n"
      "c variables 1 to 5 are those of the problem and its neurons, step by step\n";
  const std::string modern = written([&](OutputFile& file) { write_wcnf(model_, options, file); });
  EXPECT_EQ(modern.substr(0, comment.size()), comment);
  EXPECT_EQ(modern.substr(comment.size(), 7), "h -1 0\n");
  EXPECT_TRUE(modern.ends_with("10 -3 0\n5 5 0\n")) << modern;
  const std::string classic = written([&](OutputFile& file) { write_wcnf_classic(model_, options, file); });
  // The same clauses with the header's counts and a top above all soft weights.
  std::string expected = modern.substr(comment.size());
  const auto clauses = std::count(expected.begin(), expected.end(), '\n');
  for (std::size_t at = expected.find("h "); at != std::string::npos; at = expected.find("h ", at))
    expected.replace(at, 1, "16");
  EXPECT_EQ(classic, comment + "p wcnf 5 " + std::to_string(clauses) + " 16\n" + expected);
  const std::string cnf = written([&](OutputFile& file) { write_cnf(model_, options, file); });
  EXPECT_NE(cnf.find("p cnf 5 " + std::to_string(clauses - 2) + "\n"), std::string::npos) << cnf;
}

TEST(PlainRow, NormalForm) {
  const Lit a = Lit::positive({0}), b = Lit::positive({1});
  using Terms = std::vector<std::pair<std::int64_t, Var>>;
  const auto check = [](const LinearRow& row, const Terms& terms, std::int64_t bound) {
    const model::PlainRow plain = model::plain_row(row);
    EXPECT_EQ(plain.terms, terms);
    EXPECT_EQ(plain.bound, bound);
  };
  check({{{2, b}, {3, ~a}, {1, b}}, Comparison::at_least, 2}, {{-1, {0}}, {1, {1}}}, 0);  // 3 b - 3 a >= -1
  check({{{6, a}, {4, b}}, Comparison::at_least, 3}, {{3, {0}}, {2, {1}}}, 2);
  check({{{6, a}, {4, b}}, Comparison::at_most, 3}, {{3, {0}}, {2, {1}}}, 1);
  check({{{6, a}, {4, b}}, Comparison::at_most, -3}, {{3, {0}}, {2, {1}}}, -2);
  check({{{6, a}, {4, b}}, Comparison::equal, 4}, {{3, {0}}, {2, {1}}}, 2);
  check({{{-125, a}}, Comparison::equal, -100}, {}, 1);        // cannot hold
  check({{{5, a}, {5, ~a}}, Comparison::at_least, 5}, {}, 0);  // always holds
  EXPECT_EQ(model::plain_row({{{-125, a}}, Comparison::equal, -100}).comparison, Comparison::at_least);
  EXPECT_EQ(model::plain_rows({b, {a}, 0}).size(), 1u) << "constant neurons fix their output";
  EXPECT_EQ(model::plain_rows({b, {a}, 2}).size(), 1u);
}

TEST_F(Writers, CompressedWhenTheNameSaysSo) {
  {
    OutputFile file(folder_ / "m.opb.gz");
    write_opb(model_, file);
    file.commit();
  }
  gzFile compressed = gzopen((folder_ / "m.opb.gz").c_str(), "rb");
  char buffer[4096];
  const int size = gzread(compressed, buffer, sizeof buffer);
  gzclose(compressed);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(size)),
            written([&](OutputFile& file) { write_opb(model_, file); }));
}

TEST_F(Writers, NothingIsLeftWithoutCommit) {
  {
    OutputFile file(folder_ / "half");
    write_opb(model_, file);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "half"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1) << "only the network";
}

TEST_F(Writers, AConstantRowAndAnEmptyObjectiveAreStillLegal) {
  model_.objective.clear();
  model_.rows = {{{{}, Comparison::at_least, 1}, {model::PartKind::global, 0}}};
  model_.neurons.clear();
  EXPECT_NE(written([&](OutputFile& file) { write_opb(model_, file); }).find("+0 x1 >= 1 ;\n"),
            std::string::npos);
  EXPECT_EQ(written([&](OutputFile& file) { write_opb(model_, file); }).find("min:"), std::string::npos);
  EXPECT_NE(written([&](OutputFile& file) { write_lp(model_, file); }).find(" obj: 0 x1\n"),
            std::string::npos);
  EXPECT_NE(written([&](OutputFile& file) { write_lp(model_, file); }).find(" c1: 0 x1 >= 1\n"),
            std::string::npos);
  EXPECT_NE(written([&](OutputFile& file) { write_minizinc(model_, file); }).find("indomain_min) satisfy;\n"),
            std::string::npos);
  EXPECT_NE(written([&](OutputFile& file) { write_wcnf(model_, {}, file); }).find("\nh 0\n"),
            std::string::npos);
}

}  // namespace
}  // namespace bnnplan::formats
