// What is checked for a permutation p of the bits of a step (next-state bits go with their state bits):
//
//   rows       p maps the set of constraints and transitions onto itself, and the set of goals. A row is
//              compared as written, with <= turned into >=; p maps different rows to different rows, so it
//              is enough that every row is mapped to one of the set.
//   objective  the coefficients of a bit and of its image are the same, for action and for next-state bits.
//   network    for all inputs y: outputs(p y) = p outputs(y), read at the bits that inputs and outputs stand
//              for.
//
// A permutation that passes maps every step (s, a, x, s') to a step of the same cost, and so does its
// inverse, which is one of its powers.
//
// The network is first written so that equal neurons are equal rows: output <-> sum of w y >= bound over
// inputs 0 and 1, where a weight -1 has moved its 1 into the bound. Layer by layer from the inputs, constant
// neurons are dropped (their weight moves into the bound), and neurons with the same row are merged (their
// weights in the next layer add up). Now let q be a permutation of a layer's inputs. The row of a neuron with
// its inputs renamed by q says of q y what the row says of y. So if for each of its neurons the layer has a
// neuron with the renamed row, and has it only once, the neurons are permuted as well, and this is the q of
// the next layer. Outputs have names: output p(i) must have the row of output i, renamed.
#include "bnnplan/engines/search/symmetry_check.hpp"

#include <algorithm>
#include <limits>

namespace bnnplan::engines {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t goal_kind = 2;  // the others have the kind of their comparison: 0 at least, 1 equal

using PlacedWeights = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<std::int64_t> flat_row(std::int64_t kind, std::int64_t bound, PlacedWeights& terms) {
  std::sort(terms.begin(), terms.end());
  std::vector<std::int64_t> row{kind, bound};
  row.reserve(2 + 2 * terms.size());
  for (const auto& [place, weight] : terms) {
    row.push_back(place);
    row.push_back(weight);
  }
  return row;
}

// The row with its inputs renamed.
std::vector<std::int64_t> renamed(const std::vector<std::int64_t>& row,
                                  const std::vector<std::uint32_t>& names) {
  PlacedWeights terms;
  for (std::size_t i = 2; i < row.size(); i += 2) {
    terms.emplace_back(names[static_cast<std::size_t>(row[i])], row[i + 1]);
  }
  return flat_row(row[0], row[1], terms);
}

}  // namespace

SymmetryCheck::SymmetryCheck(const Problem& problem) : problem_(problem), bits_(problem) {
  for (const LinearConstraint& row : problem.constraints) constraints_.emplace_back(&row, 0);
  for (const LinearConstraint& row : problem.transitions) constraints_.emplace_back(&row, 0);
  for (const LinearConstraint& row : problem.goal) constraints_.emplace_back(&row, goal_kind);
  for (const auto& [row, kind] : constraints_) rows_.push_back(make_row(*row, kind, nullptr));
  std::sort(rows_.begin(), rows_.end());
  for (const Term& term : problem.objective.terms) {
    objective_[{bits_.number(term.bit), term.bit.place == Place::next}] += term.coefficient;
  }
  if (problem.network) reduce_network();
}

bool SymmetryCheck::is_symmetry(const BitPermutation& permutation) const {
  return keeps_places(permutation) && keeps_objective(permutation) && keeps_rows(permutation) &&
         (!problem_.network || keeps_network(permutation));
}

// Whether it is a permutation at all, within each place.
bool SymmetryCheck::keeps_places(const BitPermutation& permutation) const {
  if (permutation.size() != bits_.count) return false;
  const auto place = [&](std::uint32_t bit) {
    return bit < bits_.first_state ? 0 : bit < bits_.first_auxiliary ? 1 : bit < bits_.count ? 2 : 3;
  };
  std::vector<bool> seen(bits_.count, false);
  for (std::uint32_t i = 0; i < bits_.count; ++i) {
    if (place(permutation[i]) != place(i) || seen[permutation[i]]) return false;
    seen[permutation[i]] = true;
  }
  return true;
}

SymmetryCheck::Row SymmetryCheck::make_row(const LinearConstraint& constraint, std::int64_t kind,
                                           const BitPermutation* permutation) const {
  const std::int64_t sign = constraint.comparison == Comparison::at_most ? -1 : 1;
  PlacedWeights terms;
  for (const Term& term : constraint.terms) {
    const std::uint32_t number = bits_.number(term.bit);
    const std::int64_t place = permutation == nullptr ? number : (*permutation)[number];
    terms.emplace_back(2 * place + (term.bit.place == Place::next ? 1 : 0), sign * term.coefficient);
  }
  return flat_row(kind + (constraint.comparison == Comparison::equal ? 1 : 0), sign * constraint.bound,
                  terms);
}

