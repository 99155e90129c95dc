#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/fact_table.hpp"

namespace bnnplan::learning {

// For every output, the inputs that certainly matter: two facts differ in this input alone, and in the
// output. [output] ascending inputs.
std::vector<std::vector<std::uint32_t>> certain_inputs(const DataSet& data, const FactTable& table);

// Few inputs, including the certain ones, that distinguish all facts with different values of this output.
std::vector<std::uint32_t> telling_inputs(const FactTable& table, std::size_t output,
                                          const std::vector<std::uint32_t>& certain,
                                          std::size_t first_exception = ~std::size_t{0});

}  // namespace bnnplan::learning
