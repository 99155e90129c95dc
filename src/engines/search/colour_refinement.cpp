// Colour refinement, as in graph isomorphism (Weisfeiler, Leman: the reduction of a graph to canonical form,
// 1968): a bit's next colour is its colour and what it sees, until no colour splits any more. A bit sees its
// rows, each with the colours of its other bits and their coefficients; and the network, in which neurons are
// coloured by their inputs from the first layer to the last, and then by what their outputs feed, back to the
// first.
//
// Colours are 64-bit hashes that do not depend on bit numbers, and sums of hashes where order does not
// matter. So the colours of two colourings that started alike can be compared. If two hashes collide, a
// symmetry is missed or a wrong one proposed, which the check rejects.
//
// An exchange of bits a and b: in one colouring a and b are given colours of their own, in a second one the
// same colours the other way around; both colourings are refined, and a bit goes to the one that has its
// colour in the other. The bits of a group that have the same colour in both are fixed. If a group of several
// bits has to move, its first bits are given a colour of their own, and so on.
//
// Cost: a pass over all terms and weights per round, of which there are few. The bits of learned networks
// mostly differ in the first layer already, so it is examined before the others.
#include "bnnplan/engines/search/colour_refinement.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>

namespace bnnplan::engines {

namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x7f4a7c159e3779b9;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// Mixed into colours, so that different kinds of things are not taken for the same.
enum class Tag : std::uint64_t { row = 1, cost, cost_of_next, neuron, output, input, own };

std::uint64_t mixed(Tag tag, std::uint64_t b) { return mixed(static_cast<std::uint64_t>(tag), b); }

std::size_t count_different(ColourRefinement::Colours colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

struct ColouredBit {
  std::uint64_t colour;
  std::uint32_t bit;
  friend auto operator<=>(const ColouredBit&, const ColouredBit&) = default;
};

std::vector<ColouredBit> by_colour(const ColourRefinement::Colours& colours) {
  std::vector<ColouredBit> sorted;
  for (std::uint32_t i = 0; i < colours.size(); ++i) sorted.push_back({colours[i], i});
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

ColourRefinement::ColourRefinement(const Problem& problem) : problem_(problem), bits_(problem) {
  const auto add_rows = [&](const std::vector<LinearConstraint>& rows, std::uint64_t kind) {
    for (const LinearConstraint& row : rows) {
      const std::int64_t sign = row.comparison == Comparison::at_most ? -1 : 1;
      for (const bnnplan::Term& term : row.terms) {
        const auto coefficient = static_cast<std::uint64_t>(sign * term.coefficient);
        terms_.push_back({bits_.number(term.bit), mixed(coefficient, term.bit.place == Place::next ? 1 : 0)});
      }
      row_end_.push_back(static_cast<std::uint32_t>(terms_.size()));
      row_label_.push_back(mixed(2 * kind + (row.comparison == Comparison::equal ? 1 : 0),
                                 mixed(Tag::row, static_cast<std::uint64_t>(sign * row.bound))));
    }
  };
  add_rows(problem.constraints, 0);
  add_rows(problem.transitions, 0);
  add_rows(problem.goal, 1);
  for (std::uint32_t i = 0; i < bits_.count; ++i) {
    start_.push_back(i < bits_.first_state ? 0 : i < bits_.first_auxiliary ? 1 : 2);
  }
  for (const bnnplan::Term& term : problem.objective.terms) {
    start_[bits_.number(term.bit)] += mixed(term.bit.place == Place::next ? Tag::cost_of_next : Tag::cost,
                                            static_cast<std::uint64_t>(term.coefficient));
  }
  for (std::uint64_t& colour : start_) colour = mixed(Tag::own, colour);
}

std::optional<ColourRefinement::Colours> ColourRefinement::colours() {
  Colours colours = start_;
  while (split(colours, 0)) {
  }
  if (count_different(colours) == colours.size()) return std::nullopt;
  if (!problem_.network) return colours;
  split(colours, 1);
  if (count_different(colours) == colours.size()) return std::nullopt;
  refine(colours);
  if (count_different(colours) == colours.size()) return std::nullopt;
  return colours;
}

void ColourRefinement::refine(Colours& colours) {
  while (split(colours, problem_.network ? problem_.network->layers.size() : 0)) {
  }
}

// One round, with this many layers of the network. False if nothing was split.
bool ColourRefinement::split(Colours& colours, std::size_t network_layers) {
  Colours seen(colours.size(), 0);
  look_at_rows(colours, seen);
  if (network_layers > 0) look_at_network(colours, network_layers, seen);
  const std::size_t before = count_different(colours);
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = mixed(colours[i], seen[i]);
  return count_different(colours) > before;
}

void ColourRefinement::look_at_rows(const Colours& colours, Colours& seen) {
  work_ += 2 * terms_.size();
  std::uint32_t begin = 0;
  for (std::size_t row = 0; row < row_end_.size(); ++row) {
    const std::uint32_t end = row_end_[row];
    std::uint64_t sum = 0;
    for (std::uint32_t i = begin; i < end; ++i) sum += mixed(terms_[i].label, colours[terms_[i].bit]);
    const std::uint64_t colour = mixed(row_label_[row], sum);
    for (std::uint32_t i = begin; i < end; ++i) seen[terms_[i].bit] += mixed(terms_[i].label, colour);
    begin = end;
  }
}

void ColourRefinement::look_at_network(const Colours& colours, std::size_t layers, Colours& seen) {
  const Network& network = *problem_.network;
  std::vector<Colours> forward(layers + 1);
  for (const Bit bit : problem_.network_inputs) forward[0].push_back(colours[bits_.number(bit)]);
  for (std::size_t l = 0; l < layers; ++l) {
    for (const Neuron& each : network.layers[l].neurons) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < each.weights.size(); ++i) {
        sum += static_cast<std::uint64_t>(std::int64_t{each.weights[i]}) * forward[l][i];
      }
      forward[l + 1].push_back(mixed(mixed(Tag::neuron, static_cast<std::uint64_t>(each.threshold)), sum));
      work_ += 2 * each.weights.size();
    }
  }
  Colours backward = forward[layers];
  if (layers == network.layers.size()) {
    for (std::size_t i = 0; i < backward.size(); ++i) {
      const std::uint32_t bit = bits_.first_state + problem_.network_outputs[i];
      backward[i] = mixed(backward[i], colours[bit]);
      seen[bit] += mixed(Tag::output, backward[i]);
    }
  }
  for (std::size_t l = layers; l > 0; --l) {
    Colours sums(forward[l - 1].size(), 0);
    for (std::size_t j = 0; j < backward.size(); ++j) {
      const std::vector<std::int8_t>& weights = network.layers[l - 1].neurons[j].weights;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += static_cast<std::uint64_t>(std::int64_t{weights[i]}) * backward[j];
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = mixed(forward[l - 1][i], sums[i]);
    backward = std::move(sums);
  }
  for (std::size_t i = 0; i < backward.size(); ++i) {
    seen[bits_.number(problem_.network_inputs[i])] += mixed(Tag::input, backward[i]);
  }
}

std::optional<BitPermutation> ColourRefinement::exchange(const Colours& colours, std::uint32_t a,
                                                         std::uint32_t b) {
  Colours left = colours, right = colours;
  left[a] = right[b] = mixed(Tag::own, 1);
  left[b] = right[a] = mixed(Tag::own, 2);
  for (std::uint64_t next_own = 3;; ++next_own) {
    refine(left);
    refine(right);
    const auto from = by_colour(left), to = by_colour(right);
    BitPermutation permutation(colours.size());
    bool open = false;
    for (std::size_t begin = 0, end = 0; begin < from.size() && !open; begin = end) {
      while (end < from.size() && from[end].colour == from[begin].colour) {
        if (to[end].colour != from[end].colour) return std::nullopt;
        ++end;
      }
      const auto same = [](const ColouredBit& x, const ColouredBit& y) { return x.bit == y.bit; };
      const auto first = static_cast<std::ptrdiff_t>(begin), last = static_cast<std::ptrdiff_t>(end);
      open =
          end > begin + 1 && !std::equal(from.begin() + first, from.begin() + last, to.begin() + first, same);
      for (std::size_t i = begin; i < end; ++i) permutation[from[i].bit] = to[i].bit;
      if (open) left[from[begin].bit] = right[to[begin].bit] = mixed(Tag::own, next_own);
    }
    if (!open) return permutation;
  }
}

}  // namespace bnnplan::engines
