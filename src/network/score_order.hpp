#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/network/network.hpp"

namespace bnnplan {

// The scores of a classifier as integers. Only their order counts, so all of them may be multiplied by the
// same positive number.

// scale * (agreeing - disagreeing) + bias, one scale and bias per class.
struct IntegerScores {
  std::vector<std::int64_t> scales, biases;
  std::int64_t factor = 1;  // by which the network's scores were multiplied
};

// The smallest such integers; empty if a scale, a bias or a score is outside -limit .. limit.
std::optional<IntegerScores> integer_scores(const Network& network, std::int64_t limit);

// Integers within the limit that have the same order, for all numbers of agreeing inputs, even where
// integer_scores has none: then not exactly the scores times a factor, but nearly. Empty if none were found.
std::optional<IntegerScores> ordered_scores(const Network& network, std::int64_t limit);

// keys[class][agreeing inputs]: integers in the order of the scores of all classes together, for any scores.
std::vector<std::vector<std::int64_t>> score_keys(const Network& network);

}  // namespace bnnplan
