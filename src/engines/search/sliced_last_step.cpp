// The last step of a plan is most of the work if hardly any state is reached twice, and all that matters is
// which pairs of state and action lead to the goal. So 512 states are the lanes of bit-sliced inference
// (network/sliced_layer.cpp), and actions are processed one after the other:
//
//   First layer. For an action that equals another one with two more bits set, the count of every neuron is
//   the other's count plus the two weights. So actions are grouped by all but their two highest bits; a group
//   computes its first layer with thresholds shifted by -2 .. 2, three or five times, and each of its actions
//   only picks, for each neuron, one of these planes. With 20 bits of which 3 are set, a group has 57
//   actions.
//
//   Last layer. Outputs that the goal fixes are computed one by one, starting with those that rarely have the
//   wanted value (by a sample of random inputs), until no lane is left: about a third of 32.
//
// The step before is evaluated in slices as well, for any pairs of state and action.
//
// Little is found; the caller evaluates it again by other means, and checks the rest of the goal.
#include "bnnplan/engines/search/sliced_last_step.hpp"

#include <algorithm>
#include <bit>

#include "bnnplan/base/random.hpp"

namespace bnnplan::engines {

namespace {

// Outputs, if the goal has other conditions: with fewer, too much would be found.
constexpr std::size_t least_wanted = 8;
constexpr std::size_t most_sliced_inputs = 512;
constexpr std::size_t sample_size = 4096;

}  // namespace

SlicedLastStep::SlicedLastStep(const PackedProblem& problem) : problem_(problem) {
  if (!problem.network || !problem.says_all() || !problem.joint_constraints.empty() ||
      !problem.refused.empty())
    return;
  const Network& network = *problem.problem.network;
  if (network.layers.size() < 2) return;
  for (const Layer& layer : network.layers) {
    if (layer.neurons.front().weights.empty() || layer.neurons.front().weights.size() > most_sliced_inputs)
      return;
  }
  std::vector<std::uint32_t> output_of(problem.problem.state.bit_count(), 0);
  for (std::uint32_t i = 0; i < problem.problem.network_outputs.size(); ++i) {
    output_of[problem.problem.network_outputs[i]] = i;
  }
  bool only_bits = true;
  for (const LinearConstraint& constraint : problem.problem.goal) {
    bool is_bit = false;
    if (constraint.terms.size() == 1) {
      const Term& term = constraint.terms[0];
      const bool may_be_0 = compare(0, constraint.comparison, constraint.bound);
      const bool may_be_1 = compare(term.coefficient, constraint.comparison, constraint.bound);
      is_bit = may_be_0 != may_be_1;
      if (is_bit) wanted_.push_back({output_of[term.bit.index], may_be_1});
    }
    only_bits = only_bits && is_bit;
  }
  if (wanted_.empty() || (!only_bits && wanted_.size() < least_wanted)) return;
  useful_ = true;
  for (const Layer& layer : network.layers) layers_.emplace_back(layer);
  const std::size_t inputs = network.inputs.size();
  weights_.resize(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    is_action_.push_back(problem.problem.network_inputs[i].place == Place::action);
    for (const Neuron& neuron : network.layers[0].neurons) {
      weights_[i].push_back(neuron.weights[i]);
      absent_ = absent_ || (is_action_[i] && neuron.weights[i] == 0);
    }
  }
  ones_.words.fill(~std::uint64_t{0});
  order_wanted();
}

void SlicedLastStep::order_wanted() {
  const std::size_t words = problem_.network->input_words(), output_words = problem_.network->output_words();
  Random random(1);
  Words inputs(sample_size * words), outputs(sample_size * output_words);
  for (std::uint64_t& word : inputs) word = random.next();
  bnnplan::Workspace workspace;
  problem_.network->evaluate(inputs.data(), sample_size, outputs.data(), workspace);
  std::vector<std::size_t> as_wanted(problem_.network->outputs(), 0);
  for (const WantedOutput& output : wanted_) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sample_size; ++i) {
      const std::uint64_t word = outputs[i * output_words + output.neuron / 64];
      count += ((word >> (output.neuron % 64) & 1) != 0) == output.value ? 1 : 0;
    }
    as_wanted[output.neuron] = count;
  }
  std::stable_sort(wanted_.begin(), wanted_.end(), [&](const WantedOutput& a, const WantedOutput& b) {
    return as_wanted[a.neuron] < as_wanted[b.neuron];
  });
}

