// Neurons in formulas that were written without them. A neuron, y <-> at least k of n literals, is written as
// two constraints,
//
//   y -> at least k of l_1 ... l_n            k ~y + l_1 + ... + l_n >= k
//   ~y -> at least n - k + 1 of ~l_1 ... ~l_n     (n - k + 1) y + ~l_1 + ... + ~l_n >= n - k + 1
//
// A coefficient above the bound is as good as the bound, so a "big M" that is larger than necessary is
// recognised as well. Each half has one coefficient that reaches the bound, and all others are 1. If the
// bound is 1, a clause, any literal may be the condition; such a half is looked up when the other half is
// there. Halves without a partner stay as they are.
//
// The solver counts a layer at a time, so a layer groups neurons that have equal depth (inputs are at depth
// 0, a neuron is one deeper than its deepest input) and share inputs.
//
// The two constraints and the neuron have the same solutions and propagate the same, so a proof made with
// neurons holds for the constraints.
#include "bnnplan/engines/pseudo_boolean/recognise_neurons.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "bnnplan/cdcl/neuron_layer.hpp"

namespace bnnplan::engines {

namespace {

// condition -> at least `threshold` of the inputs, sorted by variable.
struct Half {
  Lit condition;
  std::vector<Lit> inputs;
  std::int64_t threshold = 0;

  auto operator<=>(const Half&) const = default;
};

std::optional<Half> half_of(const model::AtLeastRow& constraint) {
  if (constraint.bound < 2 || constraint.terms.size() < 3) return std::nullopt;
  Half half;
  half.threshold = constraint.bound;
  bool found = false;
  for (const auto& [coefficient, literal] : constraint.terms) {
    if (coefficient >= constraint.bound && !found) {
      half.condition = ~literal;
      found = true;
    } else if (coefficient == 1) {
      half.inputs.push_back(literal);
    } else {
      return std::nullopt;
    }
  }
  if (!found || half.threshold > static_cast<std::int64_t>(half.inputs.size())) return std::nullopt;
  return half;
}

Half other_half(const Half& half) {
  Half other;
  other.condition = ~half.condition;
  for (const Lit input : half.inputs) other.inputs.push_back(~input);
  other.threshold = static_cast<std::int64_t>(half.inputs.size()) - half.threshold + 1;
  return other;
}

// The literals of a clause, or of the half with threshold 1 that it may be.
std::vector<Lit> sorted(std::vector<Lit> literals) {
  std::sort(literals.begin(), literals.end());
  return literals;
}

std::vector<Lit> clause_of(const Half& half) {
  std::vector<Lit> literals = half.inputs;
  literals.push_back(~half.condition);
  return sorted(std::move(literals));
}

struct Depths {
  std::vector<bool> defined;
  std::vector<std::uint32_t> depth;  // of variables; 0 if not defined
};

// Depth first, without recursion. If a variable has several definitions the first counts; one in a cycle does
// not count.
Depths depths_of(const std::vector<ReifiedAtLeast>& neurons, std::uint32_t variables) {
  std::vector<const ReifiedAtLeast*> definition(variables, nullptr);
  for (const ReifiedAtLeast& neuron : neurons) {
    const ReifiedAtLeast*& first = definition[neuron.output.var().index];
    if (first == nullptr) first = &neuron;
  }
  Depths depths{std::vector<bool>(variables), std::vector<std::uint32_t>(variables)};
  enum class Visit : std::uint8_t { none, open, done };
  std::vector<Visit> visits(variables, Visit::none);
  // A variable and how many of its inputs were followed.
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  for (std::uint32_t start = 0; start < variables; ++start) {
    if (visits[start] == Visit::none) path.emplace_back(start, 0);
    while (!path.empty()) {
      auto& [variable, followed] = path.back();
      visits[variable] = Visit::open;
      const ReifiedAtLeast* neuron = definition[variable];
      if (neuron != nullptr && followed < neuron->inputs.size()) {
        const std::uint32_t next = neuron->inputs[followed++].var().index;
        if (visits[next] == Visit::open) definition[next] = nullptr;
        if (visits[next] == Visit::none) path.emplace_back(next, 0);
        continue;
      }
      if (neuron != nullptr) {
        depths.defined[variable] = true;
        for (const Lit input : neuron->inputs)
          depths.depth[variable] = std::max(depths.depth[variable], depths.depth[input.var().index] + 1);
      }
      visits[variable] = Visit::done;
      path.pop_back();
    }
  }
  return depths;
}

std::vector<std::vector<ReifiedAtLeast>> layers_of(std::vector<ReifiedAtLeast> neurons,
                                                   const Depths& depths) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_depth;
  for (std::size_t i = 0; i < neurons.size(); ++i) {
    std::uint32_t depth = 0;
    for (const Lit input : neurons[i].inputs) depth = std::max(depth, depths.depth[input.var().index]);
    by_depth[depth].push_back(i);
  }
  std::vector<std::vector<ReifiedAtLeast>> layers;
  // By neuron: another neuron of the same group; itself if it is the first.
  std::vector<std::size_t> group(neurons.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto first_of = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  for (const auto& [depth, members] : by_depth) {
    std::map<Var, std::size_t> reader;  // of an input
    for (const std::size_t i : members) {
      for (const Lit input : neurons[i].inputs) {
        const std::size_t other = first_of(reader.emplace(input.var(), i).first->second), own = first_of(i);
        group[std::max(own, other)] = std::min(own, other);
      }
    }
    std::map<std::size_t, std::size_t> layer_of_group;
    for (const std::size_t i : members) {
      const auto [place, is_new] = layer_of_group.emplace(first_of(i), layers.size());
      if (is_new) layers.emplace_back();
      layers[place->second].push_back(std::move(neurons[i]));
    }
  }
  return layers;
}

class Recogniser {
 public:
  explicit Recogniser(const model::PbFormula& formula)
      : formula_(formula), used_(formula.constraints.size()) {}

