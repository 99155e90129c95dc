// Comma-separated data to learn from, with and without integer columns.
#include "bnnplan/learn/data_set.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

void read(std::string_view input, const learning::DataOptions& options) {
  const learning::DataSet data = learning::parse_data_set(input, "data.csv", options);
  require(!data.input_names.empty() && !data.output_names.empty(), "there are inputs and outputs");
  require(data.inputs.size() == data.distinct_rows() * data.input_words() &&
              data.outputs.size() == data.distinct_rows() * data.output_words(),
          "every row has all its words");
  for (const std::uint32_t row : data.sample_row)
    require(row < data.distinct_rows(), "every sample has its row");
  const learning::Split parts = learning::split(data, 0.3, 1);
  require(parts.train.samples + parts.test.samples == data.sample_row.size(), "a split loses nothing");
  learning::DataSet doubled = data;
  require(learning::add_rows(doubled, data, "again").samples == data.sample_row.size(),
          "its own rows can be added");
  require(doubled.distinct_rows() == data.distinct_rows(), "and none of them is new");
}

}  // namespace

void try_data(std::string_view input) {
  learning::DataOptions integers;
  integers.bits["n"] = {5, false};
  integers.bits["h"] = {3, true};
  try {
    read(input, integers);
  } catch (const InputError&) {
    read(input, {});
  }
}

}  // namespace bnnplan::fuzz