SlicedLastStep::Actions SlicedLastStep::prepare(const ActionTable& actions, ActionId begin,
                                                ActionId end) const {
  struct Split {
    std::vector<std::uint16_t> set;
    Actions::Leaf leaf;
  };
  std::vector<Split> splits;
  for (ActionId action = begin; action < end; ++action) {
    Split split{{}, {action, Actions::no_bit, Actions::no_bit}};
    const std::uint64_t* words = actions.inputs(action);
    for (std::size_t i = 0; i < problem_.network->input_words(); ++i) {
      for (std::uint64_t word = words[i]; word != 0; word &= word - 1) {
        split.set.push_back(
            static_cast<std::uint16_t>(64 * i + static_cast<std::size_t>(std::countr_zero(word))));
      }
    }
    for (std::uint16_t* bit : {&split.leaf.first, &split.leaf.second}) {
      if (split.set.empty()) break;
      *bit = split.set.back();
      split.set.pop_back();
    }
    splits.push_back(std::move(split));
  }
  std::stable_sort(splits.begin(), splits.end(),
                   [](const Split& a, const Split& b) { return a.set < b.set; });
  Actions result;
  for (Split& split : splits) {
    if (result.groups_.empty() || result.groups_.back().set != split.set) {
      const auto at = static_cast<std::uint32_t>(result.leaves_.size());
      result.groups_.push_back({std::move(split.set), at, at, 0});
    }
    Actions::Group& group = result.groups_.back();
    result.leaves_.push_back(split.leaf);
    ++group.end;
    // Shift s is bit s + 2. Without zero weights two bits cannot shift by one.
    const bool one = split.leaf.first != Actions::no_bit, two = split.leaf.second != Actions::no_bit;
    const std::uint32_t shifts = two ? 0b10101 : one ? 0b01010 : 0b00100;
    group.shifts |= absent_ && two ? 0b11111 : absent_ && one ? 0b01110 : shifts;
  }
  return result;
}

void SlicedLastStep::prepare(Workspace& workspace) const {
  workspace.sums_.resize(layers_.size());
  workspace.outputs_.resize(layers_.size());
  std::size_t most = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    workspace.sums_[i].resize(layers_[i].sum_count());
    workspace.outputs_[i].resize(layers_[i].neurons());
    most = std::max({most, layers_[i].inputs(), layers_[i].neurons()});
  }
  workspace.shifted_.resize(5 * layers_[0].neurons());
  workspace.pointers_.resize(most);
}

// The planes of the network's inputs.
void SlicedLastStep::put_inputs(const std::uint64_t* words, std::size_t count, Workspace& workspace) const {
  const std::size_t per_input = problem_.network->input_words(), inputs = problem_.network->inputs();
  workspace.inputs_.assign(inputs, Plane{});
  for (std::size_t first = 0; first < count; first += 64) {
    for (std::size_t word = 0; word < per_input; ++word) {
      put_into_planes(
          words + first * per_input + word, per_input, std::min<std::size_t>(64, count - first), first / 64,
          std::span(workspace.inputs_).subspan(64 * word, std::min<std::size_t>(64, inputs - 64 * word)));
    }
  }
}

void SlicedLastStep::evaluate(const std::uint64_t* inputs, std::size_t count, std::uint64_t* outputs,
                              Workspace& workspace) const {
  prepare(workspace);
  put_inputs(inputs, count, workspace);
  const Plane** pointers = workspace.pointers_.data();
  for (std::size_t i = 0; i < workspace.inputs_.size(); ++i) pointers[i] = &workspace.inputs_[i];
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layers_[i].add_triples(pointers, workspace.sums_[i].data());
    layers_[i].outputs(workspace.sums_[i].data(), 0, workspace.outputs_[i].data());
    for (std::size_t n = 0; n < layers_[i].neurons(); ++n) pointers[n] = &workspace.outputs_[i][n];
  }
  const std::size_t words = problem_.network->output_words();
  for (std::size_t first = 0; first < count; first += 64) {
    for (std::size_t word = 0; word < words; ++word) {
      take_from_planes(
          std::span<const Plane>(workspace.outputs_.back())
              .subspan(64 * word, std::min<std::size_t>(64, layers_.back().neurons() - 64 * word)),
          first / 64, outputs + first * words + word, words, std::min<std::size_t>(64, count - first));
    }
  }
}