  RecognisedFormula run() {
    index();
    for (std::size_t i = 0; i < formula_.constraints.size(); ++i) match(i);
    RecognisedFormula result;
    const Depths depths = depths_of(neurons_, formula_.variables);
    result.layers = layers_of(std::move(neurons_), depths);
    result.defined = depths.defined;
    for (std::size_t i = 0; i < formula_.constraints.size(); ++i) {
      if (!used_[i]) result.rest.push_back(i);
    }
    return result;
  }

 private:
  void index() {
    for (std::size_t i = 0; i < formula_.constraints.size(); ++i) {
      const model::AtLeastRow& constraint = formula_.constraints[i];
      if (const auto half = half_of(constraint)) {
        halves_.emplace(*half, i);
      } else if (constraint.bound == 1 && constraint.terms.size() > 2) {
        std::vector<Lit> literals;
        for (const WeightedLit& term : constraint.terms) literals.push_back(term.literal);
        clauses_.emplace(sorted(std::move(literals)), i);
      }
    }
  }

  void match(std::size_t i) {
    if (used_[i]) return;
    const auto half = half_of(formula_.constraints[i]);
    if (!half || half->inputs.size() > cdcl::most_layer_inputs) return;
    const Half other = other_half(*half);
    std::size_t partner = i;
    if (other.threshold == 1) {
      const auto found = clauses_.find(clause_of(other));
      if (found != clauses_.end()) partner = found->second;
    } else if (const auto found = halves_.find(other); found != halves_.end()) {
      partner = found->second;
    }
    if (partner == i || used_[partner]) return;
    used_[i] = used_[partner] = true;
    const Half& positive = half->condition.negated() ? other : *half;
    neurons_.push_back({positive.condition, positive.inputs, static_cast<std::int32_t>(positive.threshold)});
  }

  const model::PbFormula& formula_;
  std::vector<bool> used_;
  std::map<Half, std::size_t> halves_;
  std::map<std::vector<Lit>, std::size_t> clauses_;
  std::vector<ReifiedAtLeast> neurons_;
};

}  // namespace

RecognisedFormula recognise_neurons(const model::PbFormula& formula) { return Recogniser(formula).run(); }

}  // namespace bnnplan::engines
