#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::learning {

// The number of bits of an integer column.
struct ColumnBits {
  int bits = 1;  // 1 to 32
  bool twos_complement = false;
};

struct DataOptions {
  std::vector<std::string> inputs, outputs;  // columns (or integers by name); all if empty
  std::map<std::string, ColumnBits> bits;    // by column name without the '
  // `bits` comes from a problem, not from the user: its columns may be missing, and no others are integers.
  bool bits_of_problem = false;
};

// Parses texts NAME=N (0 .. 2^N - 1) and NAME=Ns (two's complement). Throws InputError.
std::map<std::string, ColumnBits> parse_column_bits(const std::vector<std::string>& arguments);

// Transitions as bits, each distinct one once. Bit i of a row is bit i % 64 of its word i / 64, as for packed
// inference.
struct DataSet {
  std::string name;                                    // the file it was read from, for messages
  std::vector<std::string> input_names, output_names;  // one per bit; outputs end in '
  std::vector<std::uint64_t> inputs, outputs;          // [distinct row][word]
  std::vector<std::uint32_t> sample_row;               // the distinct row of each line of the file, in order
  std::size_t contradictions = 0;  // lines whose inputs also occur with other, more frequent outputs

  std::size_t input_words() const { return (input_names.size() + 63) / 64; }
  std::size_t output_words() const { return (output_names.size() + 63) / 64; }
  std::size_t distinct_rows() const { return inputs.size() / input_words(); }
  const std::uint64_t* input(std::size_t row) const { return inputs.data() + row * input_words(); }
  const std::uint64_t* output(std::size_t row) const { return outputs.data() + row * output_words(); }
};

// Reads comma-separated values with a header line. Columns whose name ends in ' are outputs (the next state),
// all others are inputs. Values are 0 and 1, or integers in columns listed in options.bits: these become bits
// x.0, x.1, ... Throws InputError at file:line.
DataSet read_data_set(const std::filesystem::path& path, const DataOptions& options = {});
DataSet parse_data_set(std::string_view text, std::string_view file_name, const DataOptions& options = {});

// Builds a data set from bits in memory: `lines` rows of inputs and as many of outputs, packed as in a
// DataSet (unused high bits are 0). Throws InputError for names that a header could not have, and if there
// are no lines.
DataSet collect_rows(std::string name, std::vector<std::string> input_names,
                     std::vector<std::string> output_names, const std::uint64_t* inputs,
                     const std::uint64_t* outputs, std::size_t lines);

// Depends on the names and the transitions, in order.
std::string data_fingerprint(const DataSet& data);

// A part of a data set: distinct rows and how often each occurs in it.
struct SampleSet {
  std::vector<std::uint32_t> rows;    // ascending
  std::vector<std::uint32_t> counts;  // of each, at least 1
  std::size_t samples = 0;            // the sum of the counts
};

struct Split {
  SampleSet train, test;
};

// Splits the lines of the file at random: floor(share * lines) of them go into the test part.
Split split(const DataSet& data, double test_share, std::uint64_t seed);

// All lines.
SampleSet whole(const DataSet& data);

// Adds the rows of `more`, which must have all columns of `data` in any order, and returns them as a part of
// `data`. They are not in any split: sample_row is unchanged. Throws InputError that names `file_name` and
// the owner of the missing column.
SampleSet add_rows(DataSet& data, const DataSet& more, std::string_view file_name,
                   std::string_view owner = "the other data set");

// Both together, counts added; those of `part` that are not in `other`; the same rows with a count of 1 each.
SampleSet merged(const SampleSet& a, const SampleSet& b);
SampleSet without(const SampleSet& part, const SampleSet& other);
SampleSet each_once(const SampleSet& part);

}  // namespace bnnplan::learning
