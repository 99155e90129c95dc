// The reader of WCNF files: every format, every liberty it allows, every error with its line.
#include "bnnplan/formats/wcnf_reader.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/formula_families.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::formats {
namespace {

using testing::input_error_of;
using testing::TemporaryFolder;
using testing::WcnfFormat;

void expect_same(const Wcnf& a, const Wcnf& b) {
  const auto equal = [](const ClauseList& x, const ClauseList& y) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_TRUE(std::equal(x[i].begin(), x[i].end(), y[i].begin(), y[i].end())) << i;
    }
  };
  equal(a.hard, b.hard);
  equal(a.soft, b.soft);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.weight_sum, b.weight_sum);
}

void write_gzip(const std::string& file, const std::string& text) {
  const gzFile gzip = ::gzopen(file.c_str(), "wb");
  ASSERT_EQ(::gzwrite(gzip, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ASSERT_EQ(::gzclose(gzip), Z_OK);
}

TEST(WcnfReader, ReadsModernFiles) {
  const Wcnf formula = parse_wcnf("c comment\nh 1 -2 0\n\n  5 3 0 \r\nh 0\nc h 9 0\n0 0\n7 -3 -3 3 0", "f");
  EXPECT_EQ(formula.variables, 3u);
  ASSERT_EQ(formula.hard.size(), 2u);
  EXPECT_EQ(formula.hard[0][0], Lit::positive({0}));
  EXPECT_EQ(formula.hard[0][1], Lit::negative({1}));
  EXPECT_TRUE(formula.hard[1].empty());
  EXPECT_EQ(formula.weights, (std::vector<Weight>{5, 0, 7}));
  EXPECT_TRUE(formula.soft[1].empty());
  EXPECT_EQ(formula.soft[2].size(), 3u);
  EXPECT_EQ(formula.weight_sum, 12u);
}

TEST(WcnfReader, ReadsClassicFiles) {
  const Wcnf formula = parse_wcnf("c x\np wcnf 5 3 10\n10 1\n 2 0 3 -1 0\nc between\n12 3 0\n", "f");
  EXPECT_EQ(formula.variables, 5u);  // as announced, used or not
  EXPECT_EQ(formula.hard.size(), 2u);
  EXPECT_EQ(formula.weights, std::vector<Weight>{3});
  const Wcnf soft = parse_wcnf("p wcnf 2 2\n10 1 0\n1 -1 2 0\n", "f");
  EXPECT_TRUE(soft.hard.empty());
  EXPECT_EQ(soft.weights, (std::vector<Weight>{10, 1}));
  const Wcnf cnf = parse_wcnf("p cnf 2 2\n1 0 -1 2 0\n", "f");
  EXPECT_EQ(cnf.hard.size(), 2u);
  EXPECT_TRUE(cnf.soft.empty());
}

TEST(WcnfReader, TakesHugeTops) {
  EXPECT_EQ(
      parse_wcnf("p wcnf 1 2 18446744073709551615\n18446744073709551615 1 0\n5 -1 0\n", "f").hard.size(), 1u);
}

TEST(WcnfReader, ReadsEmptyFormulas) {
  EXPECT_EQ(parse_wcnf("", "f").variables, 0u);
  EXPECT_EQ(parse_wcnf("c nothing", "f").hard.size(), 0u);
  EXPECT_EQ(parse_wcnf("p wcnf 4 0 1\n", "f").variables, 4u);
}

TEST(WcnfReader, ReadsWhatWasWritten) {
  testing::Random random(5);
  const TemporaryFolder folder;
  for (int i = 0; i < 50; ++i) {
    const Wcnf formula = testing::wild_formula(random, 20, i % 2 == 0 ? 5 : std::int64_t{1} << 50);
    expect_same(parse_wcnf(wcnf_text(formula, WcnfFormat::modern), "f"), formula);
    expect_same(parse_wcnf(wcnf_text(formula, WcnfFormat::classic), "f"), formula);
    const std::string file = (folder / "f.wcnf.gz").string();
    write_gzip(file, wcnf_text(formula, WcnfFormat::modern));
    expect_same(read_wcnf(file), formula);
    expect_same(read_wcnf(folder.write("f.wcnf", wcnf_text(formula, WcnfFormat::classic))), formula);
  }
}

TEST(WcnfReader, ReadsMoreThanABuffer) {
  std::string text;
  for (int i = 1; i <= 100'000; ++i) text += "h " + std::to_string(i) + " -" + std::to_string(i + 1) + " 0\n";
  const TemporaryFolder folder;
  const std::string file = (folder / "large.gz").string();
  write_gzip(file, text);
  const Wcnf formula = read_wcnf(file);
  EXPECT_EQ(formula.variables, 100'001u);
  EXPECT_EQ(formula.hard.size(), 100'000u);
  EXPECT_EQ(formula.hard[99'999][0], Lit::positive({99'999}));
}

TEST(WcnfReader, SumsOfWeightsEndBelowTwoToThe64) {
  EXPECT_EQ(parse_wcnf("9223372036854775807 1 0\n9223372036854775807 2 0\n", "f").weight_sum,
            18446744073709551614u);
  const std::string too_much = "the soft weights sum up to 2^64 - 1 or more here, expected less";
  EXPECT_EQ(input_error_of([] { parse_wcnf("18446744073709551614 1 0\n\n1 1 0\n", "f"); }),
            "f:3: " + too_much);
  EXPECT_EQ(input_error_of([] { parse_wcnf("18446744073709551615 1 0\n", "f"); }), "f:1: " + too_much);
  EXPECT_EQ(input_error_of([] { parse_wcnf("h 1 0\n18446744073709551616 1 0\n", "f"); }),
            "f:2: a number of 2^64 or more, expected 'h' or a weight (a whole number from 0)");
}

TEST(WcnfReader, SaysWhatIsWrong) {
  const auto expect = [](std::string_view text, const std::string& error) {
    EXPECT_EQ(input_error_of([&] { parse_wcnf(text, "f"); }), "f:" + error) << text;
  };
  const std::string literal = "expected a literal or the 0 that ends the clause";
  const std::string weight = "expected 'h' or a weight (a whole number from 0)";
  expect("h 1 2", "1: the file ends here, " + literal);
  expect("h 1 2\nh 3 0\n", "1: the line ends here, " + literal);
  expect("h 1 0\nh x 0\n", "2: 'x', " + literal);
  expect("h 1 -0\n", "1: '-0', " + literal);
  expect("h 1 2x 0\n", "1: 'x', " + literal);
  expect("h 1 0 2 0\n", "1: '2', expected the end of the line after the 0 that ends a clause");
  expect("hard 1 0\n", "1: expected 'h' and a blank at the start of a hard clause");
  expect("-3 1 0\n", "1: '-3', " + weight);
  expect("1.5 1 0\n", "1: '.5', " + weight);
  expect("\n\x01\n", "2: binary data, " + weight);
  expect("h 1 \xff\xfe 0\n", "1: binary data, " + literal);
  expect("h 134217729 0\n", "1: variable 134217729, expected at most 134217728");
  expect("h 1 0\np wcnf 1 1 2\n", "2: a p line after the first clause, expected it before all clauses");
  expect("p wcnf 1 0 2\np wcnf 1 1 2\n", "2: a second p line, expected one");
  expect("p dnf 1 1\n", "1: 'p dnf', expected 'p wcnf' or 'p cnf'");
  expect("p wcnf x 1\n", "1: 'x', expected the number of variables");
  expect("p wcnf 1\n", "1: the line ends here, expected the number of clauses");
  expect("p wcnf 1 1 0\n", "1: hard clauses of weight 0, expected at least 1");
  expect("p wcnf 1 1 5 6\n", "1: '6', expected the end of the line");
  expect("p cnf 1 1 5\n", "1: '5', expected the end of the line");
  expect("p wcnf 999999999 1 5\n", "1: 999999999 variables, expected at most 134217728");
  expect("p wcnf 2 2 5\n5 1 0\n", "3: the file ends after 1 clause, the p line announces 2");
  expect("p wcnf 2 1 5\n5 1 0\n5 2 0\n", "3: more clauses than the 1 that the p line announces");
  expect("p wcnf 2 1 5\n5 3 0\n", "2: variable 3, expected at most the 2 that the p line announces");
  expect("p wcnf 2 1 5\nh 1 0\n", "2: 'h', expected a weight (a whole number from 0)");
  expect("p wcnf 2 1 5\n5 1\n", "3: the file ends here, " + literal);
}

TEST(WcnfReader, SaysWhatIsWrongWithFiles) {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  EXPECT_EQ(input_error_of([&] { read_wcnf(missing); }),
            missing + ": cannot read: No such file or directory");
  EXPECT_EQ(input_error_of([&] { read_wcnf(folder.path()); }),
            folder.path().string() + ": cannot read: Is a directory");
  std::string text;
  for (int i = 1; i <= 10'000; ++i) text += "h " + std::to_string(i * 7919 % 10'007 + 1) + " 0\n";
  const std::string whole = (folder / "whole.gz").string();
  write_gzip(whole, text);
  std::filesystem::resize_file(whole, std::filesystem::file_size(whole) / 2);
  EXPECT_EQ(input_error_of([&] { read_wcnf(whole); }), whole + ": damaged or truncated gzip data");
}

}  // namespace
}  // namespace bnnplan::formats
