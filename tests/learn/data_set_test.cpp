#include "bnnplan/learn/data_set.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "support/input_error_of.hpp"

namespace bnnplan::learning {
namespace {

using testing::input_error_of;

DataSet parse(std::string_view text, const DataOptions& options = {}) {
  return parse_data_set(text, "d.csv", options);
}
std::string error_of(std::string_view text, const DataOptions& options = {}) {
  return input_error_of([&] { parse(text, options); });
}

TEST(DataSet, ReadsColumnsByName) {
  const DataSet data = parse("a,b,a',b'\n1,0,0,1\n1,0,0,1\n\n0,1, 1 ,true\r\n");
  EXPECT_EQ(data.input_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.output_names, (std::vector<std::string>{"a'", "b'"}));
  EXPECT_EQ(data.inputs, (std::vector<std::uint64_t>{0b01, 0b10}));
  EXPECT_EQ(data.outputs, (std::vector<std::uint64_t>{0b10, 0b11}));
  EXPECT_EQ(data.sample_row, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(data.contradictions, 0u);
}

TEST(DataSet, RowsThatAreBitsAlready) {
  const DataSet read = parse("a,b,a',b'\n1,0,0,1\n1,0,0,1\n1,0,1,1\n0,1,1,1\n");
  const std::vector<std::uint64_t> inputs = {1, 1, 1, 2}, outputs = {2, 2, 3, 3};
  const auto collect = [&](std::vector<std::string> in, std::vector<std::string> out, std::size_t lines) {
    return collect_rows("rows", std::move(in), std::move(out), inputs.data(), outputs.data(), lines);
  };
  const DataSet data = collect({"a", "b"}, {"a'", "b'"}, 4);
  EXPECT_EQ(data.input_names, read.input_names);
  EXPECT_EQ(data.output_names, read.output_names);
  EXPECT_EQ(data.inputs, read.inputs);
  EXPECT_EQ(data.outputs, read.outputs);
  EXPECT_EQ(data.sample_row, read.sample_row);
  EXPECT_EQ(data.contradictions, 1u);
  const auto refused = [&](std::vector<std::string> in, std::vector<std::string> out, std::size_t lines) {
    return input_error_of([&] { collect(std::move(in), std::move(out), lines); });
  };
  EXPECT_EQ(refused({"a", "b'"}, {"a'"}, 4),
            "rows: bad name 'b'' of an input, expected one that does not end in '");
  EXPECT_EQ(refused({"a"}, {"b"}, 4), "rows: bad name 'b' of an output, expected one that ends in '");
  EXPECT_EQ(refused({"a", "a"}, {"b'"}, 4), "rows: two columns have the name 'a'");
  EXPECT_EQ(refused({}, {"b'"}, 4), "rows: there are no inputs");
  EXPECT_EQ(refused({"a"}, {"b'"}, 0), "rows: there are no transitions");
}

TEST(DataSet, QuotedNamesAndByteOrderMark) {
  const DataSet data = parse("\xEF\xBB\xBF\"at(1, \"\"2\"\")\" , y'\n1,0\n");
  EXPECT_EQ(data.input_names, (std::vector<std::string>{"at(1, \"2\")"}));
}

TEST(DataSet, IntegersBecomeBits) {
  DataOptions options;
  options.bits = parse_column_bits({"n=3", "z=2s"});
  const DataSet data = parse("n,z,n',z'\n6,-2,5,1\n", options);
  EXPECT_EQ(data.input_names, (std::vector<std::string>{"n.0", "n.1", "n.2", "z.0", "z.1"}));
  EXPECT_EQ(data.output_names.front(), "n.0'");
  EXPECT_EQ(data.inputs[0], 0b10110u);   // 6 = 110, -2 = 10
  EXPECT_EQ(data.outputs[0], 0b01101u);  // 5 = 101, 1 = 01
}

TEST(DataSet, ChoosesColumns) {
  DataOptions options;
  options.inputs = {"n", "r"};
  options.outputs = {"n"};
  const DataSet data = parse("n.0,n.1,r[c1],r[c2],rest,n.0',n.1',r[c1]'\n0,1,1,0,7,1,0,1\n", options);
  EXPECT_EQ(data.input_names, (std::vector<std::string>{"n.0", "n.1", "r[c1]", "r[c2]"}));
  EXPECT_EQ(data.output_names, (std::vector<std::string>{"n.0'", "n.1'"}));
  EXPECT_EQ(data.inputs[0], 0b0110u);
}

TEST(DataSet, MoreThan64Columns) {
  std::string header, values;
  for (int i = 0; i < 70; ++i) {
    header += "x" + std::to_string(i) + ",";
    values += i == 69 ? "1," : "0,";
  }
  const DataSet data = parse(header + "y'\n" + values + "1\n");
  EXPECT_EQ(data.input_words(), 2u);
  EXPECT_EQ(data.inputs, (std::vector<std::uint64_t>{0, std::uint64_t{1} << 5}));
}

TEST(DataSet, CountsContradictions) {
  // Inputs 0 have outputs 1, 1, 0; inputs 1 have 0, 1: one line each cannot be learned.
  EXPECT_EQ(parse("a,y'\n0,1\n0,1\n0,0\n1,0\n1,1\n").contradictions, 2u);
}

TEST(DataSet, Errors) {
  EXPECT_EQ(error_of(""), "d.csv:1: no header, expected a first line of column names");
  EXPECT_EQ(error_of("a,b'\n"), "d.csv:1: no transitions, expected lines of values below the header");
  EXPECT_EQ(error_of("a,b\n0,1\n"),
            "d.csv:1: no output column, expected names that end in ' (the next state, such as x')");
  EXPECT_EQ(error_of("a',b'\n0,1\n"),
            "d.csv:1: no input column, expected names that do not end in ' (state and action)");
  EXPECT_EQ(error_of("a,,b'\n0,1,1\n"), "d.csv:1: column 2 has no name");
  EXPECT_EQ(error_of("a,a,b'\n0,1,1\n"), "d.csv:1: columns 1 and 2 have the same name 'a'");
  EXPECT_EQ(error_of("\"a,b'\n0,1\n"),
            "d.csv:1: a quoted column name is not closed, expected \" followed by a comma");
  EXPECT_EQ(error_of("a,b'\n0,1\n0\n"), "d.csv:3: 1 value, expected 2 as in the header");
  EXPECT_EQ(error_of("a,b'\n0,1,1\n"), "d.csv:2: 3 values, expected 2 as in the header");
  EXPECT_EQ(error_of("a,b'\n0,x\n"),
            "d.csv:2: 'x' in column 'b'', expected 0 or 1 (for an integer, specify its bits: b=N)");
  EXPECT_EQ(error_of("a,b'\n0,\n"),
            "d.csv:2: '' in column 'b'', expected 0 or 1 (for an integer, specify its bits: b=N)");
  EXPECT_EQ(error_of("a,b'\n2,1\n"),
            "d.csv:2: 2 in column 'a', expected 0 or 1 (for an integer, specify its bits: a=N)");
  DataOptions options;
  options.bits = parse_column_bits({"a=2"});
  EXPECT_EQ(error_of("a,b'\n4,1\n", options), "d.csv:2: 4 in column 'a', expected 0 to 3");
  EXPECT_EQ(error_of("a,a.1,b'\n1,1,1\n", options), "d.csv:1: two columns give the bit 'a.1'");
  EXPECT_EQ(error_of("x,b'\n1,1\n", options), "d.csv:1: no column 'a', for which bits are given");
  options = {};
  options.inputs = {"stok"};
  EXPECT_EQ(error_of("stock,b'\n1,1\n", options), "d.csv:1: no input column 'stok', did you mean 'stock'?");
  options = {};
  options.outputs = {"q"};
  EXPECT_EQ(error_of("stock,stock'\n1,1\n", options), "d.csv:1: no output column 'q''");
}

TEST(DataSet, BadBits) {
  for (const char* text : {"a", "a=", "=3", "a=0", "a=33", "a=3x", "a=s"}) {
    EXPECT_EQ(input_error_of([&] { parse_column_bits({text}); }),
              "bad number of bits '" + std::string(text) +
                  "', expected NAME=N with 1 to 32 bits (NAME=Ns if signed)");
  }
}

TEST(DataSet, SplitDealsEveryLineOnce) {
  std::string text = "a,b,y'\n";
  for (int i = 0; i < 100; ++i) text += i % 3 == 0 ? "0,1,1\n" : i % 3 == 1 ? "1,0,0\n" : "1,1,1\n";
  const DataSet data = parse(text);
  const Split parts = split(data, 0.1, 7);
  EXPECT_EQ(parts.test.samples, 10u);
  EXPECT_EQ(parts.train.samples, 90u);
  const SampleSet both = merged(parts.train, parts.test);
  EXPECT_EQ(both.rows, whole(data).rows);
  EXPECT_EQ(both.counts, whole(data).counts);
  EXPECT_EQ(std::accumulate(both.counts.begin(), both.counts.end(), 0u), 100u);
  EXPECT_EQ(split(data, 0.1, 7).test.counts, parts.test.counts);
  EXPECT_EQ(split(data, 0, 7).test.samples, 0u);
  EXPECT_EQ(each_once(both).samples, 3u);
  EXPECT_EQ(without(both, both).samples, 0u);
  EXPECT_EQ(without(both, {}).counts, both.counts);
  const SampleSet rest = without(both, {{both.rows[1]}, {1}, 1});
  EXPECT_EQ(rest.rows, (std::vector<std::uint32_t>{both.rows[0], both.rows[2]}));
  EXPECT_EQ(rest.samples, both.samples - both.counts[1]);
}

TEST(DataSet, AddsRowsInAnyOrderOfColumns) {
  DataSet data = parse("a,b,y'\n0,1,1\n");
  const SampleSet more = add_rows(data, parse("y',b,a\n1,1,0\n0,0,1\n0,0,1\n"), "more.csv");
  EXPECT_EQ(data.distinct_rows(), 2u);
  EXPECT_EQ(data.sample_row.size(), 1u);
  EXPECT_EQ(more.rows, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(more.counts, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(data.inputs, (std::vector<std::uint64_t>{0b10, 0b01}));
  EXPECT_EQ(input_error_of([&] { add_rows(data, parse("a,y'\n0,1\n"), "more.csv"); }),
            "more.csv:1: no column 'b', which the other data set has");
}

}  // namespace
}  // namespace bnnplan::learning
