#pragma once

#include <algorithm>
#include <optional>

#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/verify/question.hpp"
#include "support/random_network.hpp"

namespace bnnplan::testing {

// A small classifier and a query to it, for brute force.
struct RandomQuery {
  Network network;
  verification::VerifyQuery query;
};

inline std::vector<mpq_class> allowed_values(const Network& network, std::size_t input) {
  if (!has_numbers(network) || !network.numbers[input]) return {0, 1};
  std::vector<mpq_class> values;
  const NumericInput& number = *network.numbers[input];
  for (mpq_class x = number.low; x <= number.high; x += number.step) values.push_back(x);
  return values;
}

inline RandomQuery random_query(Random& random, verification::Norm norm) {
  RandomQuery result;
  RandomNetworkShape shape;
  shape.scores = true;
  shape.numbers = random.below(2) == 0;
  shape.widths.push_back(1 + random.below(8));
  for (std::size_t layers = random.below(4); layers > 0; --layers)
    shape.widths.push_back(1 + random.below(12));
  shape.widths.push_back(1 + random.below(4));
  result.network = random_network(random, shape);
  verification::VerifyQuery& query = result.query;
  for (std::size_t i = 0; i < shape.widths.front(); ++i) {
    const std::vector<mpq_class> values = allowed_values(result.network, i);
    query.values.push_back(values[random.below(values.size())]);
  }
  // Mostly the class that the network gives, as people ask.
  const std::size_t classes = shape.widths.back();
  query.label = random.below(4) == 0
                    ? random.below(classes)
                    : reference_class(result.network, binarize(result.network, query.values));
  query.norm = norm;
  if (classes > 1 && random.below(4) == 0)
    query.target = (query.label + 1 + random.below(classes - 1)) % classes;
  query.ties = random.below(2) == 0 ? verification::TieRule::label_loses : verification::TieRule::network;
  return result;
}

// By trying all bits of the input, each by the nearest of all its allowed numbers: the least distance of one
// that is classified otherwise, nothing if there is none.
inline std::optional<mpq_class> least_distance(const Network& network,
                                               const verification::VerifyQuery& query) {
  std::optional<mpq_class> least;
  const std::size_t inputs = query.values.size();
  for (std::uint32_t pattern = 0; pattern < 1u << inputs; ++pattern) {
    std::vector<mpq_class> changed = query.values;
    bool possible = true;
    for (std::size_t i = 0; i < inputs && possible; ++i) {
      std::optional<mpq_class> nearest;
      std::vector<mpq_class> values = allowed_values(network, i);
      values.push_back(query.values[i]);
      for (const mpq_class& value : values) {
        std::vector<mpq_class> one = query.values;
        one[i] = value;
        if ((binarize(network, one)[i] != 0) != ((pattern >> i & 1) != 0)) continue;
        if (!nearest || abs(value - query.values[i]) < abs(*nearest - query.values[i])) nearest = value;
      }
      possible = nearest.has_value();
      if (possible) changed[i] = *nearest;
    }
    if (!possible || !verification::is_classified_otherwise(network, query, changed)) continue;
    const mpq_class far = verification::distance(query.norm, query.values, changed);
    if (!least || far < *least) least = far;
  }
  return least;
}

}  // namespace bnnplan::testing