void SlicedLastStep::find(std::span<const std::uint64_t* const> states, const Actions& actions,
                          LimitWatch& watch, Workspace& workspace,
                          const std::function<void(std::size_t, ActionId)>& found) const {
  prepare(workspace);
  const std::size_t words = problem_.network->input_words();
  workspace.words_.assign(states.size() * words, 0);  // all action bits are 0
  for (std::size_t i = 0; i < states.size(); ++i) {
    problem_.state_to_input.apply(states[i], workspace.words_.data() + i * words);
  }
  put_inputs(workspace.words_.data(), states.size(), workspace);
  Plane all{};
  for (std::size_t i = 0; i < states.size(); ++i) all.words[i / 64] |= std::uint64_t{1} << (i % 64);
  for (const Actions::Group& group : actions.groups_) {
    watch.check_time();
    const Plane** inputs = workspace.pointers_.data();
    for (std::size_t i = 0; i < is_action_.size(); ++i)
      inputs[i] = is_action_[i] ? &zeros_ : &workspace.inputs_[i];
    for (const std::uint16_t bit : group.set) inputs[bit] = &ones_;
    layers_[0].add_triples(inputs, workspace.sums_[0].data());
    for (int shift = -2; shift <= 2; ++shift) {
      if ((group.shifts >> (shift + 2) & 1) == 0) continue;
      layers_[0].outputs(
          workspace.sums_[0].data(), shift,
          workspace.shifted_.data() + static_cast<std::size_t>(shift + 2) * layers_[0].neurons());
    }
    for (std::uint32_t at = group.begin; at < group.end; ++at) {
      Plane alive = all;
      if (!reaches_goal(actions.leaves_[at], workspace, alive)) continue;
      for (std::size_t lane = 0; lane < states.size(); ++lane) {
        if ((alive.words[lane / 64] >> (lane % 64) & 1) != 0) found(lane, actions.leaves_[at].action);
      }
    }
  }
}

// Keeps the lanes whose next state has the goal's bits; false if there are none. Requires the group's first
// layer.
bool SlicedLastStep::reaches_goal(const Actions::Leaf& leaf, Workspace& workspace, Plane& alive) const {
  const std::size_t neurons = layers_[0].neurons();
  const Plane** pointers = workspace.pointers_.data();
  const Plane* shifted = workspace.shifted_.data() + 2 * neurons;
  const auto pick = [&](std::size_t neuron, int shift) {
    pointers[neuron] =
        shifted + shift * static_cast<std::ptrdiff_t>(neurons) + static_cast<std::ptrdiff_t>(neuron);
  };
  if (leaf.second != Actions::no_bit) {
    const std::int8_t *a = weights_[leaf.first].data(), *b = weights_[leaf.second].data();
    for (std::size_t i = 0; i < neurons; ++i) pick(i, a[i] + b[i]);
  } else if (leaf.first != Actions::no_bit) {
    const std::int8_t* a = weights_[leaf.first].data();
    for (std::size_t i = 0; i < neurons; ++i) pick(i, a[i]);
  } else {
    for (std::size_t i = 0; i < neurons; ++i) pick(i, 0);
  }
  for (std::size_t i = 1;; ++i) {
    layers_[i].add_triples(pointers, workspace.sums_[i].data());
    if (i + 1 == layers_.size()) return layers_[i].match(workspace.sums_[i].data(), wanted_, alive);
    layers_[i].outputs(workspace.sums_[i].data(), 0, workspace.outputs_[i].data());
    for (std::size_t n = 0; n < layers_[i].neurons(); ++n) pointers[n] = &workspace.outputs_[i][n];
  }
}

}  // namespace bnnplan::engines
