// Rows of a data set, transposed: a column is a bit vector over all facts, so a conjunction of literals is an
// AND of columns, 64 facts at a time.
#include "bnnplan/learn/fact_table.hpp"

#include <string>
#include <unordered_map>

namespace bnnplan::learning {

FactTable make_fact_table(const DataSet& data, const SampleSet& part) {
  const std::size_t words = data.input_words();
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> fact_of(part.rows.size());
  FactTable table;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    const std::string key(reinterpret_cast<const char*>(data.input(part.rows[i])),
                          words * sizeof(std::uint64_t));
    const auto [at, added] = numbers.emplace(key, static_cast<std::uint32_t>(numbers.size()));
    if (added) table.rows.push_back(part.rows[i]);
    fact_of[i] = at->second;
  }
  table.facts = table.rows.size();
  table.words = (table.facts + 63) / 64;
  const auto fill = [&](std::vector<std::vector<std::uint64_t>>& columns, std::size_t bits,
                        const auto& bit_of) {
    columns.assign(bits, std::vector<std::uint64_t>(table.words));
    for (std::size_t bit = 0; bit < bits; ++bit) {
      for (std::size_t fact = 0; fact < table.facts; ++fact) {
        if (bit_of(bit, fact)) columns[bit][fact / 64] |= std::uint64_t{1} << (fact % 64);
      }
    }
  };
  const auto bit_in = [](const std::uint64_t* row, std::size_t bit) {
    return ((row[bit / 64] >> (bit % 64)) & 1u) != 0;
  };
  fill(table.inputs, data.input_names.size(),
       [&](std::size_t bit, std::size_t fact) { return bit_in(data.input(table.rows[fact]), bit); });
  if (table.facts == part.rows.size()) {
    fill(table.outputs, data.output_names.size(),
         [&](std::size_t bit, std::size_t fact) { return bit_in(data.output(table.rows[fact]), bit); });
    return table;
  }
  std::vector<std::int64_t> votes(table.facts);
  table.outputs.assign(data.output_names.size(), std::vector<std::uint64_t>(table.words));
  for (std::size_t bit = 0; bit < data.output_names.size(); ++bit) {
    votes.assign(table.facts, 0);
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const auto count = static_cast<std::int64_t>(part.counts[i]);
      votes[fact_of[i]] += bit_in(data.output(part.rows[i]), bit) ? count : -count;
    }
    for (std::size_t fact = 0; fact < table.facts; ++fact) {
      if (votes[fact] > 0) table.outputs[bit][fact / 64] |= std::uint64_t{1} << (fact % 64);
    }
  }
  return table;
}

}  // namespace bnnplan::learning
