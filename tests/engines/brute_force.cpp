// The definition of optimal planning, executed: min over everything, remembering what was computed before.
#include "engines/brute_force.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "network/reference_inference.hpp"

namespace bnnplan::testing {

namespace {

using Bits = std::vector<std::uint8_t>;
using Cost = std::optional<std::int64_t>;

Bits bits_of(std::uint32_t number, std::uint32_t count) {
  Bits bits(count);
  for (std::uint32_t i = 0; i < count; ++i) bits[i] = number >> i & 1;
  return bits;
}

// visit(number, bits) for every assignment.
template <class Visit>
void for_all_bits(std::uint32_t count, Visit visit) {
  for (std::uint32_t number = 0; number < 1u << count; ++number) visit(number, bits_of(number, count));
}

bool all_hold(const std::vector<LinearConstraint>& constraints, const StepValues& values) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const LinearConstraint& constraint) { return holds(constraint, values); });
}

struct BruteForce {
  const Problem& problem;
  // States are the numbers that their bits make.
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::int64_t>>>
      steps;  // next states and costs
  std::map<std::pair<int, std::uint32_t>, Cost> known;

  bool network_agrees(const StepValues& values) const {
    if (!problem.network) return true;
    Bits inputs;
    for (const Bit bit : problem.network_inputs) inputs.push_back(values[bit]);
    const Bits outputs = evaluate_reference(*problem.network, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (values.next[problem.network_outputs[i]] != outputs[i]) return false;
    }
    return true;
  }

  const auto& steps_from(std::uint32_t number) {
    const auto [place, is_new] = steps.try_emplace(number);
    if (!is_new) return place->second;
    const Bits state = bits_of(number, problem.state.bit_count());
    for_all_bits(problem.action.bit_count(), [&](std::uint32_t, const Bits& action) {
      for_all_bits(problem.auxiliary.bit_count(), [&](std::uint32_t, const Bits& auxiliary) {
        if (!all_hold(problem.constraints, {action, state, auxiliary, {}})) return;
        for_all_bits(problem.state.bit_count(), [&](std::uint32_t next_number, const Bits& next) {
          const StepValues values{action, state, auxiliary, next};
          if (!all_hold(problem.transitions, values) || !network_agrees(values)) return;
          place->second.emplace_back(next_number,
                                     problem.objective.constant + evaluate(problem.objective.terms, values));
        });
      });
    });
    return place->second;
  }

  Cost cost_from(std::uint32_t state, int steps_left) {
    if (steps_left == 0) {
      const Bits bits = bits_of(state, problem.state.bit_count());
      return all_hold(problem.goal, {{}, bits, {}, {}}) ? Cost(0) : std::nullopt;
    }
    const auto [place, is_new] = known.try_emplace({steps_left, state});
    if (!is_new) return place->second;
    Cost best;
    for (const auto& [next, cost] : steps_from(state)) {
      const Cost rest = cost_from(next, steps_left - 1);
      if (rest && (!best || cost + *rest < *best)) best = cost + *rest;
    }
    return place->second = best;
  }
};

}  // namespace

std::optional<std::int64_t> brute_force_cost(const Problem& problem) {
  BruteForce search{problem, {}, {}};
  Cost best;
  for_all_bits(problem.state.bit_count(), [&](std::uint32_t number, const Bits& state) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (problem.initial[i] != unknown_bit && problem.initial[i] != state[i]) return;
    }
    const Cost cost = search.cost_from(number, problem.horizon);
    if (cost && (!best || *cost < *best)) best = cost;
  });
  return best;
}

}  // namespace bnnplan::testing
