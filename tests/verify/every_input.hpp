#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "random_query.hpp"
#include "support/sanitized.hpp"

namespace bnnplan::testing {

// How many random questions of a kind are asked: 1,000, fewer with a sanitizer, or what the environment says.
inline int rounds() {
  const char* asked = std::getenv("BNNPLAN_VERIFY_ROUNDS");
  return asked != nullptr ? std::stoi(asked) : (sanitized() ? 400 : 1000);
}

// Calls `visit` for all combinations of these numbers, until it says true. Returns whether it did.
inline bool any_of_inputs(const std::vector<std::vector<mpq_class>>& choices,
                          const std::function<bool(const std::vector<mpq_class>&)>& visit) {
  std::vector<mpq_class> values;
  std::vector<std::size_t> at(choices.size());
  for (const auto& numbers : choices) {
    if (numbers.empty()) return false;
    values.push_back(numbers.front());
  }
  while (true) {
    if (visit(values)) return true;
    std::size_t i = 0;
    for (; i < choices.size(); ++i) {
      at[i] = at[i] + 1 < choices[i].size() ? at[i] + 1 : 0;
      values[i] = choices[i][at[i]];
      if (at[i] != 0) break;
    }
    if (i == choices.size()) return false;
  }
}

// A network of few inputs, each of few numbers, so that all inputs can be tried.
inline Network tiny_network(Random& random, std::size_t most_inputs, bool scores, bool numbers) {
  RandomNetworkShape shape;
  shape.scores = scores;
  shape.numbers = numbers;
  shape.widths.push_back(1 + random.below(most_inputs));
  for (std::size_t layers = (scores ? 0 : 1) + random.below(3); layers > 0; --layers)
    shape.widths.push_back(1 + random.below(8));
  if (scores) shape.widths.push_back(1 + random.below(4));
  Network network = random_network(random, shape);
  for (auto& number : network.numbers) {
    if (!number) continue;
    number->low = static_cast<long>(random.below(3)) - 1;
    number->step = random.below(2) == 0 ? mpq_class(1) : mpq_class(1, 2);
    number->high = number->low + number->step * static_cast<long>(random.below(5)) +
                   (random.below(4) == 0 ? mpq_class(1, 4) : mpq_class(0));
    number->threshold = number->low + mpq_class(static_cast<long>(random.below(12)) - 2, 4);
    number->threshold.canonicalize();
  }
  return network;
}

inline std::vector<std::vector<mpq_class>> all_choices(const Network& network) {
  std::vector<std::vector<mpq_class>> choices;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) choices.push_back(allowed_values(network, i));
  return choices;
}

inline std::vector<mpq_class> random_input(Random& random, const Network& network) {
  std::vector<mpq_class> values;
  for (const auto& numbers : all_choices(network)) values.push_back(numbers[random.below(numbers.size())]);
  return values;
}

// Everywhere, or near an input by any norm.
inline verification::Region random_region(Random& random, const Network& network) {
  verification::Region region;
  if (random.below(3) == 0) return region;
  region.values = random_input(random, network);
  region.norm = static_cast<verification::Norm>(random.below(4));
  if (random.below(4) != 0) region.epsilon = mpq_class(static_cast<long>(random.below(5)), 2);
  if (region.epsilon) region.epsilon->canonicalize();
  return region;
}

inline bool is_within(const verification::Region& region, const std::vector<mpq_class>& values) {
  if (!region.values || !region.epsilon) return true;
  const mpq_class most =
      region.norm == verification::Norm::l2 ? mpq_class(*region.epsilon * *region.epsilon) : *region.epsilon;
  return verification::distance(region.norm, *region.values, values) <= most;
}

}  // namespace bnnplan::testing
