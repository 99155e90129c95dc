// Scores as linear expressions: scale * sum w (2 b - 1) + bias = sum 2 scale w b + bias - scale * sum w, in
// integers.
#include "bnnplan/problem/score_terms.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/network/score_order.hpp"

namespace bnnplan {

std::string hidden_name(std::size_t bit) { return fmt::format("hidden[{}]", bit); }

void add_hidden_bits(Problem& problem, NameTable& names) {
  for (std::size_t i = 0; i < last_bits(*problem.network); ++i) {
    Variable variable;
    variable.name = hidden_name(i);
    if (names.find(variable.name)) continue;
    const auto index = static_cast<std::uint32_t>(problem.state.variables.size());
    names.add(variable, {Place::state, index, problem.state.bit_count(), 1});
    problem.state.add(std::move(variable));
  }
}

std::optional<std::size_t> class_of_score(const Problem& problem, std::string_view name) {
  if (!problem.network || !is_classifier(*problem.network)) return std::nullopt;
  if (!name.starts_with("score[") || !name.ends_with("]")) return std::nullopt;
  const std::string_view class_name = name.substr(6, name.size() - 7);
  const auto& classes = problem.network->outputs;
  const auto found = std::find(classes.begin(), classes.end(), class_name);
  if (found == classes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - classes.begin());
}

ScoreSum score_sum(const Problem& problem, std::size_t of_class) {
  const auto scores = integer_scores(*problem.network, std::int64_t{1} << 61);
  if (!scores) throw OverflowError();
  const std::vector<std::int8_t>& weights = problem.network->scores[of_class].weights;
  const std::int64_t scale = scores->scales[of_class];
  ScoreSum sum{{}, scores->biases[of_class], scores->factor};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const Bit bit{Place::next, problem.network_outputs[i]};
    sum.terms.push_back({checked_multiply(2 * weights[i], scale), bit});
    sum.constant = checked_add(sum.constant, -weights[i] * scale);
  }
  return sum;
}

}  // namespace bnnplan
