#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan::exchange {

// The data to run a network on: rows of numbers, kept as bytes if the file has bytes.
struct Samples {
  std::size_t rows = 0, columns = 0;
  std::vector<double> numbers;      // [row][column], or
  std::vector<std::uint8_t> bytes;  // the same, if this is not empty
  std::vector<std::size_t> lines;   // the line of each row in a text file
};

// The roles of the columns of a CSV file. Without a header, columns are taken in order.
struct CsvColumns {
  std::vector<std::string> inputs;   // the names of the inputs, in the network's order
  std::vector<std::string> outputs;  // of columns that may hold the expected outputs
  std::string label;                 // the column that holds the right class; may be empty
};

struct CsvSamples {
  Samples inputs;
  std::vector<std::string> labels;     // one per row, if CsvColumns::label
  std::vector<std::uint8_t> expected;  // [row][output], if the file has all the outputs
};

// Comma-separated numbers. If the first line has anything but numbers, it is a header: its names are those of
// the inputs, in any order; if none of them is, the columns that are neither label nor output are taken in
// order. Throws InputError at file:line.
CsvSamples parse_csv_samples(std::string_view text, const std::string& name, const CsvColumns& columns);

// The content of an .npy array (of N rows, of any shape), an idx file (MNIST's own) or a picture (.png, one
// row).
Samples parse_samples(std::string_view bytes, const std::string& name);

bool is_csv(const std::filesystem::path& path);

// Reads .csv, .npy, idx and .png files, decompressed if the name ends in .gz.
std::string read_sample_bytes(const std::filesystem::path& path);

}  // namespace bnnplan::exchange
