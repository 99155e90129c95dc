// Actions in order of cost. The range of costs is divided into windows; a window's actions are enumerated by
// propagation with the window as two more constraints, and sorted. The first window is the whole range, which
// is enough for most problems. If it holds more than 2^16 actions the window is halved until it does not; the
// windows after it grow again where few are found.
//
// Joint constraints take part with the state left open: an action that propagation refutes for every state is
// never considered again.
#include "bnnplan/engines/search/action_table.hpp"

#include <algorithm>
#include <numeric>

#include "bnnplan/base/random.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::size_t window_actions = std::size_t{1} << 16;
constexpr std::size_t most_actions_of_one_cost = std::size_t{1} << 20;
constexpr std::size_t most_classes_of_window = 64;
constexpr std::size_t most_actions_of_class = 4096;

}  // namespace

ActionTable::ActionTable(const PackedProblem& problem, LimitWatch& watch, std::uint64_t seed)
    : problem_(problem),
      watch_(watch),
      seed_(seed),
      search_(problem.problem.action.bit_count() + problem.problem.state.bit_count() +
                  problem.problem.auxiliary.bit_count(),
              watch),
      input_words_(problem.network ? problem.network->input_words() : 0) {
  const Problem& source = problem.problem;
  const std::size_t constraints = add_step_constraints(search_, source);
  std::vector<BitSearch::Summand> cost;
  for (const Term& term : source.objective.terms) {
    if (term.bit.place != Place::action) continue;
    cost.push_back({term.coefficient, term.bit.index});
    (term.coefficient < 0 ? next_cost_ : last_cost_) += term.coefficient;
  }
  search_.add_constraint(cost, Comparison::at_least, 0);  // the window's ends are set as known parts
  search_.add_constraint(cost, Comparison::at_most, 0);
  known_.assign(constraints + 2, 0);
  action_variables_.resize(source.action.bit_count());
  std::iota(action_variables_.begin(), action_variables_.end(), 0);
  width_ = static_cast<std::uint64_t>(last_cost_ - next_cost_) + 1;
}

bool ActionTable::make_class(std::size_t index) {
  while (index >= classes_.size()) {
    if (exhausted_) break;
    make_window();
  }
  if (index < classes_.size()) return true;
  if (!truncated_) return false;
  watch_.stop(StopReason::too_large);
  throw LimitReached();
}

std::optional<std::int64_t> ActionTable::lower_bound(std::size_t index) const {
  if (index < classes_.size()) return classes_[index].cost;
  if (truncated_) return costs_.empty() ? next_cost_ : std::max(costs_.back(), next_cost_);
  if (exhausted_) return std::nullopt;
  return next_cost_;
}

// Enumerates the next window of costs.
void ActionTable::make_window() {
  const auto rest = static_cast<std::uint64_t>(last_cost_ - next_cost_);
  std::int64_t high = next_cost_ + static_cast<std::int64_t>(std::min(rest, width_ - 1));
  Words found;
  while (
      !enumerate(next_cost_, high, high == next_cost_ ? most_actions_of_one_cost : window_actions, found)) {
    if (high == next_cost_) {  // keep these: a first plan may not need the rest
      truncated_ = exhausted_ = true;
      append_classes(found);
      return;
    }
    width_ = (static_cast<std::uint64_t>(high - next_cost_) + 1) / 2;
    high = next_cost_ + static_cast<std::int64_t>(width_ - 1);
  }
  if (found.size() / problem_.action_words < window_actions / 4 && width_ < rest) width_ *= 2;
  append_classes(found);
  exhausted_ = high == last_cost_;
  if (!exhausted_) next_cost_ = high + 1;
}

// The actions with low <= cost <= high. False if there are more than `most`.
bool ActionTable::enumerate(std::int64_t low, std::int64_t high, std::size_t most, Words& found) {
  found.clear();
  known_[known_.size() - 2] = -low;
  known_[known_.size() - 1] = -high;
  if (!search_.start(known_)) return true;
  const std::size_t words = problem_.action_words;
  return search_.enumerate(action_variables_, {}, [&] {
    if (found.size() == most * words) return false;
    found.resize(found.size() + words, 0);
    std::uint64_t* bits = found.data() + found.size() - words;
    for (const std::uint32_t variable : action_variables_) {
      if (search_.value(variable) == 1) set_bit(bits, variable);
    }
    return true;
  });
}

void ActionTable::append_classes(const Words& found) {
  const std::size_t words = problem_.action_words;
  const std::size_t count = found.size() / words;
  if (count == 0) return;
  std::vector<std::int64_t> costs(count);
  for (std::size_t i = 0; i < count; ++i) {
    costs[i] = problem_.action_cost.evaluate(found.data() + i * words, nullptr, nullptr);
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (seed_ != 0) {
    Random random(seed_);
    shuffle(order, random);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });

  std::size_t different = 1;
  for (std::size_t i = 1; i < count; ++i) different += costs[order[i]] != costs[order[i - 1]] ? 1 : 0;
  const std::size_t smallest = different <= most_classes_of_window ? 1 : count / most_classes_of_window;
  for (std::size_t i = 0; i < count; ++i) {
    const auto action = static_cast<ActionId>(costs_.size());
    const std::uint64_t* bits = found.data() + order[i] * words;
    bits_.insert(bits_.end(), bits, bits + words);
    inputs_.resize(inputs_.size() + input_words_, 0);
    if (problem_.network) problem_.action_to_input.apply(bits, inputs_.data() + action * input_words_);
    const std::int64_t cost = costs[order[i]];
    const std::size_t size = i == 0 ? 0 : action - classes_.back().begin;
    const bool differs = i > 0 && cost != costs_.back();
    if (i == 0 || size >= most_actions_of_class || (differs && size >= smallest)) {
      classes_.push_back({action, action, cost});
    }
    costs_.push_back(cost);
    classes_.back().end = action + 1;
  }
}

std::size_t ActionTable::bytes() const {
  return (bits_.capacity() + inputs_.capacity()) * sizeof(std::uint64_t) +
         costs_.capacity() * sizeof(std::int64_t) + classes_.capacity() * sizeof(ActionClass);
}

}  // namespace bnnplan::engines
