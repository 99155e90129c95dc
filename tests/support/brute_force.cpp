// The definition of optimal planning, executed: min over everything, remembering what was computed before.
#include "support/brute_force.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/network/reference_inference.hpp"

namespace bnnplan::testing {

namespace {

using Bits = BitValues;
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
  struct Step {
    std::uint32_t next;
    std::int64_t cost;
    Bits action;
  };
  std::map<std::uint32_t, std::vector<Step>> steps;
  // Refused prefixes, by number, that the actions so far are the beginning of.
  using Following = std::vector<std::size_t>;
  std::map<std::tuple<int, std::uint32_t, Following>, Cost> known;

  // Of step t: discount^(t-1) over its last decimal, or rounded to the decimals that the problem says.
  std::int64_t weight_of(int t) const {
    const Decimal& discount = problem.objective.discount;
    const int digits = problem.objective.discount_digits;
    std::int64_t weight = 1, tens = 1;
    for (int i = 0; i < -discount.exponent; ++i) tens *= 10;
    if (discount == Decimal{1, 0}) return 1;
    if (digits == 0) {
      for (int i = 1; i < t; ++i) weight *= discount.digits;
      for (int i = t; i < problem.horizon; ++i) weight *= tens;
      return weight;
    }
    mpz_class exact = 1, under = 1;
    for (int i = 0; i < digits; ++i) exact *= 10;
    for (int i = 1; i < t; ++i) {
      exact *= discount.digits;
      under *= tens;
    }
    return mpz_class((2 * exact + under) / (2 * under)).get_si();
  }

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
    auto& found = place->second;
    if (!is_new) return found;
    const Bits state = bits_of(number, problem.state.bit_count());
    for_all_bits(problem.action.bit_count(), [&](std::uint32_t, const Bits& action) {
      for_all_bits(problem.auxiliary.bit_count(), [&](std::uint32_t, const Bits& auxiliary) {
        if (!all_hold(problem.constraints, {action, state, auxiliary, {}})) return;
        for_all_bits(problem.state.bit_count(), [&](std::uint32_t next_number, const Bits& next) {
          const StepValues values{action, state, auxiliary, next};
          if (!all_hold(problem.transitions, values) || !network_agrees(values)) return;
          found.push_back(
              {next_number, problem.objective.constant + evaluate(problem.objective.terms, values), action});
        });
      });
    });
    return found;
  }

  // Those of the prefixes that continue with this action as number t (from 0).
  Following after(const Following& following, std::size_t t, const Bits& action) const {
    Following result;
    for (const std::size_t i : following) {
      const auto& actions = problem.refused[i].actions;
      if (t < actions.size() && actions[t] == action) result.push_back(i);
    }
    return result;
  }

  bool refused(const Following& following, std::size_t actions) const {
    return std::any_of(following.begin(), following.end(),
                       [&](std::size_t i) { return problem.refused[i].actions.size() == actions; });
  }

  Cost cost_from(std::uint32_t state, int steps_left, const Following& following) {
    const auto t = static_cast<std::size_t>(problem.horizon - steps_left);
    if (refused(following, t)) return std::nullopt;
    if (steps_left == 0) {
      const Bits bits = bits_of(state, problem.state.bit_count());
      return all_hold(problem.goal, {{}, bits, {}, {}}) ? Cost(0) : std::nullopt;
    }
    const auto [place, is_new] = known.try_emplace({steps_left, state, following});
    if (!is_new) return place->second;
    Cost best;
    const std::int64_t weight = weight_of(static_cast<int>(t) + 1);
    for (const Step& step : steps_from(state)) {
      const Cost rest = cost_from(step.next, steps_left - 1, after(following, t, step.action));
      if (rest && (!best || weight * step.cost + *rest < *best)) best = weight * step.cost + *rest;
    }
    return place->second = best;
  }

  Following matching(const Bits& initial) const {
    Following result;
    for (std::size_t i = 0; i < problem.refused.size(); ++i) {
      bool same = true;
      for (std::size_t bit = 0; bit < initial.size(); ++bit) {
        const BitValue wanted = problem.refused[i].initial[bit];
        same &= wanted == unknown_bit || wanted == initial[bit];
      }
      if (same) result.push_back(i);
    }
    return result;
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
    const Cost cost = search.cost_from(number, problem.horizon, search.matching(state));
    if (cost && (!best || *cost < *best)) best = cost;
  });
  return best;
}

std::optional<formats::Weight> brute_force_cost(const formats::Wcnf& formula) {
  std::optional<formats::Weight> best;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << formula.variables; ++bits) {
    const auto satisfied = [&](std::span<const Lit> clause) {
      return std::any_of(clause.begin(), clause.end(),
                         [&](Lit lit) { return ((bits >> lit.var().index & 1) != 0) != lit.negated(); });
    };
    bool possible = true;
    for (std::size_t i = 0; i < formula.hard.size() && possible; ++i) possible = satisfied(formula.hard[i]);
    if (!possible) continue;
    formats::Weight cost = 0;
    for (std::size_t i = 0; i < formula.soft.size(); ++i)
      if (!satisfied(formula.soft[i])) cost += formula.weights[i];
    if (!best || cost < *best) best = cost;
  }
  return best;
}

namespace {

template <class Formula>
std::optional<std::int64_t> least_value(const Formula& formula) {
  std::optional<std::int64_t> least;
  for (std::uint32_t bits = 0; bits < 1u << formula.variables; ++bits) {
    const auto sum_of = [&](const auto& terms) {
      std::int64_t sum = 0;
      for (const auto& [coefficient, literal] : terms) {
        if ((bits >> literal.var().index & 1u) != (literal.negated() ? 1u : 0u))
          sum = checked_add(sum, coefficient);
      }
      return sum;
    };
    const std::int64_t value = sum_of(formula.objective);
    if (std::all_of(formula.constraints.begin(), formula.constraints.end(),
                    [&](const auto& row) { return sum_of(row.terms) >= row.bound; }) &&
        (!least || value < *least))
      least = value;
  }
  return least;
}

}  // namespace

std::optional<std::int64_t> brute_force_value(const checking::PbFormula& formula) {
  return least_value(formula);
}
std::optional<std::int64_t> brute_force_value(const model::PbFormula& formula) {
  return least_value(formula);
}

}  // namespace bnnplan::testing
