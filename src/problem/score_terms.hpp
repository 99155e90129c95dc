#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// A classifier in a problem evaluates the state and the action of a step. Constraints refer to its scores by
// the names score[CLASS]. A score is linear in the bits of the last layer of neurons, and these are state
// bits of their own, hidden[0], hidden[1], ...: the output of the network for a step is known after it. So a
// constraint with a score is one over the next state, and every engine, format and checker handles those
// already.

// Adds the state variables hidden[...] that the problem does not declare. Requires a classifier with a layer.
void add_hidden_bits(Problem& problem, NameTable& names);
std::string hidden_name(std::size_t bit);

// The class that a name such as score[cat] refers to.
std::optional<std::size_t> class_of_score(const Problem& problem, std::string_view name);

// score * factor = constant + the sum of the terms, which are over the next state. The factor is the same for
// all classes.
struct ScoreSum {
  std::vector<Term> terms;
  std::int64_t constant = 0, factor = 1;
};

// Throws OverflowError if the scores take more than 61 bits. Requires a connected network.
ScoreSum score_sum(const Problem& problem, std::size_t of_class);

}  // namespace bnnplan