bool SymmetryCheck::keeps_rows(const BitPermutation& permutation) const {
  const auto moves = [&](const Term& term) {
    const std::uint32_t number = bits_.number(term.bit);
    return permutation[number] != number;
  };
  return std::all_of(constraints_.begin(), constraints_.end(), [&](const auto& entry) {
    const auto& [constraint, kind] = entry;
    return std::none_of(constraint->terms.begin(), constraint->terms.end(), moves) ||
           std::binary_search(rows_.begin(), rows_.end(), make_row(*constraint, kind, &permutation));
  });
}

bool SymmetryCheck::keeps_objective(const BitPermutation& permutation) const {
  return std::all_of(objective_.begin(), objective_.end(), [&](const auto& entry) {
    const auto& [place, coefficient] = entry;
    const auto image = objective_.find({permutation[place.first], place.second});
    return image != objective_.end() && image->second == coefficient;
  });
}

void SymmetryCheck::reduce_network() {
  input_of_.assign(bits_.count, nowhere);
  output_of_.assign(bits_.count, nowhere);
  std::vector<std::optional<bool>> constant(problem_.network_inputs.size());
  std::vector<std::uint32_t> names(problem_.network_inputs.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    input_of_[bits_.number(problem_.network_inputs[i])] = i;
    names[i] = i;
  }
  for (std::uint32_t i = 0; i < problem_.network_outputs.size(); ++i) {
    output_of_[bits_.first_state + problem_.network_outputs[i]] = i;
  }
  for (const Layer& layer : problem_.network->layers) {
    ReducedLayer& reduced = layers_.emplace_back();
    for (const Neuron& neuron : layer.neurons) {
      std::int64_t bound = neuron.threshold, least = 0, most = 0;
      std::map<std::int64_t, std::int64_t> sum;
      for (std::size_t i = 0; i < neuron.weights.size(); ++i) {
        const std::int64_t weight = neuron.weights[i];
        if (weight < 0) --bound;  // weight -1 counts 1 - y
        if (weight == 0) continue;
        if (constant[i]) {
          bound -= *constant[i] ? weight : 0;
        } else {
          sum[names[i]] += weight;
        }
      }
      PlacedWeights terms;
      for (const auto& [name, weight] : sum) {
        if (weight == 0) continue;
        terms.emplace_back(name, weight);
        (weight < 0 ? least : most) += weight;
      }
      std::optional<bool> value;
      if (bound <= least) value = true;
      if (bound > most) value = false;
      if (value) terms.clear();
      Row row = flat_row(0, value ? (*value ? 0 : 1) : bound, terms);
      const auto [place, is_new] =
          reduced.number.try_emplace(row, static_cast<std::uint32_t>(reduced.neurons.size()));
      if (is_new) reduced.neurons.push_back(std::move(row));
      reduced.constant.push_back(value);
      reduced.neuron.push_back(place->second);
    }
    constant = reduced.constant;
    names = reduced.neuron;
  }
}

bool SymmetryCheck::keeps_network(const BitPermutation& permutation) const {
  std::vector<std::uint32_t> names(problem_.network_inputs.size());
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    names[i] = input_of_[permutation[bits_.number(problem_.network_inputs[i])]];
    if (names[i] == nowhere) return false;
  }
  for (std::size_t l = 0; l + 1 < layers_.size(); ++l) {
    const ReducedLayer& layer = layers_[l];
    std::vector<std::uint32_t> images;
    for (const Row& row : layer.neurons) {
      const auto image = layer.number.find(renamed(row, names));
      if (image == layer.number.end()) return false;
      images.push_back(image->second);
    }
    names = std::move(images);
  }
  const ReducedLayer& last = layers_.back();
  for (std::size_t i = 0; i < problem_.network_outputs.size(); ++i) {
    const std::uint32_t image = output_of_[permutation[bits_.first_state + problem_.network_outputs[i]]];
    if (image == nowhere) return false;
    if (renamed(last.neurons[last.neuron[i]], names) != last.neurons[last.neuron[image]]) return false;
  }
  return true;
}

}  // namespace bnnplan::engines
